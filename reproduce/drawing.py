# SPDX-License-Identifier: GPL-2.0-only
"""./repro draw: the figures of results from their tables, without a simulation; or are they so?"""

import io
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from PIL import Image

from reproduce import check, engine, figures
from reproduce.errors import UserError
from reproduce.experiments import Experiment, select
from reproduce.files import replacing
from reproduce.paths import HOME, show

# Of 255: what another processor may round otherwise. A line that moves, or has another colour,
# differs by more.
TOLERANCE = 24


def with_results(ids: list[str], profile: str) -> list[Experiment]:
    """The named experiments, or all that have results in a profile."""
    if not ids:
        every = select([], every=True)
        return [one for one in every if (_folder(one, profile) / "runs.csv").exists()]
    experiments = select(ids)
    for one in experiments:
        if not (_folder(one, profile) / "runs.csv").exists():
            again = f"./repro run {one.id} --profile {profile}"
            raise UserError(f"{one.id} has no results in the profile {profile}: {again}")
    return experiments


def _folder(experiment: Experiment, profile: str) -> Path:
    return experiment.home / profile / experiment.id


def draw(ids: list[str], profile: str, form: str, out: Path | None) -> list[Path]:
    """Draws figures beside their tables, or into a folder per experiment."""
    names = [experiment.id for experiment in with_results(ids, profile)]
    with ProcessPoolExecutor(engine.default_jobs()) as pool:
        same = ([value] * len(names) for value in (profile, form, out))
        return [file for files in pool.map(_draw, names, *same) for file in files]


def _draw(name: str, profile: str, form: str, out: Path | None) -> list[Path]:
    (experiment,) = select([name])
    folder = _folder(experiment, profile)
    target = out / name if out else folder
    target.mkdir(parents=True, exist_ok=True)
    return figures.draw_all(_inputs(experiment, profile), target, form)


def _inputs(experiment: Experiment, profile: str) -> figures.Inputs:
    """The tables of an experiment; raises UserError if a shipped one's runs are not all there."""
    folder = _folder(experiment, profile)
    inputs = figures.Inputs.read(experiment, profile, folder)
    if not experiment.own:  # a user's may be of some schemes or seeds
        check.refuse_strange_rows(experiment, profile, inputs.runs, folder / "runs.csv")
    return inputs


def outdated(profile: str) -> list[str]:
    """The experiments of which a figure is missing or older than a table."""
    return [one.id for one in with_results([], profile) if not _is_drawn(one, profile)]


def _is_drawn(experiment: Experiment, profile: str) -> bool:
    folder = _folder(experiment, profile)
    pictures = [folder / f"{plot['name']}.png" for plot in experiment.plots]
    if not all(picture.exists() for picture in pictures):
        return False
    latest = max(table.stat().st_mtime for table in folder.glob("*.csv"))
    return all(picture.stat().st_mtime >= latest for picture in pictures)


def default_folder(profile: str, form: str) -> Path | None:
    """The folder of figures: beside their tables for those that are shipped, out/ for others."""
    return None if form == "png" else HOME / "out" / "figures" / profile


def problems(ids: list[str], profile: str) -> list[str]:
    """Figures that are there but not what is drawn from their tables, a line each.

    All are drawn; those that were not there are afterwards.
    """
    names = [experiment.id for experiment in with_results(ids, profile)]
    with ProcessPoolExecutor(engine.default_jobs()) as pool:
        found = pool.map(_problems, names, [profile] * len(names))
        return [problem for some in found for problem in some]


def _problems(name: str, profile: str) -> list[str]:
    (experiment,) = select([name])
    folder = _folder(experiment, profile)
    try:
        inputs = _inputs(experiment, profile)
        wanted = dict(figures.rendered(inputs))
    except UserError as error:
        return [str(error)]
    again = f"./repro draw {name}" + (f" --profile {profile}" if profile != "quick" else "")
    found = []
    for plot, image in wanted.items():
        path = folder / f"{plot}.png"
        if not path.exists():
            with replacing(path) as part:
                part.write_bytes(image)
        elif not same_image(path, image):
            found.append(f"{show(path)} is not what its tables give: {again}")
    known = [f"{plot}.png" for plot in wanted]
    known += [f"{table}.csv" for table in ("runs", *inputs.drawn)]
    unknown = [path for path in sorted(folder.glob("*.*")) if path.name not in known]
    return found + [f"{show(path)} is of no plot of {name}: remove it" for path in unknown]


def same_image(path: Path, image: bytes) -> bool:
    """True if a file shows the same as an image."""
    stored = path.read_bytes()
    if stored == image:
        return True
    ours, theirs = (
        np.asarray(Image.open(io.BytesIO(one)).convert("RGB")) for one in (image, stored)
    )
    if ours.shape != theirs.shape:
        return False
    return int(np.abs(ours.astype(int) - theirs.astype(int)).max()) <= TOLERANCE
