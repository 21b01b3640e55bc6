# SPDX-License-Identifier: GPL-2.0-only
"""The fuzzer itself: it draws what programs take, sees what is wrong, and makes it short."""

import random
import sys
from pathlib import Path

import pytest

from reproduce import fuzz
from reproduce.fuzz import Case, Outcome

FLOWS = "source,destination,bytes,fct_ns,slowdown,finished,lost_bytes\n"
PORTS = "port,role,rate_bps,tx_packets,tx_bytes,queue_packets\n"
GOOD = {
    "run.json": '{"results": {"flows_finished": 1, "utilisation": 1, "goodput_mean_bps": 1000}}',
    "flows.csv": FLOWS + "0,1,1000,500,1,1,0\n",
    "ports.csv": PORTS + "host0:0,host-leaf,1000,10,1500,5\nleaf0:1,leaf-host,1000,5,1200,1\n",
    "links.csv": "port,busy_share,packets,arriving_packets\nhost0:0,1,1,1\nleaf0:1,1,3,0\n",
    "rates.csv": "time_s,group,rate_bps\n0,0,600\n0,1,400\n1,0,0\n1,1,1000\n",
    "pairs.csv": "time_s,destination,measure,rate_bps\n0,0,goodput,600\n0,0,goodput,400\n"
    "0,0,throughput,1100\n0,1,goodput,1000\n",
    "drops.csv": "port,kind,reason,packets,bytes\nleaf0:1,drop,full,2,0\nleaf0:1,mark,ecn,9,0\n",
}


def program(folder: Path, body: str) -> Path:
    """A program that writes the files of a good run, and then does as it is told."""
    path = folder / "fake"
    files = "".join(f"(out / {n!r}).write_text({text!r})\n" for n, text in GOOD.items())
    path.write_text(
        f"#!{sys.executable}\nimport os, sys, pathlib\nout = pathlib.Path('result')\n"
        f"def write():\n    out.mkdir()\n    {files.replace(chr(10), chr(10) + '    ')}\n{body}\n"
    )
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("write()", ""),
        ("sys.exit('fake: --load: no')", ""),
        ("sys.exit('fake: one\\nfake: two')", "2 lines"),
        ("sys.exit(1)", "0 lines"),
        ("sys.exit('no name')", "begin with the program's name"),
        ("write(); sys.exit('fake: late')", "left behind"),
        ("sys.exit(3)", "exit status 3"),
        ("os.kill(os.getpid(), 11)", "signal 11"),
        ("os.kill(os.getpid(), 24)", "no end"),
        ("write(); (out / 'x.csv').write_text('a\\nnan\\n')", "no number"),
        ("write(); print('  info = -nan')", "-nan on the screen"),
        ("write(); print('  info = none, financial = 1')", ""),
        *(
            (f"write(); (out / {file!r}).write_text({GOOD[file]!r}.replace({a!r}, {b!r}))", wrong)
            for file, a, b, wrong in [
                ("run.json", '"utilisation": 1', '"utilisation": 1.0000001', "above 1"),
                ("run.json", '"utilisation": 1', '"x": NaN', "x is nan"),
                ("run.json", '"flows_finished": 1', '"flows_finished": 2', "flows_finished"),
                ("run.json", 'mean_bps": 1000', 'mean_bps": 1001', "mean goodput of 1001"),
                ("rates.csv", "0,1,400", "0,1,401", "goodput of 1001"),
                ("pairs.csv", "0,0,goodput,400", "0,0,goodput,401", "goodput of 1001"),
                ("flows.csv", "500,1,1,0", "500,0.9,1,0", "below 1"),
                ("flows.csv", "500,1,1,0", "500,1,1,9", "lost bytes"),
                ("flows.csv", "500,1,1,0", "0,1,1,0", "no time"),
                ("ports.csv", "1000,5,", "1000,7,", "1 packets came from nowhere"),
                ("ports.csv", "1000,5,", "1000,6,", ""),  # the arriving one is in the switch
                ("ports.csv", "1000,5,", "1000,4,", "2 packets went nowhere"),
                ("ports.csv", "1500", "900", "host 0 finished flows of 1000 bytes and sent"),
                ("ports.csv", "1200", "900", "more bytes than hosts were sent"),
            ]
        ),
    ],
)
def test_what_is_wrong_is_seen(tmp_path: Path, body: str, wrong: str) -> None:
    outcome = fuzz.execute(Case("fake"), program(tmp_path, body))
    assert wrong in outcome.wrong if wrong else not outcome.wrong


@pytest.mark.parametrize(
    ("words", "recorded"),
    [
        (["--load=1"], "--record=links"),
        (["--record="], "--record=links"),
        (["--record=queues;rates:Bin=1ms"], "--record=queues;rates:Bin=1ms;links"),
        (["--record=links", "--load=1"], "--record=links"),
    ],
)
def test_links_are_always_recorded(words: list[str], recorded: str) -> None:
    assert fuzz._recording_links(words)[-1] == recorded
    assert sum(word.startswith("--record") for word in fuzz._recording_links(words)) == 1


def test_command_lines_are_minimised() -> None:
    def run(case: Case) -> Outcome:
        bad = any("B=0" in word and word.startswith("--scheme") for word in case.words)
        return Outcome(0, "", "", "slowdown 0.5, below 1" if bad else "")

    words = (
        "--duration=1ms",
        "--load=1",
        "--scheme=tcp:A=1,B=0,C=2",
        "--flows=3",
        "--topology=x:B=0",
    )
    shortest = fuzz.minimise(Case("fct", words), "slowdown 0.7, below 1", run)
    assert shortest == Case("fct", ("--duration=1ms", "--scheme=tcp:B=0"))  # still soon over
    assert str(Case("fct", ("--a=b c",))) == "fct '--a=b c'"


def test_the_same_seed_draws_the_same() -> None:
    cases = fuzz.draw(30, 7)
    assert cases == fuzz.draw(30, 7)
    assert cases != fuzz.draw(30, 8)
    assert len({case.program for case in cases}) > 5
    schemes = [word for case in cases for word in case.words if word.startswith("--scheme=")]
    assert len({word.split(":")[0] for word in schemes}) > 5


def test_every_run_is_short() -> None:
    for case in fuzz.draw(400, 301):  # of which one had an empty duration
        options = fuzz.programs.describe(case.program).options
        given = {word.partition("=")[0].removeprefix("--") for word in case.words}
        assert given >= set(fuzz.SHORT) & set(options), case


def test_experiment_files_are_changed_in_one_place() -> None:
    tree = {"a": [1, {"b": "c"}], "d": {"e": 1.5}}
    seen = [fuzz.mutate(tree, random.Random(seed)) for seed in range(50)]
    assert tree == {"a": [1, {"b": "c"}], "d": {"e": 1.5}}
    assert sum(changed != tree for changed in seen) > 45


def test_experiment_files_are_read_or_refused(capsys: pytest.CaptureFixture) -> None:
    assert fuzz.run_files(60, 1) == 0, capsys.readouterr().out
