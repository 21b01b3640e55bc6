# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the documents' site that are drawn from data, headers and programs."""

import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT
from PIL import Image

from reproduce import build, illustrations
from reproduce.errors import UserError

FIGURE = re.compile(r"^\.\. figure:: (\S+)$", re.M)
BUILT = build.program("incast").exists()


def test_every_module_has_a_figure_and_each_is_there_or_drawn() -> None:
    for room in (path.parent for path in ROOT.glob("src/*/CMakeLists.txt")):
        pages = sorted(room.glob("doc/*.rst"))
        shown = [page.parent / name for page in pages for name in FIGURE.findall(page.read_text())]
        assert shown, f"no page of {room.name} has a figure"
        for path in shown:
            drawn = path.parent.resolve() == ROOT / "doc" / "reference" / "figures"
            assert path.stem in illustrations.ILLUSTRATIONS if drawn else path.exists(), path


@pytest.mark.skipif(not BUILT, reason="needs the build")
def test_all_are_drawn(tmp_path: Path) -> None:
    illustrations.draw(tmp_path / "figures")
    drawn = {path.stem: Image.open(path) for path in (tmp_path / "figures").glob("*.png")}
    assert set(drawn) == set(illustrations.ILLUSTRATIONS)
    assert all(len(image.convert("L").getcolors()) > 2 for image in drawn.values())


def test_shares_of_flows_and_of_bytes() -> None:
    steps = pd.DataFrame({"bytes": [100, 900, 900], "probability": [0.5, 0.5, 1]})
    found = illustrations.shares(steps)
    at = found[found["bytes"].between(101, 899)]
    assert set(at["flows"]) == {0.5}
    assert at["volume"].to_numpy() == pytest.approx(0.1)
    even = illustrations.shares(pd.DataFrame({"bytes": [0, 1000], "probability": [0, 1]}))
    assert even["flows"].to_numpy() == pytest.approx(even["bytes"] / 1000)
    assert even["volume"].to_numpy() == pytest.approx((even["bytes"] / 1000) ** 2)


def test_the_wheel_is_as_its_header_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = illustrations.WHEEL.read_text()
    changed = tmp_path / "timing-wheel.h"
    changed.write_text(text.replace(" BUCKETS = 4096;", " BUCKETS = 2048;"))
    before = illustrations.wheel_numbers()
    monkeypatch.setattr(illustrations, "WHEEL", changed)
    assert illustrations.wheel_numbers() == (2048, *before[1:])
    changed.write_text(text.replace("NanoSeconds(4)", "Step()"))
    with pytest.raises(UserError, match=r"timing-wheel\.h no longer has"):
        illustrations.wheel_numbers()


@pytest.mark.skipif(not BUILT, reason="needs the build")
def test_the_misspelt_specification_is_refused_in_one_line() -> None:
    assert re.fullmatch(
        r"incast: --topology = '.*Leafs.*': .*only .*Leaves.*", illustrations.refusal()
    )
