# SPDX-License-Identifier: GPL-2.0-only
"""Pictures of single runs: those whose tables are there, with the numbers of the tables."""

import itertools
import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import Project

from reproduce import figures, pictures
from reproduce.errors import UserError
from reproduce.styles import styles

TABLES = {
    "flows": "bytes,fct_ns,finished\n1000,2000,1\n1000,1000,1\n50000,9000,1\n50000,,0\n",
    "queues": "time_s,port,bytes,packets\n0,a,0,0\n0,b,3000,2\n0.001,a,1500,1\n0.001,b,6000,4\n",
    "rates": "time_s,group,rate_bps\n" + "".join(f"0,{g},{g + 1}e9\n" for g in range(10)),
    "flow-states": "time_s,flow,subflow,window_bytes,rtt_s,rate_bps,alpha\n"
    "0,1,0,1000,,,1\n0.001,1,0,2000,3e-6,,0.5\n0.001,2,0,5000,,,\n",
    "ports": "port,role,rate_bps,tx_bytes\nh:0,host-leaf,8000,500\nl:0,leaf-host,8000,250\n",
}


def run(folder: Path, scheme: str, *tables: str) -> Path:
    """The folder of a run that wrote some tables."""
    folder.mkdir()
    manifest = {"scheme": scheme, "simulated_s": 1.0}
    (folder / "run.json").write_text(json.dumps(manifest))
    for table in tables:
        (folder / f"{table}.csv").write_text(TABLES[table])
    return folder


@pytest.mark.parametrize("kind", figures.FORMATS)
def test_every_picture_that_has_a_table_is_drawn(tmp_path: Path, kind: str) -> None:
    one = run(tmp_path / "one", "afq", *TABLES)
    other = run(tmp_path / "other", "tcp", "flows")
    files = pictures.draw([one, other], tmp_path / "out", kind)
    names = ["fct-cdf", "fct-by-size", "queues", "rates", "flow-states", "links"]
    assert [path.name for path in files] == [f"{name}.{kind}" for name in names]
    assert all(path.stat().st_size > 1000 for path in files)
    only = pictures.draw([other], tmp_path / "only", kind)
    assert [path.stem for path in only] == names[:2]


def test_pictures_show_the_numbers(tmp_path: Path) -> None:
    shown = pictures.load([run(tmp_path / "one", "afq", *TABLES)])
    (cdf,) = pictures.fct_cdf(shown).axes[0].lines
    assert list(cdf.get_xdata()) == [1, 2, 9]
    assert list(cdf.get_ydata()) == [0.25, 0.5, 0.75]  # one flow did not finish
    longest, mean = pictures.queues(shown).axes[0].lines
    assert list(longest.get_ydata()) == [3, 6]
    assert list(mean.get_ydata()) == [1.5, 3.75]
    panel = pictures.rates(shown).axes[0]
    assert len(panel.lines) == pictures.MOST_LINES
    assert "2 smaller groups not shown" in panel.get_title(loc="left")
    windows, times, alphas = pictures.flow_states(shown).axes
    assert windows.get_ylabel() == "window in kB" and "rate" not in times.get_ylabel()
    assert [list(line.get_ydata()) for line in windows.lines] == [[1, 2], [5]]
    assert list(times.lines[0].get_ydata())[1] == pytest.approx(3)
    assert list(alphas.lines[0].get_ydata()) == [1, 0.5]
    shares = [line.get_ydata() for line in pictures.links(shown).axes[0].lines]
    assert np.allclose(shares, [[0.5], [0.25]])
    links = shown[0].output.folder / "links.csv"
    links.write_text("port,busy_share\nh:0,0.75\nl:0,1\n")
    shares = [line.get_ydata() for line in pictures.links(shown).axes[0].lines]
    assert np.allclose(shares, [[0.75], [1]])
    plt.close("all")


def test_little_is_seen_and_named(tmp_path: Path) -> None:
    """A single bin of rates, times that differ little on a logarithmic axis, long names."""
    folder = run(tmp_path / "one", "afq", *TABLES)
    (folder / "rates.csv").write_text("time_s,group,rate_bps\n0,0,5e9\n")
    (folder / "flows.csv").write_text("bytes,fct_ns,finished\n1,1050000,1\n1,1250000,1\n")
    shown = pictures.load([folder])
    (line,) = pictures.rates(shown).axes[0].lines
    assert line.get_marker() == "o"
    figure = pictures.fct_cdf(shown)
    figure.canvas.draw()
    ticks = figure.axes[0].get_xticklabels(which="both")
    boxes = [one.get_window_extent() for one in ticks if one.get_text()]
    assert len(boxes) > 2
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))
    names = [one.get_text() for one in pictures.links(shown).axes[0].get_xticklabels()]
    assert names == ["host-\nleaf", "leaf-\nhost"]
    plt.close("all")


def test_runs_are_called_by_what_tells_them_apart(tmp_path: Path) -> None:
    a, b = (run(tmp_path / name, "afq", "flows") for name in "ab")
    c = run(tmp_path / "c", "tcp:" + 50 * "x", "flows")
    assert [one.label for one in pictures.load([a])] == ["afq"]
    assert [one.label[-1] for one in pictures.load([a, b])] == ["a", "b"]
    labels = [one.label for one in pictures.load([a, c])]
    assert labels[0] == "afq" and len(labels[1]) == 40 and labels[1].endswith("...")


def test_what_is_no_run_is_refused(tmp_path: Path, project: Project) -> None:
    with pytest.raises(UserError, match=r"nix has no run\.json; allowed: folders"):
        pictures.load([tmp_path / "nix"])
    with pytest.raises(UserError, match="nothing to draw"):
        pictures.draw([run(tmp_path / "empty", "afq")], tmp_path / "out")
    odd = run(tmp_path / "odd", "afq")
    (odd / "run.json").write_text("{}")
    with pytest.raises(UserError, match="not of a finished scenario"):
        pictures.load([odd])
    for words, said in [
        (("plot", "nix"), "nix has no run.json"),
        (("sim", "--plot", "fake"), "--plot needs --out=FOLDER"),
    ]:
        done = project.repro(*words)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1 and said in done.stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.json", b""),
        ("run.json", b"\xff{"),
        ("run.json", b"{"),
        ("queues.csv", b"a,\xff\n1,2\n"),
        ("queues.csv", b"time_s,port\n0,a\n"),
    ],
)
def test_damaged_files_of_a_run_are_named(tmp_path: Path, name: str, content: bytes) -> None:
    folder = run(tmp_path / "one", "afq", "queues", "ports")
    (folder / name).write_bytes(content)
    with pytest.raises(UserError, match=rf"{name}( is damaged)?: "):
        pictures.draw([folder], tmp_path / "out")


def test_a_table_of_another_size_is_not_drawn(tmp_path: Path) -> None:
    folder = run(tmp_path / "one", "afq", "queues")
    table = folder / "queues.csv"
    manifest = json.loads((folder / "run.json").read_text())
    manifest["output"] = {"queues.csv": table.stat().st_size}
    (folder / "run.json").write_text(json.dumps(manifest))
    pictures.draw([folder], tmp_path / "out")
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(UserError, match=r"queues\.csv was changed: the run wrote [0-9,]+ bytes"):
        pictures.draw([folder], tmp_path / "out")


def test_pictures_leave_the_checksums_of_a_sweeps_run(tmp_path: Path) -> None:
    folder = run(tmp_path / "one", "afq", "flows")
    before = (folder / "run.json").read_bytes()
    (folder / "run.key").touch()
    pictures.draw([folder], folder)
    assert (folder / "run.json").read_bytes() == before
    (folder / "run.key").unlink()
    pictures.draw([folder], folder)
    assert b"fct-cdf.png" in (folder / "run.json").read_bytes()


def test_a_scheme_has_the_colour_that_it_has_in_figures(tmp_path: Path) -> None:
    runs = [run(tmp_path / name, name, "flows") for name in ("tcp", "afq")]
    for one, label in zip(pictures.load(runs), ("TCP", "AFQ"), strict=True):
        assert one.look == styles([label])[label]
