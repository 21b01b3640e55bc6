# SPDX-License-Identifier: GPL-2.0-only
"""./repro compare: a scheme beside others on the same traces, as ratios with paired intervals.

The same rules as for papers' claims (judging.py): effects paired by seed, a t interval over seeds.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from reproduce import judging
from reproduce.errors import UserError, unknown
from reproduce.estimates import TIE
from reproduce.files import replacing
from reproduce.lazy import pd
from reproduce.statements import Claim, Conclusion, Order, Side

USUAL = ("fct_mean_ns_*", "fct_p99_ns_*")  # metrics, where nobody names others
TOTALS = ("*_goodput*", "*_mean*", "*_p99*")  # of scenarios without flows of a size
FEWEST = judging.FEWEST


@dataclass(frozen=True)
class Ratio:
    """A metric of a scheme over another's: its mean over seeds with the 95 % interval."""

    metric: str
    scheme: str
    over: str
    mine: float  # means over seeds
    other: float
    ratio: float | None  # none with values of 0 or below
    interval: tuple[float, float] | None
    outcome: str
    seeds: int


def compare(table: pd.DataFrame, mine: str, others: list[str], metrics: list[str]) -> list[Ratio]:
    """Each metric of a scheme over that of each other."""
    known = [name for name in table.columns if name not in ("scheme", "seed")]
    known = [name for name in known if pd.api.types.is_numeric_dtype(table[name])]
    chosen = _chosen(known, metrics)
    found = (_ratio(table, metric, mine, other) for metric in chosen for other in others)
    return [one for one in found if one]


def unfinished(table: pd.DataFrame) -> list[str]:
    """A line for each scheme some of whose flows did not finish: their times are in no mean."""
    if "flows_unfinished" not in table:
        return []
    flows = table.groupby("scheme", sort=False)[["flows_unfinished", "flows_started"]].sum()
    return [
        f"{scheme}: {left:.0f} of {started:.0f} flows did not finish; times are of the others"
        for scheme, left, started in flows.itertuples()
        if left > 0
    ]


def _chosen(known: list[str], metrics: list[str]) -> list[str]:
    """The columns that are named, or the usual ones."""
    for patterns in [metrics] if metrics else [USUAL, TOTALS]:
        chosen = [one for one in known if any(fnmatchcase(one, p) for p in patterns)]
        if chosen:
            return chosen
    raise unknown("metric", ",".join(metrics or USUAL), known)


def _ratio(table: pd.DataFrame, metric: str, mine: str, other: str) -> Ratio | None:
    order = Order(((Side(mine),), (Side(other),)))
    claim = Claim("", metric, "", predicates=(order,), metric=metric)
    (found,) = judging.judge_sentence(claim, table).findings
    if found.pooled is None:
        return None
    low, high = found.pooled.interval()
    logarithms = found.logarithms
    means = table.groupby("scheme")[metric].mean()
    return Ratio(
        metric,
        mine,
        other,
        float(means[mine]),
        float(means[other]),
        math.exp(-found.pooled.mean) if logarithms else None,
        (math.exp(-high), math.exp(-low)) if logarithms else None,
        _outcome(found),
        found.pooled.seeds,
    )


def _outcome(found: judging.Finding) -> str:
    """In words, of the scheme."""
    if found.conclusion is Conclusion.YES:
        return "lower"
    if found.conclusion is Conclusion.NO:
        return "the same, within 5 %" if found.why else "higher"
    if found.smallest_visible is None:
        return f"undecided: {found.why}"
    if not found.logarithms:
        return "undecided"
    return f"undecided (could have seen x {math.exp(found.smallest_visible):.3g})"


def text(rows: list[Ratio]) -> str:
    """A line for each ratio."""
    if not rows:
        return "no metric has a value of every seed"
    lines = []
    width = max(len(row.metric) for row in rows)
    for over in dict.fromkeys(row.over for row in rows):
        lines.append(f"{rows[0].scheme} over {over}, {rows[0].seeds} seeds: each, ratio, 95 %")
        for row in (one for one in rows if one.over == over):
            ratio = f"x {row.ratio:.3f}" if row.ratio is not None else ""
            ends = "[{:.3f}, {:.3f}]".format(*row.interval) if row.interval else ""
            numbers = f"{row.mine:>12.6g} {row.other:>12.6g}"
            lines.append(f"  {row.metric:{width}} {numbers}  {ratio:>9} {ends:16} {row.outcome}")
    return "\n".join(lines)


def draw(rows: list[Ratio], path: Path, setting: str = "") -> None:
    """The ratios with their intervals, a line for each metric, and in which setting they are."""
    from matplotlib import pyplot as plt
    from matplotlib import rc_context

    from reproduce.figures import STYLE, WHISKER, log_ticks
    from reproduce.styles import styles

    shown = [row for row in rows if row.interval]
    metrics = list(dict.fromkeys(row.metric for row in shown))
    others = list(dict.fromkeys(row.over for row in shown))
    looks = styles(others)
    with rc_context(STYLE):
        size = (7.0, 1.4 + 0.16 * len(metrics) * (1 + len(others)))
        figure, axes = plt.subplots(figsize=size, layout="constrained")
        axes.axvspan(math.exp(-TIE), math.exp(TIE), color="0.92", zorder=0)
        axes.axvline(1, color="0.4", linewidth=1)
        for i, other in enumerate(others):
            own = [row for row in shown if row.over == other]
            place = (i - (len(others) - 1) / 2) * 0.7 / len(others)
            ratios = [row.ratio for row in own]
            spread = [
                [row.ratio - row.interval[0] for row in own],
                [row.interval[1] - row.ratio for row in own],
            ]
            axes.errorbar(
                ratios,
                [metrics.index(row.metric) + place for row in own],
                xerr=spread,
                label=f"over {other}",
                color=looks[other].colour,
                marker=looks[other].marker,
                linestyle="",
                **WHISKER,
            )
        axes.set_xscale("log")
        log_ticks(axes.xaxis)
        axes.set_yticks(range(len(metrics)), metrics)
        axes.set_ylim(len(metrics) - 0.4, -0.6)
        title = (
            f"{rows[0].scheme} over others, paired by seed: 95 % intervals, {rows[0].seeds} seeds"
        )
        axes.set_title(title, loc="left", fontsize=10.5)
        axes.set_xlabel(f"ratio (grey: 5 %){', in ' if setting else ''}{setting}")
        figure.legend(loc="outside lower center", ncols=min(4, len(others)))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with replacing(path) as part:
                figure.savefig(part)
        except ValueError:
            formats = ", ".join(sorted(figure.canvas.get_supported_filetypes()))
            raise UserError(f"--out {path}: no picture; allowed: {formats}") from None
        finally:
            plt.close(figure)


def arguments(words: list[str]) -> dict[str, Any]:
    """The program's options that follow --."""
    found = {}
    for word in words:
        name, sign, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not sign:
            raise UserError(f"compare: '{word}' is not allowed; allowed: --NAME=VALUE")
        if name == "scheme":
            raise UserError("compare: schemes are named before --, the one to compare first")
        found[name] = value
    return found


def as_dicts(rows: list[Ratio]) -> list[dict[str, Any]]:
    """For JSON."""
    return [asdict(row) for row in rows]
