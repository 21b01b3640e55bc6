# SPDX-License-Identifier: GPL-2.0-only
"""Figures drawn from tables small enough to say where each mark is."""

from dataclasses import replace
from typing import Any

import matplotlib.colors as colors
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.text import Text

from reproduce import claim_tables, figures, printed
from reproduce.errors import UserError
from reproduce.experiments import Experiment, Profile, load_all
from reproduce.statements import Basis, Claim, Entry, Number, Quantity, Side
from reproduce.styles import styles


def claim(name: str, printed_number: str, load: int | None, **more: Any) -> Claim:
    """A claim that `new` has a number at a load."""
    known = {"quantity": Quantity.VALUE, "scheme": "new", "metric": "fct", "over": None, "unit": ""}
    known |= {key: more.pop(key) for key in list(more) if key in known}
    low, _, high = printed_number.partition(" to ")
    side = Side(known["scheme"], known["metric"], over=known["over"])
    number = Number(known["quantity"], (Entry(side, low, high),), known["unit"])
    scope = {} if load is None else {"load": (load,)}
    return Claim("afq", name, more.pop("sentence", ""), scope, number=number, **more)


CLAIMS = (
    claim("a", "7.0", 1),
    claim("b", "9.0", 1, metric="tail"),
    claim("c", "8.0", 2),
    claim("d", "8.5", 3, scheme="old"),  # not run
    claim("e", "6.0", 1, quantity=Quantity.AT_MOST),
    claim("f", "2.5 to 3", 2, quantity=Quantity.RATIO, scheme="old", over=Side("new")),
)
BAR = {"label": "1", "metric": "fct", "mark": "tail", "at": {"load": 1}}
BARS = {"title": "", "marklabel": "99th percentile", "bars": [BAR]}


@pytest.fixture(autouse=True)
def closed() -> Any:
    """Figures go when a test is over."""
    yield
    plt.close("all")


def inputs(
    labels: dict[str, str] | None = None,
    drawn: dict[str, pd.DataFrame] | None = None,
    claims: tuple[Claim, ...] = CLAIMS,
) -> figures.Inputs:
    """Two schemes at two loads: `old` 10 and 20, `new` 5 and 15; tails are twice that."""
    rows = [
        {"scheme": scheme, "load": load, "metric": metric, "mean": mean, "ci95": ci, "seeds": 2}
        for scheme, load, value in [("old", 1, 10), ("old", 2, 20), ("new", 1, 5), ("new", 2, 15)]
        for metric, mean, ci in [("fct", value, 1.0), ("tail", 2 * value, np.nan)]
    ]
    schemes: dict[str, Any] = {"old": "tcp", "new": "dctcp"}
    experiment = Experiment("one", "A paper", "Title", "fct", schemes, [], {}, labels=labels or {})
    runs = [
        {"scheme": row["scheme"], "load": row["load"], "seed": seed, "fct": row["mean"] * part}
        for row in rows
        if row["metric"] == "fct"
        for seed, part in enumerate((0.9, 1.0, 1.1), 1)
    ]
    return figures.Inputs(experiment, pd.DataFrame(rows), drawn or {}, claims, pd.DataFrame(runs))


def marks(label: str) -> list[tuple[float, float]]:
    """The places of a name's marks in the figure drawn last."""
    handles, labels = plt.gca().get_legend_handles_labels()
    handle = dict(zip(labels, handles, strict=True))[label]
    line = handle if hasattr(handle, "get_xydata") else handle.lines[0]
    return [(float(x), float(y)) for x, y in line.get_xydata()]


def hollow(marker: str = "D") -> list[tuple[float, float]]:
    """The places of hollow marks in the figure drawn last."""
    lines = [one for one in plt.gca().lines if one.get_markerfacecolor() == "white"]
    return [
        (float(x), float(y))
        for one in lines
        if one.get_marker() == marker
        for x, y in np.asarray(one.get_xydata())
    ]


def test_bars_show_what_the_claims_have_as_the_papers_values() -> None:
    figures.bars(BARS, inputs())
    (mean,) = hollow("D")
    (tail,) = hollow("v")
    assert mean[1] == 7 and tail[1] == 9
    new = 0.2  # the middle of its bar, 0.4 wide
    assert new < mean[0] < new + 0.2 and mean[0] == tail[0]
    labels = plt.gca().get_legend_handles_labels()[1]
    assert {"paper", "99th percentile", "paper, 99th percentile"} <= set(labels)


def test_lines_show_what_the_claims_have_as_the_papers_values() -> None:
    figures.lines({"title": "", "x": "load", "y": "fct"}, inputs())
    assert hollow() == [(1, 7), (2, 8)]  # of `old` at 3 there is no run


def test_what_the_paper_prints_of_two_schemes_alike_is_black() -> None:
    alike = (claim("a", "7.0", 1), claim("d", "7.0", 1, scheme="old"), claim("c", "8.0", 2))
    figures.lines({"title": "", "x": "load", "y": "fct"}, inputs(claims=alike))
    colour = {
        line.get_xydata()[0][1]: line.get_color()
        for line in plt.gca().lines
        if line.get_markerfacecolor() == "white" and len(line.get_xydata())
    }
    assert colour == {7: "black", 8: styles(["old", "new"])["new"].colour}


def test_ratios_of_the_paper_stand_at_ratios_of_ours() -> None:
    drawn = pd.DataFrame({"scheme": ["old"], "load": [2], "mean": [1.3], "ci95": [0.1]})
    plot = {"name": "r", "title": "", "x": "load", "y": "fct", "over": "new"}
    figures.lines(plot, inputs(drawn={"r": drawn}))
    assert hollow() == [(0, 2.5), (0, 3)]  # the only place


def test_curves_show_the_claims_that_a_plot_lists() -> None:
    table = {"scheme": ["new"] * 2, "series": [""] * 2, "x": [1, 9], "mean": [0, 1.0], "ci95": 0.1}
    plot = {"name": "c", "title": "", "curve": "round-trip-cdf"}
    mark = {"scheme": "new", "metric": "fct", "at": {"load": 1}, "y": 0.99, "scale": 0.5}
    plot["paper"] = [mark]
    given = inputs(drawn={"c": pd.DataFrame(table)})
    figures.curve(plot, given)
    assert hollow() == [(3.5, 0.99)]
    plot["paper"] = [mark | {"metric": "loss"}]
    with pytest.raises(UserError, match="no claim has a number of loss of new"):
        figures.curve(plot, given)


@pytest.mark.parametrize("longer", [1, 20])
def test_marks_among_failures_follow_the_length_of_a_run(longer: int) -> None:
    series = ["goodput"] * 4 + ["core0 fails", "core0 repaired"]
    times = longer * np.array([0, 1, 2, 3, 2, 3])
    table = pd.DataFrame({"scheme": "new", "series": series, "x": times, "y": 5.0})
    table = pd.concat([table, table.assign(scheme="old")])
    mark = {"scheme": "new", "metric": "fct", "at": {"load": 1}, "x": 0.25}
    plot = {"name": "f", "title": "", "paper": [mark]}
    figure = figures.failures(plot, inputs(drawn={"f": table}))
    plt.sca(figure.axes[0])
    assert hollow() == [(longer, 7)]  # a quarter of four


def test_whiskers_are_intervals_and_second_metrics_are_marks() -> None:
    figures.bars(BARS, inputs())
    whiskers = [c for c in plt.gca().containers if isinstance(c, ErrorbarContainer)]
    ends = [segment for one in whiskers for s in one.lines[2] for segment in s.get_segments()]
    found = sorted((float(low), float(high)) for (_, low), (_, high) in ends)
    assert found == [(4, 6), (9, 11)]  # of the means; tails have no interval here
    filled = [one for one in plt.gca().lines if one.get_marker() == "v" and len(one.get_xdata())]
    tails = [y for one in filled if one.get_markerfacecolor() != "white" for y in one.get_ydata()]
    assert sorted(tails) == [10, 20]


def test_no_experiment_draws_a_second_metric_without_saying_what_it_is() -> None:
    for experiment in load_all():
        for plot in experiment.plots:
            assert "whisker" not in plot["title"], (experiment.id, plot["name"])
            if any("mark" in bar for bar in plot.get("bars", [])):
                assert plot["marklabel"]


def test_an_interval_many_times_the_mean_does_not_set_the_scale() -> None:
    given = inputs()
    given.summary["ci95"] = 1e6
    figures.bars(BARS, given)
    assert plt.gca().get_ylim()[1] < 100


def test_dots_stand_in_the_line_of_their_scheme() -> None:
    figures.dots({"title": "", "y": "fct", "series": "load"}, inputs())
    assert marks("load 1") == [(10, 0), (5, -1)]
    assert marks("load 2") == [(20, 0), (15, -1)]
    given = inputs()
    given.summary["ci95"] = 1e3
    figures.dots({"title": "", "y": "fct", "series": "load"}, given)
    assert plt.gca().get_xlim() == (0, pytest.approx(24))  # of means, not of intervals


def test_lines_and_bars_have_the_styles_of_their_schemes() -> None:
    labels = {"new": "Trinity, max-min", "old": "ElasticSwitch"}
    wanted = styles(labels.values())
    figures.lines({"title": "", "x": "load", "y": "fct"}, inputs(labels))
    for handle, label in zip(*plt.gca().get_legend_handles_labels(), strict=True):
        if label in wanted:
            assert handle.lines[0].get_color() == wanted[label].colour
            assert handle.lines[0].get_marker() == wanted[label].marker
    figures.bars(BARS, inputs(labels))
    drawn = [one for one in plt.gca().containers if isinstance(one, BarContainer)]
    assert len(drawn) == 2
    for one in drawn:
        look = wanted[one.get_label()]
        assert colors.to_hex(one.patches[0].get_facecolor()) == look.colour.lower()
        assert (one.patches[0].get_hatch() or "") == look.hatch


def test_dots_of_one_value_have_the_styles_of_their_schemes() -> None:
    given = inputs({"old": "TCP", "new": "DCTCP"}, claims=())
    one = figures.Inputs(given.experiment, given.summary[given.summary["load"] == 1], {})
    figure = figures.dots({"title": "", "y": "fct", "series": "load"}, one)
    seen = [one.lines[0] for one in plt.gca().containers]
    wanted = styles(["TCP", "DCTCP"]).values()
    assert [(one.get_color(), one.get_marker()) for one in seen] == [
        (look.colour, look.marker) for look in wanted
    ]
    assert not figure.legends


def test_a_bar_that_the_groups_do_not_vary_is_drawn_once() -> None:
    given = inputs(claims=())
    given.experiment.schemes["new"] = {"dctcp": {"Buffer": "{load}"}}
    groups = [BAR, BAR | {"label": "2", "at": {"load": 2}}]
    axes = drawn(BARS | {"kind": "bars", "bars": groups}, given)
    middles = {
        one.get_label(): [round(bar.get_x() + bar.get_width() / 2, 6) for bar in one]
        for one in axes.containers
        if isinstance(one, BarContainer)
    }
    assert middles == {"old": [-0.2], "new": [0.2, 1]}


def test_a_group_that_the_profile_does_not_sweep_is_left_out() -> None:
    absent = BAR | {"label": "3", "at": {"load": 3}}
    axes = drawn(BARS | {"kind": "bars", "bars": [absent, BAR]}, inputs(claims=()))
    assert [name.get_text() for name in axes.get_xticklabels()] == ["1"]
    axes = drawn(BARS | {"kind": "bars", "bars": [absent]}, inputs(claims=()))
    assert [text.get_text() for text in axes.texts] == ["not run in this profile"]


def test_a_bar_too_low_to_be_seen_is_named() -> None:
    given = inputs(claims=())
    given.summary.loc[given.summary["scheme"] == "new", "mean"] = 0.0
    axes = drawn(BARS | {"kind": "bars"}, given)
    (zero,) = [text for text in axes.texts if text.get_text() == "0"]
    assert zero.xy[0] == pytest.approx(0.2)
    given = inputs(claims=())
    given.summary["mean"] *= np.where(given.summary["scheme"] == "new", 0.0084, 1)
    (near,) = drawn(BARS | {"kind": "bars"}, given).texts
    assert near.get_text() == "≈0"
    assert near.xy[1] == pytest.approx(0.0084 * 5 + 1.0)  # above its interval


def test_marks_of_one_place_stand_side_by_side() -> None:
    given = inputs(claims=(CLAIMS[2], claim("x", "8.0", 2, scheme="old")))
    one = replace(given, summary=given.summary[given.summary["load"] == 2])
    axes = drawn(LINES, one)
    assert ticks(axes) == ["2"] and list(axes.get_xticks()) == [0.5]
    assert marks("old") == [(0, 20)] and marks("new") == [(1, 15)]
    assert sorted(hollow()) == [(0, 8), (1, 8)]


def test_lines_that_were_not_measured_are_not_named() -> None:
    given = inputs({"old": "Old"}, claims=())
    rows = given.summary["scheme"] == "new"
    given.summary.loc[rows, "metric"] = "other"
    assert drawn(LINES, given).get_legend_handles_labels()[1] == ["Old"]


def test_of_lines_on_each_other_both_are_seen() -> None:
    def dashes(given: figures.Inputs, **plot: Any) -> list[Any]:
        axes = drawn(LINES | plot, given)
        ours = [one.lines[0] for one in axes.containers if isinstance(one, ErrorbarContainer)]
        assert ours[0].get_linewidth() > ours[1].get_linewidth()
        assert ours[0].get_markersize() > ours[1].get_markersize()
        return [one.get_linestyle() for one in ours]

    assert dashes(inputs(claims=())) == ["-", "-"]
    for plot in ({}, {"ylog": True}):
        given = inputs(claims=())
        new = given.summary["scheme"] == "new"
        given.summary.loc[new, "mean"] = given.summary.loc[~new, "mean"].to_numpy()
        assert dashes(given, **plot) == ["-", "--"]
    axes = drawn(CURVE, inputs(drawn=curve_table(a=[1.0, 2.0])))
    ours = [line for line in axes.lines if line.get_label() in ("old, a", "new, a")]
    assert [line.get_linestyle() for line in ours] == ["-", "--"]
    rising = [*[0.0] * 5, 0.5, *[1.0] * 5]
    later = [*[0.0] * 5, 0.2, *[1.0] * 5]
    table = curve_table(a=rising)["c"]
    table.loc[table["scheme"] == "new", "mean"] = later
    axes = drawn(CURVE | {"curve": "a-cdf"}, inputs(drawn={"c": table}))
    ours = [line for line in axes.lines if line.get_label() in ("old, a", "new, a")]
    assert [line.get_linestyle() for line in ours] == ["-", "-"]


def test_a_dash_is_not_that_of_another_line_of_the_colour() -> None:
    looks = styles(["DCTCP", "TCP New Reno", "New Reno, RTO from 10 ms"]).values()
    rows = [pd.DataFrame({"x": [1, 2], "mean": mean}) for mean in ([1, 2], [1, 2], [9, 9])]
    lines = [figures.Line("", *one) for one in zip(looks, rows, strict=True)]
    dashes = [line.look.dash for line in figures.vary_dashes(lines, {})]
    assert len(set(dashes)) == 3 and dashes[::2] == ["-", "--"]


def curve_table(**series: list[float]) -> dict[str, pd.DataFrame]:
    """A curve of two schemes that has these series over 1, 2, ..."""
    rows = [
        {"scheme": scheme, "series": name, "x": x, "mean": mean, "ci95": 0.0, "seeds": 1}
        for scheme in ("old", "new")
        for name, means in series.items()
        for x, mean in enumerate(means, 1)
    ]
    return {"c": pd.DataFrame(rows)}


CURVE = {"kind": "curve", "name": "c", "curve": "c"}


def test_curves_name_scheme_and_series_and_what_there_is_none_of() -> None:
    given = inputs(drawn=curve_table(links=[1.0, 2.0], cores=[0.0, 0.0]))
    axes = drawn(CURVE | {"ylog": True}, given)
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["old, cores: none", "old, links", "new, cores: none", "new, links"]
    looks = {(line.get_color(), line.get_linestyle()) for line in axes.lines[:4]}
    assert len(looks) == 4


def test_whole_numbers_have_whole_ticks_and_a_line_alone_no_marks() -> None:
    given = inputs(drawn=curve_table(a=[1.0, 2.0, 3.0]))
    axes = drawn(CURVE | {"panels": True}, given)
    assert all(tick % 1 == 0 for tick in axes.get_xticks())
    assert {line.get_marker() for line in axes.lines} <= {"", "None", "_"}
    axes = drawn(CURVE, inputs(drawn=curve_table(a=[1.0] * 50)))
    assert np.diff(axes.get_xticks())[0] in (5, 10)  # not 6 or 8


def test_a_summary_has_the_swept_values_of_the_file(tmp_path: Any) -> None:
    rows = [
        {"scheme": "1", "load": load, "on": on, "seed": 1, "m": 0.1}
        for load in (0.5, 1, 1000000)
        for on in (True, "none")
    ]
    profile = Profile(1, 1.0)
    sweep = {"load": [0.5, 1, 1000000], "on": [True, "none"]}
    experiment = Experiment("one", "", "", "fct", {"1": "tcp"}, [], {"quick": profile}, sweep=sweep)
    pd.DataFrame(rows).to_csv(
        tmp_path / "runs.csv", index=False, float_format=figures.tables.FORMAT
    )
    summary = figures.Inputs.read(experiment, "quick", tmp_path).summary
    assert [list(row)[:3] for row in summary.itertuples(index=False)] == [
        [row["scheme"], row["load"], row["on"]] for row in rows
    ]
    assert summary["ci95"].isna().all()


def theory(printed_number: str = "40", **more: Any) -> Claim:
    """A number that theory gives, and that no plot shows."""
    known = {"kind": "theory", "sentence": "Half of the link", "unit": "Gbps", "scheme": "old"}
    return claim("own", printed_number, None, **known | more)


def multiples(*claims: Claim, shown: tuple[str, ...] = ()) -> list[printed.Row]:
    """The lines of the figure of numbers that no plot shows, at load 2."""
    runs = inputs().runs
    keys = {("afq", name, 0) for name in shown}
    return printed.rows(claims, runs[runs["load"] == 2], True, keys, {"old": "Old"})


def test_numbers_that_no_plot_shows_stand_as_multiples_of_the_papers() -> None:
    ratio, own = multiples(replace(CLAIMS[-1], sentence="Slower"), theory())
    assert ratio.label == "Slower: 2.5\xa0to\xa03" and own.label == "Half of the link: 40\xa0Gbit/s"
    assert (ratio.by, own.by) == ("paper", "theory")
    assert ratio.allowed == pytest.approx((0.75 * 2.5 / 2.75, 1.25 * 3 / 2.75))  # 25 % of a ratio
    assert own.allowed == pytest.approx((0.85, 1.15))
    assert [ratio.low, ratio.high] == pytest.approx([2.5 / 2.75, 3 / 2.75])
    assert [one.verdict for one in (ratio, own)] == ["off", "off"]
    assert ratio.ours[0][0] == pytest.approx(20 / 15 / 2.75)
    assert own.ours[0][:2] == pytest.approx((0.5, 0.5 - 4.303 * 0.05 / 3**0.5), rel=1e-3)
    figures.multiples([ratio, own])
    assert sorted(hollow()) == [pytest.approx(p) for p in [(2.5 / 2.75, 0), (3 / 2.75, 0)]]
    assert hollow("o") == [(1, 1)]  # theory's
    labels = plt.gca().get_legend_handles_labels()[1]
    assert {"ours, off", "counts as within", "paper", "theory"} == set(labels)


@pytest.mark.parametrize(
    "other",
    [
        {"printed_number": "0"},
        {"basis": Basis.BY_CONSTRUCTION},
        {"quantity": Quantity.AT_MOST},
        {"metric": "loss"},
    ],
)
def test_what_is_no_number_to_be_met_is_in_no_figure(other: dict[str, Any]) -> None:
    assert multiples(theory(**other)) == []
    assert multiples(theory(), shown=("own",)) == []


def test_a_chart_has_a_line_for_each_number_that_no_plot_shows() -> None:
    entries = tuple(Entry(Side(one), "20") for one in ("old", "new"))
    chart = Claim("afq", "c", "A chart", number=Number(Quantity.VALUE, entries), metric="fct")
    assert [one.label for one in multiples(chart)] == ["Old, FCT: 20", "new, FCT: 20"]
    assert [one.verdict for one in multiples(chart)] == ["within", "off"]
    runs = inputs().runs
    (left,) = printed.rows([chart], runs[runs["load"] == 2], True, {("afq", "c", 0)}, {})
    assert left.label == "new, FCT: 20"


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("short_p99", ("short flows 99th percentile", "")),
        ("resequencing_mean_all_packets_us", ("re-sequencing mean all packets", "µs")),
        ("A goodput_mean_mbps", ("A goodput mean", "Mbit/s")),
        ("packets", ("packets", "")),
        ("queue_hop1_max_packets", ("queue hop 1 largest", "packets")),
    ],
)
def test_columns_of_tables_are_said_in_words(metric: str, words: tuple[str, str]) -> None:
    assert printed.in_words(metric) == words


def test_a_ratio_has_no_unit_and_a_number_no_exponent() -> None:
    ratio = claim("r", "2.00e4", 2, quantity=Quantity.RATIO, scheme="old", over=Side("new"))
    number = theory("2.00e4", metric="fct", unit="us")
    labels = [one.label for one in multiples(ratio, number)]
    assert labels == [": 20,000", "Half of the link: 20,000\xa0µs"]


def test_an_experiment_has_a_figure_of_numbers_that_its_plots_do_not_show() -> None:
    given = inputs(claims=CLAIMS[:1])
    given.experiment.plots[:] = [BARS | {"name": "bars", "kind": "bars"}]
    assert [name for name, _ in figures.rendered(given)] == ["bars"]
    assert given.shown == {("afq", "a", 0)}
    given = inputs(claims=(CLAIMS[0], CLAIMS[2]))
    given.experiment.plots[:] = [BARS | {"name": "bars", "kind": "bars"}]
    assert [name for name, _ in figures.rendered(given)] == ["bars", "printed"]


def test_what_theory_gives_is_called_so() -> None:
    given = inputs(claims=(replace(CLAIMS[0], kind="theory"),))
    figures.lines({"title": "", "x": "load", "y": "fct"}, given)
    assert (hollow(), hollow("o")) == ([], [(1, 7)])
    assert "paper" not in plt.gca().get_legend_handles_labels()[1]
    assert "theory" in plt.gca().get_legend_handles_labels()[1]


def test_every_mark_of_a_plot_is_a_number_of_a_claim() -> None:
    every = claim_tables.every_claim()
    for experiment in load_all():
        own = tuple(one for one in every if one.experiment == experiment.id)
        given = figures.Inputs(experiment, pd.DataFrame(), {}, own)
        for plot in experiment.plots:
            for mark in plot.get("paper", []):
                given.named(mark)


def test_panels_stand_in_two_columns_if_they_are_many() -> None:
    names = ["a", "b", "c", "d", "e"]
    table = pd.DataFrame({"scheme": names, "series": "", "x": 1.0, "y": 2.0})
    given = inputs(drawn={"s": table})
    given.summary.loc[:, "scheme"] = "a"
    more = [given.summary.assign(scheme=name) for name in names]
    many = figures.Inputs(given.experiment, pd.concat(more), given.drawn)
    figure = figures.samples({"name": "s", "title": "T", "kind": "samples", "curve": "c"}, many)
    seen = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in seen] == names
    assert {axes.get_subplotspec().colspan.start for axes in seen} == {0, 1}
    # The axis is named below the lowest panel of each column.
    assert [axes.get_xlabel() != "" for axes in seen] == [False, False, False, True, True]


def drawn(plot: dict[str, Any], given: figures.Inputs) -> plt.Axes:
    """The axes of a figure as it is written to its file."""
    figure = figures.KINDS[plot["kind"]]({"title": ""} | plot, given)
    figures.finished(figure, given.sample(plot))
    return plt.gca()


LINES = {"kind": "lines", "x": "load", "y": "fct"}


def ticks(axes: plt.Axes) -> list[str]:
    return [one.get_text() for one in axes.get_xticklabels() if one.get_visible()]


def test_an_interval_that_goes_on_beyond_the_axes_has_an_arrow() -> None:
    def arrows(half: Any, **more: Any) -> tuple[set[Any], tuple[float, float]]:
        given = inputs(claims=())
        given.summary["ci95"] = half(given.summary)
        axes = drawn(LINES | {"ylog": True} | more, given)
        lines = [line for line in axes.lines if line.get_marker() in ("^", "v")]
        found = {(line.get_marker(), *np.ravel(line.get_xydata())) for line in lines}
        return found, axes.get_ylim()

    assert arrows(lambda table: 1.0)[0] == set()
    found, (low, high) = arrows(lambda table: np.where(table["load"] == 2, 1e3, 1.0))
    assert found == {("v", 2, low), ("^", 2, high)}
    assert high == pytest.approx(3 * 20)  # of means, not of intervals
    found, (low, _) = arrows(lambda table: table["mean"] - 0.01)
    assert found == {("v", 1, low), ("v", 2, low)}
    assert low == pytest.approx(5 / 3)
    found, (_, high) = arrows(lambda table: 100.0, ylog=False)
    assert found == {("^", 1, high), ("^", 2, high)}  # below 0 is nothing


def test_a_reference_is_in_view_and_a_slope_does_not_stretch_the_axis() -> None:
    bars = BARS | {"kind": "bars", "references": [{"y": 21, "label": "limit"}]}
    assert drawn(bars, inputs(claims=())).get_ylim()[1] > 21
    table = {"scheme": "new", "series": "", "x": [10, 1000], "mean": [20, 30], "ci95": 0.0}
    table["seeds"] = 2
    plot = {"kind": "curve", "name": "c", "curve": "c", "xlog": True, "ylog": True}
    plot["references"] = [{"slope": 0.02, "label": "line"}]
    low, _ = drawn(plot, inputs(drawn={"c": pd.DataFrame(table)})).get_ylim()
    assert low > 6  # the line has 0.2 at 10


def test_bars_of_a_log_axis_begin_at_a_round_number() -> None:
    assert drawn(BARS | {"kind": "bars", "ylog": True}, inputs(claims=())).get_ylim()[0] == 2
    groups = [{"label": "1", "metric": "fct", "at": {"load": 2}}]  # 15 and 20
    low, _ = drawn(BARS | {"kind": "bars", "ylog": True, "bars": groups}, inputs()).get_ylim()
    assert low == 5


def test_a_figure_says_of_how_many_seeds_it_is() -> None:
    def said(**more: Any) -> str:
        given = inputs(drawn=curve_table(a=[1.0]), claims=())
        given.summary.loc[0, "seeds"] = more.pop("seeds", 2)
        experiment = replace(given.experiment, random=more.pop("random", True))
        given = replace(given, experiment=experiment)
        (legend,) = drawn(LINES | more, given).figure.legends
        return legend.get_title().get_text()

    assert said() == "2 seeds, intervals of 95 %"
    assert said(seeds=5) == "2 to 5 seeds, intervals of 95 %"
    assert said(random=False) == "one run"
    assert said(**CURVE) == "one seed"


def test_a_number_that_would_touch_the_next_is_left_out() -> None:
    given = inputs(claims=())
    given.summary["load"] = given.summary["load"].map({1: 1000, 2: 1001})
    far = given.summary.assign(load=2000)
    given = figures.Inputs(given.experiment, pd.concat([given.summary, far]), {})
    axes = drawn(LINES, given)
    assert list(axes.get_xticks()) == [1000, 1001, 2000]
    assert ticks(axes) == ["1,001", "2,000"]


def test_names_of_groups_do_not_touch() -> None:
    def named(*names: str) -> list[Text]:
        groups = [BAR | {"label": name, "at": {"load": 1 + i}} for i, name in enumerate(names)]
        return drawn(BARS | {"kind": "bars", "bars": groups}, inputs(claims=())).get_xticklabels()

    assert [one.get_text() for one in named("a", "b")] == ["a", "b"]
    folded = named("one two " * 7, "one two " * 7)
    assert {one.get_text().count("\n") for one in folded} == {1}
    assert {one.get_rotation() for one in named("A" * 60, "B" * 60)} == {30}


def test_names_of_references_do_not_cover_each_other() -> None:
    near = [{"y": 8, "label": "a limit"}, {"y": 8.1, "label": "another of two lines"}]
    axes = drawn(BARS | {"kind": "bars", "references": near}, inputs())
    axes.figure.draw_without_rendering()
    lower, upper = (text.get_window_extent() for text in axes.texts)
    assert upper.y0 >= lower.y1 - 1


def test_names_of_references_cover_nothing() -> None:
    figure = figures.bars(BARS | {"references": [{"y": 8, "label": "a limit"}]}, inputs())
    figure.canvas.draw()
    (label,) = (text for text in plt.gca().texts if text.get_text() == "a limit")
    assert label.get_window_extent().x0 >= plt.gca().bbox.x1
    assert label.get_window_extent().x1 <= figure.bbox.x1


def test_a_legend_is_read_by_rows_which_are_as_long() -> None:
    names = [f"scheme {i}" for i in range(6)]
    table = pd.DataFrame({"scheme": names, "series": "", "x": 1.0, "mean": 2.0, "ci95": 0.0})
    given = inputs(drawn={"c": table})
    given.summary.loc[:, "scheme"] = names[0]
    rows = [given.summary.assign(scheme=name) for name in names]
    many = figures.Inputs(given.experiment, pd.concat(rows), given.drawn)
    figure = figures.curve({"name": "c", "title": "", "curve": "c"}, many)
    figure.canvas.draw()
    (legend,) = figure.legends
    places = {text.get_text(): text.get_window_extent() for text in legend.get_texts()}
    by_row = sorted(names, key=lambda name: (-round(places[name].y0), places[name].x0))
    assert by_row == names
    assert len({round(place.y0) for place in places.values()}) == 2
    assert len({round(place.x0) for place in places.values()}) == 3


def test_a_group_has_a_reference_of_its_own() -> None:
    groups = [BAR | {"reference": 8}, BAR | {"label": "2", "at": {"load": 2}, "reference": 18}]
    figures.bars(BARS | {"bars": groups, "referencelabel": "guarantee"}, inputs())
    found = [one.get_xydata() for one in plt.gca().lines if one.get_color() == "0.1"]
    assert plt.gca().get_legend_handles_labels()[1].count("guarantee") == 1
    assert [set(one[:, 1]) for one in found] == [{8}, {18}]
    assert [np.round(one[:, 0]).tolist() for one in found] == [[0, 0], [1, 1]]


def test_of_distributions_only_the_rise_is_shown() -> None:
    share = [0, 0, 0, 0.5, 1, 1, 1]
    rows = pd.DataFrame({"scheme": "new", "series": "", "x": range(1, 8), "mean": share, "ci95": 0})
    for claims, seen in (((), (3, 5)), (CLAIMS[:1], (3, 7))):  # the paper's is 7
        plot = {"name": "c", "title": "", "curve": "share-cdf"}
        plot["paper"] = [{"scheme": "new", "metric": "fct", "y": 0.5}] * len(claims)
        figures.curve(plot, inputs(drawn={"c": rows}, claims=claims))
        left, right = plt.gca().get_xlim()
        assert seen[0] - 0.5 < left < seen[0] and seen[1] < right < seen[1] + 0.5


def test_series_of_variants_of_a_scheme_have_dashes_of_their_own() -> None:
    labels = {"old": "C-ElasticSwitch", "new": "A-ElasticSwitch"}
    rows = [
        {"scheme": scheme, "series": series, "x": x, "mean": 1.0, "ci95": 0.1}
        for scheme in labels
        for series in ("A", "B")
        for x in range(9)
    ]
    given = inputs(labels, {"c": pd.DataFrame(rows)})
    figures.curve({"name": "c", "title": "", "curve": "rates"}, given)
    dashes = {str(line._dash_pattern) for line in plt.gca().lines}
    assert len(dashes) == 4


def test_dots_far_from_0_have_an_axis_that_does_not_begin_there() -> None:
    figures.dots({"title": "", "y": "fct", "series": "load"}, inputs())
    assert plt.gca().get_xlim()[0] == 0
    given = inputs(claims=())
    given.summary["mean"] += 100
    figures.dots({"title": "", "y": "fct", "series": "load"}, given)
    assert 90 < plt.gca().get_xlim()[0] < 105


def test_series_of_one_scheme_that_are_schemes_have_their_styles() -> None:
    rows = [
        {"scheme": "new", "series": series, "x": x, "mean": 1.0, "ci95": 0.1}
        for series in ("End-host", "In-network")
        for x in range(9)
    ]
    figures.curve({"name": "c", "title": "", "curve": "r"}, inputs(drawn={"c": pd.DataFrame(rows)}))
    wanted = styles(["End-host", "In-network"])
    for line in plt.gca().lines:
        assert line.get_color() == wanted[str(line.get_label())].colour


def test_of_samples_on_each_other_both_are_seen() -> None:
    rows = [{"scheme": "old", "series": s, "x": x, "y": 1.0} for s in "AB" for x in range(9)]
    given = inputs(drawn={"c": pd.DataFrame(rows)})
    figures.samples({"name": "c", "title": "", "curve": "rates"}, given)
    below, above = (line.get_linewidth() for line in plt.gca().lines)
    assert below > above


def test_values_of_a_series_stand_in_the_order_of_the_experiment() -> None:
    given = inputs()
    given.summary["load"] = given.summary["load"].map({1: "500us", 2: "1ms"})
    given.summary["point"] = 1
    figures.lines({"title": "", "x": "point", "y": "fct", "series": "load"}, given)
    names = plt.gca().get_legend_handles_labels()[1]
    assert list(dict.fromkeys(names)) == ["load 500 µs", "load 1 ms"]


def test_units_are_those_that_people_write() -> None:
    written = {"500us": "500 µs", "1Gbps": "1 Gbit/s", "9 us of 2nd": ""}
    assert {text: printed.as_written(text) for text in written} == {
        text: wanted or text for text, wanted in written.items()
    }


def test_a_ratio_of_two_metrics_of_a_scheme_names_both() -> None:
    sides = [Side(one, "tail_ms", over=Side(one, "fct_ms")) for one in ("old", "new")]
    number = Number(Quantity.RATIO, tuple(Entry(side, "2") for side in sides))
    runs = inputs().runs.assign(tail_ms=4.0, fct_ms=2.0)
    chart = Claim("a", "b", "S", number=number)
    rows = printed.rows([chart], runs[runs["load"] == 2], True, set(), {"old": "TCP"})
    assert [row.label for row in rows] == ["TCP, tail over FCT: 2", "new, tail over FCT: 2"]
