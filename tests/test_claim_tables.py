# SPDX-License-Identifier: GPL-2.0-only
"""Tables of claims: their form, what is wrong in them, and what is left to write."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from reproduce import cli
from reproduce.claim_tables import ClaimTable, catalogue_ids, load_tables, progress
from reproduce.errors import UserError
from reproduce.experiments import load_file
from reproduce.paths import CLAIMS, EXPERIMENTS
from reproduce.statements import (
    AboutEqual,
    Across,
    Bound,
    Cause,
    Claim,
    Entry,
    Number,
    Order,
    Quantity,
    Replacement,
    Side,
    Trend,
)

COMMON = """\
    sentence: Something is so
    source: Sec. 6
    experiment: afq-fig8
"""
AT = "    at: {load: [0.3, 0.9]}\n"
MEAN = "    metric: short_mean\n"


def load(folder: Path, claims: str, own: bool = False) -> ClaimTable:
    """A table of claims about an experiment of AFQ's."""
    path = folder / ("own" if own else "") / "afq.yaml"
    path.parent.mkdir(exist_ok=True)
    paper = load_file(EXPERIMENTS / "afq-fig8.yaml").paper
    path.write_text(f"paper: '{paper}'\nclaims:\n{claims}")
    return ClaimTable.load(path)


def claim(folder: Path, lines: str, common: str = COMMON + AT + MEAN) -> Claim:
    """A claim with some lines of its own."""
    (found,) = load(folder, f"  c1:\n{common}{lines}").claims
    return found


def problems(folder: Path, lines: str, common: str = COMMON + AT + MEAN) -> str:
    """The mistakes in a claim."""
    with pytest.raises(UserError) as error:
        claim(folder, lines, common)
    return str(error.value)


def test_every_table_can_be_read() -> None:
    assert {"afq", "drb", "mufab", "nimble", "trinity"} <= {one.name for one in load_tables()}


def test_a_claim_in_two_tables_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path, f"  c1:\n{COMMON}{AT}{MEAN}    order: [afq, tcp]\n")
    (tmp_path / "drb.yaml").write_text((tmp_path / "afq.yaml").read_text())
    monkeypatch.setattr("reproduce.claim_tables.CLAIMS", tmp_path)
    with pytest.raises(UserError, match=r"drb\.yaml: c1 stands in \S*afq\.yaml, too$"):
        load_tables()


def test_an_order(tmp_path: Path) -> None:
    found = claim(tmp_path, "    order: [[afq, ideal-fq], tcp]\n    or_equal: true\n")
    (order,) = found.predicates
    mean = "short_mean"
    steps = (Side("afq", mean), Side("ideal-fq", mean)), (Side("tcp", mean),)
    assert order == Order(steps, or_equal=True)
    assert found.scope == {"load": (0.3, 0.9)}
    assert found.sources == ("Sec. 6",)


def test_what_is_said_of_several_schemes(tmp_path: Path) -> None:
    lines = "    scheme: [afq, sfq]\n    over: ideal-fq\n    at_most: 1.5\n    across: every\n"
    sides = [Side(one, "short_mean", over=Side("ideal-fq")) for one in ("afq", "sfq")]
    bounds = tuple(Bound(side, at_most=1.5, across=Across.EVERY) for side in sides)
    assert claim(tmp_path, lines).predicates == bounds


def test_a_trend_and_parts(tmp_path: Path) -> None:
    lines = """\
    parts:
      - {scheme: sfq, over: ideal-fq, rises: {load: [0.3, 0.9]}}
      - {equal: [afq, {scheme: ideal-fq, metric: all_mean}]}
"""
    side = Side("sfq", "short_mean", over=Side("ideal-fq"))
    trend = Trend(side, {"load": 0.3}, {"load": 0.9})
    equal = AboutEqual((Side("afq", "short_mean"), Side("ideal-fq", "all_mean")))
    assert claim(tmp_path, lines).predicates == (trend, equal)


def test_a_number_keeps_its_last_digit(tmp_path: Path) -> None:
    found = claim(tmp_path, "    scheme: afq\n    number: {value: 1.50}\n").number
    assert found == Number(Quantity.VALUE, (Entry(Side("afq", "short_mean"), "1.50"),))


def test_a_range_of_a_ratio(tmp_path: Path) -> None:
    number = "    number: {ratio: 2 to 4.0, scheme: dctcp, over: ideal-fq}\n"
    side = Side("dctcp", "short_mean", over=Side("ideal-fq"))
    found = claim(tmp_path, "    order: [dctcp, tcp]\n" + number).number
    assert found == Number(Quantity.RATIO, (Entry(side, "2", "4.0"),))


def test_a_chart(tmp_path: Path) -> None:
    lines = """\
    number:
      value:
        afq: {short_mean: 1.10, short_p99: 7}
        tcp: {short_mean: 3, short_p99: 9.0}
      by: [scheme, metric]
      unit: x
"""
    found = claim(tmp_path, lines, COMMON + AT).number
    entries = [
        ("afq", "short_mean", "1.10"),
        ("afq", "short_p99", "7"),
        ("tcp", "short_mean", "3"),
        ("tcp", "short_p99", "9.0"),
    ]
    sides = tuple(Entry(Side(scheme, metric), text) for scheme, metric, text in entries)
    assert found == Number(Quantity.VALUE, sides, "x")


def test_a_chart_over_a_swept_argument(tmp_path: Path) -> None:
    lines = "    scheme: tcp\n    number: {ratio: {0.3: {afq: 2}}, by: [load, over]}\n"
    side = Side("tcp", "short_mean", {"load": 0.3}, Side("afq"))
    assert claim(tmp_path, lines, COMMON + MEAN).number == Number(
        Quantity.RATIO, (Entry(side, "2"),)
    )


def test_a_part_at_a_place_of_its_own(tmp_path: Path) -> None:
    lines = """\
    parts:
      - {at: {load: 0.3}, order: [afq, tcp]}
      - {at: {load: 0.9}, scheme: afq, at_most: 3}
"""
    found = claim(tmp_path, lines, COMMON + MEAN)
    place, mean = {"load": 0.3}, "short_mean"
    order = Order(((Side("afq", mean, place),), (Side("tcp", mean, place),)))
    assert found.predicates == (order, Bound(Side("afq", mean, {"load": 0.9}), at_most=3))
    assert found.points == [{}]


def test_the_examples_of_the_page_are_claims_of_the_tables() -> None:
    examples = re.findall(r"```yaml\n(.*?)```", (CLAIMS / "README.md").read_text(), re.DOTALL)
    tables = [path.read_text() for path in CLAIMS.glob("*.yaml")]
    assert len(examples) == 3
    assert [one for one in examples if not any(one in table for table in tables)] == []


def test_a_cause_and_what_must_fail(tmp_path: Path) -> None:
    lines = """\
    order: [afq, tcp]
    must_fail: {afq: {at: {load: 0.5}}}
    cause: paper silent
    on: the buffers
    sensitivity: afq-hosts
"""
    found = claim(tmp_path, lines)
    assert found.must_fail == Replacement("afq", Side(at={"load": 0.5}))
    assert (found.cause, found.silent_on) == (Cause.SILENCE, "the buffers")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("    order: [afq, tpc]\n", "yaml:9: c1: unknown scheme 'tpc'"),
        ("    order: [afq, tpc]\n", "(did you mean 'tcp'?)"),
        ("    order: [afq, {scheme: tcp, metric: short_men}]\n", "unknown metric 'short_men'"),
        ("    order: [afq, {scheme: tcp, at: {lod: 1}}]\n", "unknown swept argument 'lod'"),
        ("    order: [afq, {scheme: tcp, at: {load: 0.4}}]\n", "unknown value of load '0.4'"),
        ("    at_most: 2\n", "c1: names no scheme"),
        ("", "c1: nothing to judge by"),
        ("    order: [afq, tcp]\n    equal: [afq, tcp]\n", "c1: says order, equal; allowed: one"),
        ("    equal: [afq, tcp]\n    across: every\n", "across says nothing of equal"),
        ("    scheme: afq\n    at_most: 2\n    or_equal: true\n", "or_equal says nothing"),
        ("    order: [afq, tcp]\n    odrer: []\n", "odrer: unknown key; allowed: sentence, source"),
        ("    scheme: afq\n    number: {value: 2 - 4}\n", "'2 - 4' is no number"),
        ("    scheme: afq\n    number: {value: 1.2.3}\n", "'1.2.3' is no number"),
        ("    scheme: afq\n    number: {value: 2 us, unit: ms}\n", "has the units ms, us"),
        ("    scheme: afq\n    number: {value: 2, ratio: 2}\n", "has value, ratio; allowed: one"),
        ("    number: {value: {afq: 2}, by: [scheme, metric]}\n", "a mapping by metric is wanted"),
        ("    order: [afq, tcp]\n    must_fail: {sfq: tcp}\n", "unknown scheme of the sentence"),
        ("    order: [afq, tcp]\n    cause: paper silent\n", "needs on and sensitivity"),
        ("    order: [afq, tcp]\n    reason: '{{short_mean of'\n", "reason: a {{ without its }}"),
        ("    order: [afq, tcp]\n    reason: '{{short_mean of tpc}}'\n", "unknown scheme 'tpc'"),
        (
            "    order: [afq, tcp]\n    reason: '{{odd of tcp at load=0.3}}'\n",
            "unknown metric 'odd'",
        ),
        (f"    order: [afq, tcp]\n    reason: {81 * 'word '}\n", "reason: 81 words; allowed: 80"),
        (
            "    basis: not testable\n    reason: '{{m of tcp}}'\n",
            "asks for numbers of what is not",
        ),
        ("    order: [afq, tcp]\n    cause: luck\n", "'luck' is not allowed; allowed: paper"),
        ("    order: [afq, tcp]\n    kind: theory\n", "has a kind; allowed in claims/own alone"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, lines: str, expected: str) -> None:
    assert expected in problems(tmp_path, lines)


def test_a_point_with_several_runs_is_refused(tmp_path: Path) -> None:
    said = problems(tmp_path, "    order: [afq, tcp]\n", COMMON + MEAN)
    assert "at does not say load; allowed: 0.1, 0.3, 0.5, 0.7, 0.9" in said


def test_an_experiment_that_does_not_exist_or_is_of_another_paper(tmp_path: Path) -> None:
    for name, expected in (("afq-fig88", "did you mean 'afq-fig8'"), ("drb-fig3", "another paper")):
        common = (COMMON + AT + MEAN).replace("afq-fig8", name)
        assert expected in problems(tmp_path, "    order: [afq, tcp]\n", common)


def test_what_is_not_a_papers_has_a_kind(tmp_path: Path) -> None:
    lines = f"  s1:\n{COMMON}{AT}{MEAN}    order: [afq, tcp]\n"
    with pytest.raises(UserError, match="needs a kind"):
        load(tmp_path, lines, own=True)
    assert load(tmp_path, lines + "    kind: sensitivity\n", own=True).own


def test_progress_shows_decisions_and_ids_but_no_verdict(tmp_path: Path) -> None:
    lines = COMMON + AT + MEAN + "    order: [afq, tcp]  # decide: is it so?\n"
    table = load(tmp_path, f"  fig1-c1-tail:\n{lines}    also: [fig1-c2]\n  new-c1:\n{lines}")
    catalogue = tmp_path / "catalogue.yaml"
    claims = "[{id: fig1-c1}, {id: fig1-c2}, {id: fig1-c3}]"
    catalogue.write_text(f"experiments: [{{claims: {claims}}}, {{id: none}}]\n")
    said = "\n".join(progress(table, catalogue_ids(catalogue)))
    assert said.splitlines()[0].endswith("afq.yaml: 2 claims, 2 decisions open")
    assert "afq.yaml:9: fig1-c1-tail: decide: is it so?" in said
    assert "without a claim (1): fig1-c3" in said
    assert "without an id of the catalogue (1): new-c1" in said
    assert "sentences without must_fail (2)" in said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("    order: [afq, afq]\n", "c1: afq is compared with itself"),
        ("    equal: [afq, afq]\n", "c1: afq is compared with itself"),
        ("    scheme: afq\n    at_most: 1\n    at_least: 5\n", "at_least 5 is above at_most 1"),
        ("    order: [afq, tcp]\n    alone: [{load: 0.5}]\n", "no point of the scope has load 0.5"),
        ("    order: [afq, tcp]\n    must_fail: {afq: afq}\n", "changes nothing of the sentence"),
        ("    order: [afq, {schem: tcp}]\n", "unknown key; allowed: scheme, metric, at, over"),
        ("    order: [afq]\n", "has 1 items; allowed: at least 2"),
        (
            "    across: every\n    parts: [{order: [afq, tcp]}, {order: [afq, sfq]}]\n",
            "across stands",
        ),
    ],
)
def test_what_could_only_come_out_in_one_way_is_refused(
    tmp_path: Path, lines: str, said: str
) -> None:
    assert said in problems(tmp_path, lines)


def test_a_null_at_what_rises_is_refused(tmp_path: Path) -> None:
    lines = """\
    scheme: tcp
    rises: {load: [0.3, 0.9]}
    must_fail: {tcp: {at: {load: 0.9}}}
"""
    said = problems(tmp_path, lines, COMMON + MEAN)
    assert "load is what rises or falls; allowed: another argument" in said


def test_files_of_other_editors_are_read(tmp_path: Path) -> None:
    source = next(CLAIMS.glob("*.yaml"))
    copy = tmp_path / source.name
    text = source.read_text()
    copy.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    one, other = ClaimTable.load(copy), ClaimTable.load(source)
    assert (one.claims, one.open) == (other.claims, other.open)


def test_an_unknown_table_is_one_line(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["claims", "nobody"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("./repro: unknown table of claims 'nobody'; allowed: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.write_bytes(b"\xff\xfe")])
def test_what_is_no_text_is_one_line(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "afq.yaml"
    make(path)
    with pytest.raises(UserError, match="allowed: YAML in UTF-8"):
        ClaimTable.load(path)


def test_each_paper_is_on_the_front_page() -> None:
    papers = [table for table in load_tables() if not table.own]
    assert [table.name for table in papers if table.summary is None] == []
    for table in papers:
        measured = {claim.id: claim for claim in table.claims}
        assert all(measured[name].experiment for name in table.summary.claims)


def test_a_summary_names_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "afq.yaml"
    text = (CLAIMS / "afq.yaml").read_text()
    text = text.replace("    - afq-fig8-c3\n", "    - afq-fig8-c33\n", 1)
    path.write_text(text.replace("    plot: mean-short\n", "    plot: mean-shirt\n", 1))
    with pytest.raises(UserError) as error:
        ClaimTable.load(path)
    assert "unknown claim 'afq-fig8-c33'" in str(error.value)
    assert "unknown plot 'mean-shirt'; allowed: mean-all, mean-short" in str(error.value)
