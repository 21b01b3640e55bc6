# SPDX-License-Identifier: GPL-2.0-only
"""./repro run and ./repro check: build, simulate, then tables, figures, verdicts and the report."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from reproduce import (
    build,
    claim_tables,
    engine,
    findings,
    programs,
    rehearsal,
    report,
    specs,
    validation,
    verdicts,
)
from reproduce.document import Problem, refuse
from reproduce.errors import UserError, unknown
from reproduce.experiments import PROFILES, Experiment, select
from reproduce.paths import MINE, OWN, RESULTS, show
from reproduce.runs import Run, expand
from reproduce.specs import Spec


def _prepare(experiments: list[Experiment], no_build: bool = False) -> None:
    """Builds the scenarios that are needed, and asks them whether they can do what is wanted."""
    needed = list(dict.fromkeys(experiment.scenario for experiment in experiments))
    if not no_build:
        build.build(needed)
    for name in needed:
        if not build.program(name).exists():
            raise UserError(f"--no-build: {show(build.program(name))} is not there")


def _rehearse(experiments: list[Experiment], runs: list[Run], jobs: int | None) -> None:
    """Raises if a program refuses the command line of a run that is to be done."""
    here = engine.default_jobs()  # where programs are asked, also for runs on a cluster
    stale = [run for run in runs if not run.fresh]
    refuse(rehearsal.problems(experiments, stale, min(jobs or here, here)))


def _scheme_names(wanted: str) -> list[str]:
    """A list of schemes cut at its commas, but not at those between a scheme's settings."""
    names: list[str] = []
    for part in specs.split(wanted):
        if names and "=" in part.partition(":")[0]:
            names[-1] += f",{part}"
        elif part:
            names.append(part)
    return names


def _schemes(experiment: Experiment, wanted: str | None) -> dict[str, Spec | None]:
    """The schemes to run: the experiment's, or those asked for, with its settings if it has any."""
    if wanted is None:
        return experiment.schemes
    chosen = {name: experiment.schemes.get(name, name) for name in _scheme_names(wanted)}
    if not chosen:
        raise UserError(f"--schemes '{wanted}' names no scheme")
    if others := [name for name in chosen if name not in experiment.schemes]:
        registered = programs.schemes(experiment.scenario)
        description = programs.describe(experiment.scenario)
        for name in others:
            if not description or name.split(":")[0] not in registered:
                raise unknown("scheme", name, sorted({*experiment.schemes, *registered}))
    return chosen


def _simulate(runs: list[Run], args: argparse.Namespace, more: list[str]) -> list[Run]:
    jobs = args.jobs or engine.default_jobs()
    return engine.execute(runs, jobs, getattr(args, "executor", None), more)


def run(args: argparse.Namespace, more: list[str]) -> int:
    """The verb run."""
    if more and not args.executor:
        raise UserError(f"run: arguments after -- ('{more[0]}') need --executor")
    if args.all and args.ids:
        raise UserError(f"run: --all and '{args.ids[0]}' exclude each other")
    experiments = select(args.ids, args.all)
    claim_tables.check_own(experiments, as_run=False)
    claim_tables.every_claim()  # what is wrong in them is told before hours of simulation
    refuse(problem for one in experiments for problem in findings.problems(one))
    if not args.dry_run or args.schemes:
        report.check_writable()
        _prepare(experiments, args.no_build)
    wanted = {
        e.id: expand(e, args.profile, _schemes(e, args.schemes), args.seeds) for e in experiments
    }
    every = [one for runs in wanted.values() for one in runs]
    _rehearse(experiments, every, args.jobs)
    if args.dry_run:
        print(engine.plan_text(every, args.jobs or engine.default_jobs()))
        return 0
    failed = _simulate(every, args, more)
    problems: list[Problem] = []
    wrong: list[UserError] = []
    for experiment in experiments:
        home = _home(args, failed, experiment)
        # What earlier commands ran (other schemes, more seeds) and is still valid counts too.
        known = [*expand(experiment, args.profile), *wanted[experiment.id]]
        runs = {(one.scheme, one.point, one.seed): one for one in known}
        if finished := [one for one in runs.values() if one.fresh]:
            try:
                table = report.write_results(experiment, args.profile, finished, home)
                if len(finished) == len(runs):  # what is absent now does not come
                    problems += validation.name_problems(experiment, table.columns)
                    problems += findings.problems(experiment, list(table.columns))
                    if home == experiment.home:
                        claim_tables.of_experiment(experiment, as_run=True)
            except UserError as error:  # the others have theirs
                wrong.append(error)
    unequal = _judge(experiments, lambda one: _home(args, failed, one), all_claims=False)
    if not args.ids and not args.all and not _elsewhere(args, failed):  # the tour
        print(report.front_text())
    print(*(f"./repro: {error}\n" for error in unequal), sep="", end="", file=sys.stderr)
    if failed:
        print(f"./repro: {engine.failure_report(failed)}", file=sys.stderr)
    if lines := [str(error) for error in wrong] + [str(one) for one in sorted(set(problems))]:
        raise UserError("\n".join(lines))
    return 1 if failed else 0


def _home(args: argparse.Namespace, failed: list[Run], experiment: Experiment) -> Path:
    """The folder of results: the shipped one only for all of what the files say."""
    return _elsewhere(args, failed) or experiment.home


def _elsewhere(args: argparse.Namespace, failed: list[Run]) -> Path | None:
    """The folder for results of what is not run as the files say."""
    if args.name:
        return OWN / args.name
    if failed:
        return OWN / "unfinished"
    return MINE if args.schemes or args.seeds else None


def _judge(
    experiments: list[Experiment], home: Callable[[Experiment], Path], all_claims: bool
) -> list[UserError]:
    """Judges the claims of experiments, or all claims, where their results are, and reports."""
    unequal: list[UserError] = []
    for place in dict.fromkeys(map(home, experiments)):
        ids = [one.id for one in experiments if home(one) == place]
        rows, wrong = verdicts.update(place, None if all_claims else ids)
        unequal += wrong
        print(verdicts.text(rows if all_claims else [r for r in rows if r["experiment"] in ids]))
        print(f"Report: {show(report.write_report(place))}")
        if place == RESULTS and all_claims:
            from reproduce import drawing  # loads matplotlib, which nothing else here needs

            for profile in PROFILES:
                if missing := drawing.outdated(profile):
                    again = f"./repro draw --profile {profile}"
                    print(f"Without the figures of {len(missing)} experiments: {again}")
    return unequal


def _first_seeds(experiment: Experiment, profile: str, seeds: int | None) -> list[Run]:
    """The runs of an experiment, or those of its first seeds."""
    runs = expand(experiment, profile)
    return [run for run in runs if run.seed <= seeds] if seeds else runs


def check_numbers(args: argparse.Namespace) -> int:
    """The verb check."""
    from reproduce import check, coverage

    if args.all and args.ids:
        raise UserError(f"check: --all and '{args.ids[0]}' exclude each other")
    experiments = select(args.ids) if args.ids else check.with_table(args.profile)
    claim_tables.check_own(experiments)
    share = not args.ids and not args.all
    if args.junit:
        _write(Path(args.junit), "")  # what cannot be written is told before hours of simulation
    _prepare(experiments, args.no_build)
    wanted = {e.id: _first_seeds(e, args.profile, args.seeds) for e in experiments}
    if share:
        wanted = coverage.share(experiments, wanted)
        print("\n".join(coverage.text(wanted)), file=sys.stderr if args.json else sys.stdout)
    every = [one for runs in wanted.values() for one in runs]
    _rehearse(experiments, every, args.jobs)
    # What has no table is not simulated first.
    compared = [one for e in experiments for one in check.unreadable(e, args.profile)]
    refused = {one.id for one in compared}
    readable = [e for e in experiments if wanted[e.id] and e.id not in refused]
    failed = _simulate([one for e in readable for one in wanted[e.id]], args, [])
    if failed:
        raise UserError(engine.failure_report(failed))
    compared += [check.compare(e, args.profile, wanted[e.id]) for e in readable]
    changed = list(verdicts.problems(experiments))
    if args.junit:
        _write(Path(args.junit), check.junit(compared))
    if args.json:
        print(json.dumps([one.as_dict() for one in compared], indent=1))
        print("\n".join(changed), end="\n" * bool(changed), file=sys.stderr)
    else:
        lines = [*(one.text for one in compared), *changed, check.other_ns3(every)]
        print("\n".join(line for line in lines if line))
    return 1 if changed or not all(one.passed for one in compared) else 0


def judge(args: argparse.Namespace) -> int:
    """The verb judge."""
    experiments = select(args.ids, every=True)
    claim_tables.check_own(experiments)
    if args.check:
        found = verdicts.stale(experiments)
        print("\n".join(found) or "every verdict is what tables and claims give")
        return 1 if found else 0
    report.check_writable()
    unequal = _judge(experiments, lambda one: one.home, all_claims=not args.ids)
    if unequal:
        raise UserError("\n".join(map(str, unequal)))
    return 0


def _write(path: Path, content: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    except OSError as error:
        raise UserError(f"cannot write {show(path)}: {error.strerror}") from error
