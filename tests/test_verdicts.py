# SPDX-License-Identifier: GPL-2.0-only
"""claims.json: what it says of each claim, and how a changed claim is told."""

import json
import math
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from conftest import EXPERIMENT, Project

from reproduce import build, claim_tables, engine, findings, judging, report, tables, verdicts
from reproduce.errors import UserError
from reproduce.experiments import Experiment, Profile, load_all, load_file
from reproduce.paths import EXPERIMENTS, HOME, RESULTS
from reproduce.runs import expand
from reproduce.statements import (
    Basis,
    Cause,
    Claim,
    Conclusion,
    Entry,
    Number,
    NumberVerdict,
    Order,
    Quantity,
    Replacement,
    Side,
)
from reproduce.verdicts import Tables

ORDER = Order(((Side("new"),), (Side("old"),)))
VALUE = Number(Quantity.VALUE, (Entry(Side("old", "m"), "3"),))
RATIO = Number(Quantity.RATIO, (Entry(Side("old", over=Side("new")), "2"),))


def str_of(experiment: Experiment) -> str:
    """The name of a parametrized test."""
    return experiment.id


def known(**more: object) -> Experiment:
    """An experiment of two schemes at two loads."""
    profiles = {name: Profile(3, 1.0) for name in ("quick", "paper")}
    schemes = {"new": "afq", "old": "tcp"}
    sweep = {"load": [1, 2]}
    return Experiment("one", "A paper", "", "fct", schemes, ["loss"], profiles, sweep=sweep, **more)


def runs(new: list[float], old: list[float]) -> pd.DataFrame:
    """Both loads the same, a value for each seed."""
    rows = [
        {"scheme": scheme, "load": load, "seed": seed, "m": value}
        for scheme, values in (("new", new), ("old", old))
        for load in (1, 2)
        for seed, value in enumerate(values, 1)
    ]
    return pd.DataFrame(rows)


def judged(claim: Claim, quick: pd.DataFrame | None, paper: pd.DataFrame | None = None) -> dict:
    """The line of a claim."""
    given = Tables(Path("nowhere"), {("one", "quick"): quick, ("one", "paper"): paper})
    given.experiments = {"one": known()}
    return json.loads(json.dumps(verdicts.judge(claim, given)))


def about(**more: object) -> Claim:
    """A claim that `new` is below `old`."""
    parts = {"scope": {"load": (1, 2)}, "predicates": (ORDER,), "metric": "m", "experiment": "one"}
    return Claim("afq", "c1", "new is below old", **(parts | more))


def test_a_line_has_all_that_a_verdict_rests_on() -> None:
    row = judged(about(number=RATIO), runs([1, 1.1, 1.2], [3, 3.3, 3.6]))
    assert (row["paper"], row["id"], row["profile"], row["n"]) == ("afq", "c1", "quick", 3)
    assert (row["conclusion"], row["number"], row["factor"]) == ("yes", "off", 1.5)
    assert (row["effect"], row["interval"], row["scale"]) == (3, [3, 3], "ratio")
    assert row["smallest_effect"] == pytest.approx(1.001)
    (comparison,) = row["comparisons"]
    assert comparison["name"] == "new < old"
    assert [point["at"] for point in comparison["points"]] == ["load 1", "load 2"]
    assert [(one["ours"], one["printed"]) for one in row["numbers"]] == [(3, [2])] * 2
    assert row["printed"] == "2"


def test_what_does_not_come_out_has_a_cause_which_is_ours_if_nobody_says_it() -> None:
    against = runs([3, 3.3, 3.6], [1, 1.1, 1.2])
    assert judged(about(), against)["cause"] == "ours"
    assert judged(about(cause=Cause.TESTBED), against)["cause"] == "testbed"
    silent = about(cause=Cause.SILENCE, silent_on="the buffer", sensitivity="two")
    assert judged(silent, against)["on"] == "the buffer"
    row = judged(silent, runs([1, 1, 1], [3, 3, 3]))
    assert (row["cause"], row["on"], row["sensitivity"]) == (None, "", "")
    undecided = runs([1, 2, 3], [3, 1, 2])
    assert judged(about(), undecided)["cause"] is None


def test_a_reason_has_the_numbers_by_which_its_claim_is_judged() -> None:
    claim = about(reason="{{m of old at load=1}}, in short runs {{m of old at load=1 in quick}}")
    quick, paper = runs([3, 3, 3], [1, 1, 1]), runs([6, 6, 6], [2, 2, 2])
    assert judged(claim, quick)["reason"] == "1, in short runs 1"
    assert judged(claim, quick, paper)["reason"] == "2, in short runs 1"
    assert verdicts.not_judged(claim)["reason"] == "(not run), in short runs (not run)"


def test_seeds_that_differ_spoil_no_verdict_by_its_reason() -> None:
    quick = runs([1, 1, 1], [3, 3, 3]).assign(k=1.0)
    quick = quick[(quick["scheme"] == "old") | (quick["seed"] < 3)]
    claim = about(predicates=(), number=VALUE, reason="{{k of old over new at load=1}} times")
    row = judged(claim, quick)
    assert (row["number"], row["reason"]) == ("within", "(not run) times")


def test_an_expectation_of_ours_needs_no_cause() -> None:
    own = Claim("own/afq", "c1", "", {"load": (1, 2)}, (ORDER,), metric="m", experiment="one")
    assert judged(own, runs([3, 3, 3], [1, 1, 1]))["cause"] is None


def test_the_paper_profile_decides_if_it_has_the_seeds() -> None:
    quick, paper = runs([1, 1, 1], [3, 3, 3]), runs([3, 3, 3], [1, 1, 1])
    row = judged(about(), quick, paper)
    assert (row["profile"], row["conclusion"]) == ("paper", "no")
    assert row["beside"]["conclusion"] == "yes"
    row = judged(about(), quick, runs([3, 3], [1, 1]))
    assert (row["profile"], row["conclusion"]) == ("quick", "yes")
    assert row["beside"]["conclusion"] == "undecided"


def test_what_must_fail_is_judged_besides() -> None:
    table = runs([1, 1, 1], [3, 3, 3])
    assert judged(about(must_fail=Replacement("new", Side("old"))), table)["must_fail"] == "no"
    assert judged(about(), table)["must_fail"] is None


def test_a_single_seed_of_what_is_random_has_no_interval() -> None:
    row = judged(about(), runs([1], [3]))
    assert (row["conclusion"], row["interval"], row["smallest_effect"]) == ("undecided", None, None)


def test_differences_are_told_from_ratios() -> None:
    row = judged(about(), runs([0, 0, 0], [1, 1, 1]))
    assert (row["effect"], row["scale"], row["conclusion"]) == (2, "difference", "yes")


def test_a_changed_claim_keeps_the_outcome_that_it_had() -> None:
    was, now = (
        {"hash": name, "conclusion": word, "number": "-"}
        for name, word in (("a", "yes"), ("b", "no"))
    )
    old, new = was | {"before": []}, now | {"before": []}
    changed = verdicts._with_history(new, old)
    assert changed == now | {"before": [was]}
    assert verdicts._with_history(new, changed) == changed
    assert verdicts._with_history(new, None) == new
    again = verdicts._with_history(old, changed)
    assert again["before"] == [now]  # it went there and back: that it did is told
    assert verdicts.rewritten([changed, old]) == [changed]


def test_check_tells_a_changed_claim_until_it_is_judged(finished: Project) -> None:
    project = finished
    assert project.repro("check", "tiny", "--no-build").returncode == 0
    assert project.repro("judge", "--check").returncode == 0
    claims = EXPERIMENT["claims"] | {
        "tiny-c1": EXPERIMENT["claims"]["tiny-c1"] | {"or_equal": True},
        "tiny-c4": EXPERIMENT["claims"]["tiny-c1"],
    }
    del claims["tiny-c3"]
    project.write(EXPERIMENT | {"claims": claims})
    done = project.repro("check", "tiny", "--no-build")
    assert done.returncode == 1
    said = done.stdout.splitlines()[1:]
    assert "tiny-c1 says something else than when it was judged (hash" in said[0]
    assert "tiny-c4 was never judged" in said[1] and "tiny-c3 was judged" in said[2]
    assert project.repro("judge", "--check").returncode == 1
    done = project.repro("judge")
    assert done.returncode == 0
    assert "experiments/tiny: 3 claims; conclusion 2 yes; number 1 off" in done.stdout
    done = project.repro("check", "tiny", "--no-build")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    rows = json.loads((project.home / "results/claims.json").read_text())
    assert [len(row["before"]) for row in rows] == [1, 0, 0]
    report = (project.home / "results/report/README.md").read_text()
    assert "Changed after they were first judged: tiny-c1" in report


@pytest.mark.parametrize("verb", [("judge",), ("judge", "--check")])
def test_a_lost_table_is_named(finished: Project, verb: tuple[str, ...]) -> None:
    before = (finished.home / "results/claims.json").read_text()
    (finished.home / "results/quick/tiny/runs.csv").unlink()
    done = finished.repro(*verb)
    lines = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 1
    missing = "results/quick/tiny/runs.csv is missing: ./repro run tiny makes it"
    assert [line for line in lines if "tiny/" in line] == [
        missing if "--check" in verb else f"./repro: {missing}"
    ]
    assert (finished.home / "results/claims.json").read_text() == before


def test_a_failed_run_leaves_verdicts_and_a_report(project: Project) -> None:
    program = project.home / "build/bin/fake"
    dies = 'if args["scheme"] == "slow" and args["load"] == "0.7" and args["RngRun"] == "2":\n'
    text = program.read_text()
    program.write_text(text.replace("time.sleep(", f"{dies}    sys.exit('odd')\ntime.sleep(", 1))
    done = project.repro("run", "--no-build")
    assert done.returncode == 1
    assert "slow (load 0.7) has no seed 2" in done.stderr and "simulations failed" in done.stderr
    home = project.home / "out/results/unfinished"
    assert (home / "report/README.md").exists()
    assert json.loads((home / "claims.json").read_text())[0]["conclusion"] == "undecided"


def test_what_is_shipped_is_of_an_experiment() -> None:
    ids = {one.id for one in load_all()}
    assert {path.name for path in RESULTS.glob("[qp]*/*")} <= ids


@pytest.mark.slow
def test_verdicts_are_what_the_tables_give() -> None:
    assert verdicts.stale(load_all()) == []


def test_a_yes_whose_null_comes_out_is_counted_apart() -> None:
    table = runs([1, 1, 1], [3, 3, 3])
    null = table[table["scheme"] == "new"].assign(scheme="also", m=2)
    for_both = about(must_fail=Replacement("new", Side("also")))
    rows = [judged(for_both, pd.concat([table, null]))]
    assert (rows[0]["conclusion"], rows[0]["must_fail"]) == ("yes", "yes")
    rows.append(judged(about(must_fail=Replacement("new", Side("old"))), table))
    assert [(c.conclusion, c.claims) for c in report.counts(rows)] == [
        ("yes", 1),
        (report.NULL_TOO, 1),
    ]


def test_the_hash_is_of_what_decides() -> None:
    same, other = about(reason="in other words"), about(scope={"load": (1,)})
    assert judging.fingerprint(same) == judging.fingerprint(about())
    assert judging.fingerprint(other) != judging.fingerprint(about())


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
@pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build: ./repro setup")
@pytest.mark.parametrize("experiment", [one for one in load_all() if not one.random], ids=str_of)
def test_seeds_change_nothing_where_nothing_is_said_to_be_random(experiment: Experiment) -> None:
    every = expand(experiment, "quick", seeds=2)
    first = {run.scheme: run.point for run in reversed(every)}
    runs = [run for run in every if run.point == first[run.scheme]]
    assert [run.seed for run in runs] == [1, 2] * len(first)
    build.build([experiment.scenario])
    assert not engine.execute(runs, 1, None, [])
    table = tables.per_run(experiment, runs).drop(columns=experiment.uncompared)
    by_seed = [table[table["seed"] == seed].drop(columns="seed") for seed in (1, 2)]
    pd.testing.assert_frame_equal(*(one.reset_index(drop=True) for one in by_seed))


def test_the_page_has_the_margins_that_judge() -> None:
    page = " ".join((HOME / "doc/how-a-claim-is-judged.md").read_text().split())
    wanted = {f"a value | {100 * judging.TOLERANCE[Quantity.VALUE]:g} %"}
    wanted |= {f"a ratio | {100 * judging.TOLERANCE[Quantity.RATIO]:g} %"}
    wanted |= {f"a distance of {judging.DISTANCE:.2f} at most", f"at least {judging.FEWEST};"}
    wanted |= {f"within {100 * math.expm1(judging.TIE):.0f} % of none"}
    wanted |= {f"lies within {100 * math.expm1(judging.EQUAL):.0f} % of 1"}
    assert [one for one in wanted if one not in page] == []
    words = {*Conclusion, *NumberVerdict, *Basis, *Cause} - {"off"}
    assert [one for one in words if f"`{one}`" not in page] == []


# Findings


def shown(text: str) -> str:
    """A finding with its numbers."""
    given = Tables(Path("nowhere"), {("one", "quick"): runs([1, 2, 4], [3, 6, 12])})
    given.experiments = {"one": known()}
    return findings.with_numbers(text, given.experiments["one"], given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{m of old at load=1}}", "7"),
        ("{{m of old over new at load=2}} times", "3 times"),
        ("{{m of new over old at load=2 as %}}", "33 %"),
        ("{{m of old over new at load=2 as %}}", "300 %"),
        ("{{m of new over old at load=2 as .3f}}", "0.333"),
        ("{{m of new\n  at load=1 as .3g}}", "2.33"),
        ("{{two words of new at load=1}}", "(not run)"),
        ("{{m of old at load=1 in paper}}", "(not run)"),
        ("{{loss of old at load=1}}", "(not run)"),
        ("{{m of old at load=3}}", "(not run)"),
    ],
)
def test_findings_have_their_numbers_from_tables(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{mean of fast at load=0.7", "{{ without its }}"),
        (81 * "word ", "81 words; allowed: 80"),
        ("{{odd of fast at load=0.7}}", "unknown metric 'odd'"),
    ],
)
def test_findings_that_do_not_end_are_refused(project: Project, text: str, said: str) -> None:
    project.write(EXPERIMENT | {"findings": text})
    done = project.repro("run", "tiny", "--no-build")
    assert (done.returncode, said in done.stderr) == (1, True)


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", '[{"paper": "afq"}]', "[", ""])
def test_damaged_verdicts_are_one_line(tmp_path: Path, text: str) -> None:
    verdicts.path(tmp_path).write_text(text)
    with pytest.raises(UserError, match=r"is damaged: \./repro judge makes it anew"):
        verdicts.read(tmp_path)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "is missing"),
        (b"", "is empty"),
        (b'scheme,seed\nafq,1,2,3\n"', "is damaged: "),
        (b"\xff\xfe\x00", "is damaged: "),
    ],
)
def test_a_table_that_cannot_be_read_says_how_to_make_it(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    experiment = load_file(EXPERIMENTS / "afq-fig8.yaml")
    path = tmp_path / "runs.csv"
    if content is not None:
        path.write_bytes(content)
    for profile, more in (("quick", ""), ("paper", " --profile paper")):
        drawn = partial(tables.read_drawn, {"kind": "curve"})
        for read in (tables.read_runs, drawn):
            with pytest.raises(UserError) as raised:
                read(path, experiment, profile)
            said = str(raised.value)
            assert said.startswith(f"{path} {why}") and "\n" not in said
            assert said.endswith(f": ./repro run afq-fig8{more} makes it")


def test_an_empty_table_is_no_claims_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reproduce.experiments.RESULTS", tmp_path)
    (tmp_path / "quick/afq-fig8").mkdir(parents=True)
    (tmp_path / "quick/afq-fig8/runs.csv").write_text("")
    experiment = load_file(EXPERIMENTS / "afq-fig8.yaml")
    assert claim_tables._Names(experiment).has("short_mean")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{m of odd at load=1}}", "unknown scheme 'odd'; allowed: new, old"),
        ("{{m of old\n  over odd at load=1}}", "unknown scheme 'odd'; allowed: new, old"),
        ("{{m of old at load=3}}", "unknown value of load '3'; allowed: 1, 2"),
        ("{{m of old}}", "does not say load; allowed: 1, 2"),
        ("{{conclusion of c1}}", "unknown scheme 'c1'"),
        ("{{m3 of old at load=1}}", "unknown metric 'm3'"),
        ("{{q_3_us of old at load=1}}", None),
    ],
)
def test_numbers_that_name_nothing_known_are_told(text: str, said: str | None) -> None:
    found = list(findings.mistakes(text, known(), ["m", "q_*_us"]))
    assert [said in one for one in found] == [True] * (said is not None)


def test_every_finding_is_short_and_has_all_its_numbers() -> None:
    given = verdicts.Tables(RESULTS)
    for experiment in load_all():
        assert list(findings.problems(experiment)) == []
        text = findings.with_numbers(experiment.findings, experiment, given)
        assert findings.NOTHING not in text, experiment.id


def test_every_reason_has_all_its_numbers() -> None:
    reasons = {row["id"]: row["reason"] for row in verdicts.read(RESULTS)}
    assert [name for name, one in reasons.items() if "{{" in one or findings.NOTHING in one] == []
