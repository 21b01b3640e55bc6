# SPDX-License-Identifier: GPL-2.0-only
"""The command line of ./repro.

Nothing but the standard library is imported at the top: --help works before the set-up.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, NoReturn

from reproduce.errors import UserError, unknown
from reproduce.paths import show

PROFILES = ("quick", "paper")
HIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # what a terminal obeys, but line ends
VERSION = (Path(__file__).parent.parent / "src/scenario/VERSION").read_text().strip()


class Parser(argparse.ArgumentParser):
    """argparse with the project's manner: one line, exit status 1."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{self.prog}: {message}")

    def _print_message(self, message: str, file: IO[str] | None = None) -> None:
        """As there, but what cannot be written is not passed over."""
        (file or sys.stdout).write(message)

    def options(self) -> list[str]:
        """The long options it knows."""
        return [o for action in self._actions for o in action.option_strings if o[:2] == "--"]


def _positive(text: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,8}", text, re.ASCII):
        allowed = "a whole number from 1 to 999999999"
        raise argparse.ArgumentTypeError(f"'{text}' is not allowed; allowed: {allowed}")
    return int(text)


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", text):
        allowed = "letters, digits, '.', '_' and '-'"
        raise argparse.ArgumentTypeError(f"'{text}' is not allowed; allowed: {allowed}")
    return text


def _parser() -> tuple[Parser, dict[str, Parser]]:
    top = Parser(
        prog="./repro",
        description="Data-center networking papers, reproduced in ns-3.",
        epilog="Start with './repro run'. Each verb has its own --help.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=VERSION)
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    parsers: dict[str, Parser] = {}

    def verb(name: str, summary: str, details: str = "") -> Parser:
        parsers[name] = verbs.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=details,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        return parsers[name]

    def profile(parser: Parser) -> None:
        parser.add_argument(
            "--profile",
            choices=PROFILES,
            default="quick",
            help="quick: minutes, scaled down (default); paper: the paper's scale where feasible",
        )

    def jobs(parser: Parser) -> None:
        parser.add_argument(
            "--jobs", type=_positive, metavar="N", help="simulations at a time (default: all cores)"
        )

    def no_build(parser: Parser) -> None:
        parser.add_argument(
            "--no-build", action="store_true", help="use the programs in build/bin as they are"
        )

    run = verb(
        "run",
        "run experiments, then draw figures, judge claims and write the report",
        "examples:\n"
        "  ./repro run                              the tour: the headline figures\n"
        "  ./repro run afq-fig9 --seeds 5           one experiment with 5 seeds per point\n"
        "  ./repro run --all --profile paper        everything, at the papers' scale\n"
        "  ./repro run afq-fig9 --dry-run           what would run, and how long it would take\n"
        "  ./repro run --all --executor slurm --jobs 64 -- --default-resources slurm_account=lab\n"
        "                                           on a cluster (doc/running-on-a-cluster.md)\n\n"
        "Finished simulations are kept: a killed run goes on where it stopped, and a second run\n"
        "does only what changed. Results are in results/PROFILE/; those of your own experiments\n"
        "(scratch/experiments/*.yaml), or of other schemes or seeds than the experiment's, are in\n"
        "out/results/mine/PROFILE/, those of a run in which simulations failed in\n"
        "out/results/unfinished/PROFILE/.",
    )
    run.add_argument("ids", nargs="*", metavar="ID", help="experiments (see ./repro list)")
    run.add_argument("--all", action="store_true", help="every shipped experiment")
    profile(run)
    run.add_argument(
        "--schemes",
        metavar="A,B",
        help="only these schemes; any registered scheme is allowed, also one the paper has not",
    )
    run.add_argument(
        "--name",
        type=_name,
        metavar="NAME",
        help="write the results to out/results/NAME, with a report of their own",
    )
    run.add_argument("--seeds", type=_positive, metavar="N", help="seeds 1 to N at every point")
    jobs(run)
    run.add_argument("--dry-run", action="store_true", help="print the runs and the time needed")
    no_build(run)
    run.add_argument(
        "--executor",
        metavar="NAME",
        help="a Snakemake executor plug-in, e.g. slurm; what follows -- goes to Snakemake",
    )

    test = verb(
        "test",
        "build, then run every test",
        "Formatting, the C++ suites (ctest), numbers and images of the figures, the documents and\n"
        "their commands, random input, the Python tests (pytest), each source without what others\n"
        "include, and the suites under sanitizers against ns-3 3.43.\n\n"
        "--fast should take less than 4 minutes on 2 cores after a small change. It leaves out\n"
        "what is long and seldom finds more than the rest: the other builds, random input, the\n"
        "images of figures, the documents' site, and the Python tests that are marked slow (the\n"
        "documents' commands among them).",
    )
    which = test.add_mutually_exclusive_group()
    which.add_argument(
        "--others",
        action="store_true",
        help="instead, each source by itself with GCC and clang, the suites with ns-3 3.42",
    )
    which.add_argument(
        "--fast",
        action="store_true",
        help="what a change is most likely to break, in minutes",
    )

    listing = verb("list", "list the experiments, their schemes, claims and last verdicts")
    listing.add_argument("ids", nargs="*", metavar="ID", help="experiments (default: every one)")
    listing.add_argument(
        "--json", action="store_true", help="for programs: experiments, and all there is of claims"
    )

    sim = verb(
        "sim",
        "build and run one simulation",
        "examples:\n"
        "  ./repro sim fct -- --scheme=dctcp --load=0.7 --out=out/fct\n"
        "  ./repro sim fct -- --scheme=help         the schemes there are\n"
        "  ./repro sim fct -- --help                all arguments of the scenario\n"
        "  ./repro sim --from out/fct/run.json -- --load=0.8\n"
        "  ./repro sim --like=afq-fig9 --at load=0.7,scheme=dctcp --seed=3 -- --out=out/point\n\n"
        "What follows -- goes to the program, ns-3's own arguments included (--RngRun=2,\n"
        "--SimulatorImplementationType=..., --ns3::TcpSocketBase::MinRto=1ms).",
    )
    sim.usage = (
        "./repro sim [-h] [--plot] SCENARIO [-- ARGUMENT...]\n"
        "       ./repro sim [--plot] --from RUN.JSON [-- ARGUMENT...]\n"
        "       ./repro sim [--plot] --like ID [--at NAME=VALUE,...] [--profile PROFILE] "
        "[--seed N] [-- ARGUMENT...]"
    )
    sim.add_argument(
        "--plot", action="store_true", help="draw the run's pictures into the folder of --out"
    )
    sim.add_argument(
        "scenario", metavar="SCENARIO", nargs="?", help="a program of examples/, e.g. fct"
    )
    sim.add_argument(
        "--from", dest="source", metavar="RUN.JSON", help="as an earlier run, but for what follows"
    )
    sim.add_argument("--like", metavar="ID", help="as an experiment runs it, but for what follows")
    sim.add_argument(
        "--at", metavar="NAME=VALUE,...", help="with --like: the scheme and swept arguments"
    )
    sim.add_argument("--profile", choices=PROFILES, help="with --like (default: quick)")
    sim.add_argument("--seed", type=_positive, metavar="N", help="with --like (default: 1)")

    scratch = verb(
        "scratch",
        "build scratch/NAME.cc and run it",
        "example:\n  ./repro scratch afq-exercise -- --help\n\n"
        "Rebuilds only what changed. Copy an existing file there to start your own.",
    )
    scratch.usage = "./repro scratch [-h] NAME [-- ARGUMENT...]"
    scratch.add_argument(
        "name", metavar="NAME", help="the file's name, with or without scratch/ and .cc"
    )

    plot = verb(
        "plot",
        "draw the usual pictures of single runs",
        "example:\n"
        "  ./repro sim fct -- --scheme=afq --out=out/afq --record='queues;rates;links'\n"
        "  ./repro sim fct -- --scheme=tcp --out=out/tcp --record='queues;rates;links'\n"
        "  ./repro plot out/afq out/tcp\n\n"
        "Flow completion times, queues and rates over time, the use of links: what the runs\n"
        "have recorded. Several runs are compared; their colours are in the order given.",
    )
    plot.add_argument("folders", nargs="+", metavar="DIR", help="what --out named")
    plot.add_argument(
        "--out",
        metavar="DIR",
        help="where pictures go (default: the run's folder; of several, out/plot)",
    )
    plot.add_argument(
        "--format", choices=("png", "svg", "pdf"), default="png", help="png (default), svg or pdf"
    )

    draw = verb(
        "draw",
        "draw the figures of results again, from their tables",
        "examples:\n"
        "  ./repro draw                             all figures of results/quick\n"
        "  ./repro draw afq-fig9 --format pdf       for a paper of your own, in out/figures\n"
        "  ./repro draw --check                     are they what the tables and the code give?\n\n"
        "Nothing is simulated: a change of titles, colours or kinds of plots is seen at once.",
    )
    draw.add_argument(
        "ids", nargs="*", metavar="ID", help="experiments (default: all with results)"
    )
    profile(draw)
    draw.add_argument(
        "--format", choices=("png", "svg", "pdf"), default="png", help="png (default), svg or pdf"
    )
    draw.add_argument(
        "--out",
        metavar="DIR",
        help="where figures go, a folder per experiment (default: beside the tables; svg and pdf: "
        "out/figures/PROFILE)",
    )
    draw.add_argument(
        "--check",
        action="store_true",
        help="leave the figures that are there; exit status 1 if one is stale",
    )

    check = verb(
        "check",
        "compare each run with its row in the tables of results/",
        "examples:\n"
        "  ./repro check                            CI's share: headline experiments, and each\n"
        "                                           scheme, scenario and recorder once\n"
        "  ./repro check --all --seeds 1            the first seed of every point\n"
        "  ./repro check afq-fig9                   one experiment, all its seeds\n"
        "  ./repro check trinity-fig6 --profile paper\n\n"
        "Runs what is not yet run. Exit status 1 and each run, column and both numbers if one\n"
        "drifted in its six digits. ./repro run writes the tables anew.",
    )
    check.add_argument("ids", nargs="*", metavar="ID", help="experiments (default: CI's share)")
    check.add_argument("--all", action="store_true", help="every experiment with a table")
    profile(check)
    check.add_argument(
        "--seeds", type=_positive, metavar="N", help="only the first N seeds of every point"
    )
    jobs(check)
    no_build(check)
    check.add_argument("--json", action="store_true", help="for programs")
    check.add_argument(
        "--junit", metavar="FILE", help="write a JUnit report too, a test case per experiment"
    )

    claims = verb(
        "claims",
        "check tables of claims while they are written",
        "examples:\n"
        "  ./repro claims afq own/afq               what is wrong or left to write in these\n"
        "  ./repro claims afq --catalogue list.yaml which ids of a list have no claim\n\n"
        "No verdict is shown, so that no claim is written to its result. claims/README.md has the\n"
        "form; ./repro judge judges.",
    )
    claims.add_argument("names", nargs="*", metavar="TABLE", help="claims/TABLE.yaml (all)")
    claims.add_argument(
        "--catalogue", type=Path, metavar="FILE", help="a YAML of the paper's claims, or a folder"
    )

    judging = verb(
        "judge",
        "judge claims by the tables of results/",
        "examples:\n"
        "  ./repro judge                            all claims, then the report\n"
        "  ./repro judge afq-fig9                   those about one experiment\n"
        "  ./repro judge --check                    are they what tables and claims give?\n\n"
        "Nothing is simulated. Verdicts are in results/claims.json, a line for each claim, and in\n"
        "results/report/. What decides on a claim has a hash there: ./repro check tells if the\n"
        "claim was changed since.",
    )
    judging.add_argument(
        "ids", nargs="*", metavar="ID", help="experiments (default: all with results)"
    )
    judging.add_argument(
        "--check", action="store_true", help="judge nothing anew; exit status 1 if one is stale"
    )

    compare = verb(
        "compare",
        "run schemes side by side, and tell how one compares with the others",
        "examples:\n"
        "  ./repro compare mine dctcp afq           in fct, 10 seeds\n"
        "  ./repro compare mine dctcp --scenario incast --seeds 5 -- --senders=40\n"
        "  ./repro compare drb rb --metrics 'slowdown_*' -- --load=0.8\n\n"
        "Ratios of MINE over each other scheme, paired by seed, with 95 % intervals, by the rules\n"
        "of papers' claims (doc/how-a-claim-is-judged.md); drawn into out/compare/. What is\n"
        "finished is not simulated again. What follows -- goes to the program.",
    )
    compare.usage = (
        "./repro compare [-h] [--scenario NAME] [--seeds N] [--metrics A,B] [--out FILE.png] "
        "[--json] MINE OTHER... [-- ARGUMENT...]"
    )
    compare.add_argument("mine", metavar="MINE", help="a scheme, with attributes if it has any")
    compare.add_argument("others", metavar="OTHER", nargs="+", help="schemes to compare it with")
    compare.add_argument("--scenario", default="fct", help="a program of examples/ (fct)")
    compare.add_argument(
        "--seeds", type=_positive, metavar="N", default=10, help="seeds 1 to N, at least 3 (10)"
    )
    compare.add_argument(
        "--metrics",
        metavar="A,B",
        help="results to compare, also patterns (default: mean and 99 %%)",
    )
    compare.add_argument("--out", metavar="FILE.png", help="the picture (out/compare/MINE.png)")
    compare.add_argument("--json", action="store_true", help="for programs")
    jobs(compare)
    no_build(compare)

    fuzz = verb(
        "fuzz",
        "try random command lines and experiment files",
        "Each is drawn from what the programs say of themselves, and must end with what holds of\n"
        "every run, or with one line that says what is wrong. The same seed draws the same.",
    )
    fuzz.add_argument("--runs", type=_positive, metavar="N", default=200, help="how many (200)")
    fuzz.add_argument("--seed", type=_positive, metavar="S", default=1, help="of the drawing (1)")

    bench = verb("bench", "measure the simulator's speed, against stock ns-3 in the same run")
    bench.add_argument("--json", action="store_true", help="for programs")

    docs = verb(
        "docs",
        "make the documents a site",
        "Sphinx and its theme are installed when they are first needed; the C++ classes are in it\n"
        "if doxygen is installed. Every warning and every dead link is an error.",
    )
    docs.add_argument("--out", default="out/docs", metavar="DIR", help="where (out/docs)")

    verb("setup", "set up and build, run nothing")
    clean = verb("clean", "remove builds and the raw output of runs (not results/)")
    completion = verb(
        "completion",
        "print a script that completes commands in the shell",
        'example:\n  eval "$(./repro completion bash)"',
    )
    completion.add_argument("shell", choices=("bash", "zsh"), help="which shell")
    clean.add_argument("--all", action="store_true", help="the virtual environment too")
    return top, parsers


TAKES_MORE = ("sim", "scratch", "run", "bench", "compare")  # verbs that accept arguments after --


def parse(argv: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The arguments before the first --, and those after it."""
    cut = argv.index("--") if "--" in argv else len(argv)
    own, more = argv[:cut], argv[cut + 1 :]
    top, parsers = _parser()
    if own and not own[0].startswith("-") and own[0] not in parsers:
        raise unknown("verb", own[0], parsers)
    args, strange = top.parse_known_args(own)
    if strange:
        options = parsers[args.verb].options()
        hint = " (a program's own arguments come after --)" if args.verb in TAKES_MORE else ""
        word = strange[0].partition("=")[0]
        raise UserError(f"./repro {args.verb}: {unknown('argument', word, options)}{hint}")
    if more and args.verb not in TAKES_MORE:
        raise UserError(f"./repro {args.verb}: takes no arguments after --, got '{more[0]}'")
    return args, more


def main(argv: list[str]) -> int:
    """Runs a verb; returns the exit status."""
    try:
        try:
            args, more = parse(argv)
            return VERBS[args.verb](args, more)
        finally:  # also after --help
            sys.stdout.flush()
    except UserError as error:
        text = HIDDEN.sub(" ", str(error))
        print(text if text.startswith("./repro") else f"./repro: {text}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        print(f"./repro: {error or 'interrupted'}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # for example: ./repro list | head
        _give_up_output()
        return 0
    except OSError as error:  # a full disk, a folder without permission
        _give_up_output()
        where = show(Path(error.filename)) if error.filename else "standard output"
        print(f"./repro: {where}: {error.strerror}", file=sys.stderr)
        return 1


def _give_up_output() -> None:
    """Lets Python end without a word about what it could not print."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(args: argparse.Namespace, more: list[str]) -> int:
    from reproduce import running

    return running.run(args, more)


def _check(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import running

    return running.check_numbers(args)


def _claims(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import claim_tables

    return claim_tables.show_progress(args.names, args.catalogue)


def _judge(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import running

    return running.judge(args)


def _compare(args: argparse.Namespace, more: list[str]) -> int:
    from reproduce import compare

    schemes = list(dict.fromkeys([args.mine, *args.others]))
    if len(schemes) < 2:
        raise UserError(f"compare: '{args.mine}' with itself; allowed: schemes that differ")
    if args.seeds < compare.FEWEST:
        raise UserError(f"compare: --seeds={args.seeds} decides nothing; allowed: from 3 on")
    given = compare.arguments(more)

    from reproduce import api  # loads pandas, which mistakes need not wait for

    sweep = api.sweep(
        args.scenario,
        seeds=args.seeds,
        jobs=args.jobs,
        no_build=args.no_build,
        scheme=schemes,
        **given,
    )
    metrics = args.metrics.split(",") if args.metrics else []
    rows = compare.compare(sweep.results, args.mine, schemes[1:], metrics)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", args.mine)
    path = Path(args.out) if args.out else Path("out/compare") / f"{name}.png"
    drawn = any(row.interval for row in rows)
    if drawn:
        compare.draw(rows, path, " ".join([args.scenario, *more]))
    print(json.dumps(compare.as_dicts(rows), indent=1) if args.json else compare.text(rows))
    notes = compare.unfinished(sweep.results)
    print("\n".join(notes), end="\n" * bool(notes), file=sys.stderr if args.json else sys.stdout)
    if drawn and not args.json:
        print(show(path))
    return 0


def _test(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import packages, testing

    packages.install("test")
    return testing.run(testing.other_steps() if args.others else testing.steps(args.fast))


def _list(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import listing

    entries = listing.entries(args.ids)
    print(json.dumps(entries, indent=1) if args.json else listing.text(entries))
    return 0


def _sim(args: argparse.Namespace, more: list[str]) -> int:
    from reproduce import build

    scenario, given = _simulated(args)
    name = build.program_name(scenario)
    build.check_scenario(name)
    out = _out(more)
    if args.plot and not out:
        raise UserError("sim: --plot needs --out=FOLDER after --")
    status = _built_and_run(name, [*given, *more])
    if args.plot and status == 0:
        _draw([Path(out)], Path(out), "png")
    return status


def _simulated(args: argparse.Namespace) -> tuple[str, list[str]]:
    """The program that `sim` is to run, and what it is given besides what follows --."""
    from reproduce import repeating

    if [args.scenario, args.source, args.like].count(None) != 2:
        raise UserError("./repro sim: one of SCENARIO, --from and --like says what is run")
    if not args.like and (alone := [n for n in ("at", "profile", "seed") if getattr(args, n)]):
        raise UserError(f"./repro sim: --{alone[0]} goes with --like")
    if args.source:
        return repeating.as_in_file(args.source)
    if args.like:
        profile = args.profile or "quick"
        return repeating.like_point(args.like, args.at or "", profile, args.seed or 1)
    return args.scenario, []


def _plot(args: argparse.Namespace, _: list[str]) -> int:
    folders = [Path(folder) for folder in args.folders]
    alone = folders[0] if len(folders) == 1 else Path("out/plot")
    _draw(folders, Path(args.out) if args.out else alone, args.format)
    return 0


def _draw_results(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import drawing

    if args.check:
        if args.out or args.format != "png":
            raise UserError("draw: --check compares the PNG files beside the tables")
        found = drawing.problems(args.ids, args.profile)
        print("\n".join(found) or f"every figure of results/{args.profile} is what its tables give")
        return 1 if found else 0
    folder = Path(args.out) if args.out else drawing.default_folder(args.profile, args.format)
    for file in drawing.draw(args.ids, args.profile, args.format, folder):
        print(show(file))
    return 0


def _draw(folders: list[Path], out: Path, kind: str) -> None:
    from reproduce import pictures

    for file in pictures.draw(folders, out, kind):
        print(show(file))


def _built_and_run(target: str, more: list[str]) -> int:
    from reproduce import build, origin

    build.build([target])
    environment = os.environ | origin.environment()
    if sys.stderr.isatty():
        environment["SUITE_PROGRESS"] = "/dev/stderr"
    with tempfile.TemporaryDirectory() as folder:
        environment["SUITE_ROWS"] = folder  # where a program puts its tables without --out
        status = subprocess.run([build.program(target), *more], env=environment).returncode
        if status == 0:
            from reproduce import summary

            if table := summary.text(Path(_out(more) or folder)):
                print(table)
    if status < 0:
        from reproduce import engine

        ended = engine.ended(engine.SIGNALLED - status)
        raise UserError(f"{target} {ended}; doc/finding-out-why.md has a debugger and the log")
    return status


def _out(words: list[str]) -> str:
    """The folder that a command line names for files; empty: none."""
    return next((word.split("=", 1)[1] for word in words if word.startswith("--out=")), "")


def _scratch(args: argparse.Namespace, more: list[str]) -> int:
    from reproduce import build

    name = build.program_name(args.name)
    build.check_scratch(name)
    return _built_and_run(f"scratch-{name}", more)


def _fuzz(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import build, fuzz

    build.build(build.scenarios())
    return fuzz.run(args.runs, args.seed)


def _bench(args: argparse.Namespace, more: list[str]) -> int:
    from reproduce import bench

    return bench.run(args.json, more)


def _docs(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import docs

    return docs.run(Path(args.out).resolve())


def _setup(_: argparse.Namespace, __: list[str]) -> int:
    from reproduce import build

    build.build(build.scenarios())
    print("Ready. Next: ./repro run")
    return 0


def _clean(args: argparse.Namespace, _: list[str]) -> int:
    from reproduce import testing

    removed = testing.clean(args.all)
    print(f"removed {', '.join(removed)}" if removed else "nothing to remove")
    return 0


def _completion(args: argparse.Namespace, _: list[str]) -> int:
    import shtab

    from reproduce import build, claim_tables
    from reproduce.experiments import load_all

    top, parsers = _parser()
    top.prog = "repro"
    ids = [experiment.id for experiment in load_all()]
    names = {"run": ids, "check": ids, "judge": ids, "list": ids, "draw": ids}
    names |= {
        "claims": claim_tables.names(),
        "sim": build.scenarios(),
        "scratch": build.scratch_programs(),
    }
    for verb, values in names.items():
        next(a for a in parsers[verb]._actions if not a.option_strings).choices = values
    print(shtab.complete(top, args.shell))
    return 0


VERBS = {
    "run": _run,
    "check": _check,
    "claims": _claims,
    "judge": _judge,
    "compare": _compare,
    "test": _test,
    "list": _list,
    "sim": _sim,
    "plot": _plot,
    "draw": _draw_results,
    "scratch": _scratch,
    "fuzz": _fuzz,
    "bench": _bench,
    "docs": _docs,
    "setup": _setup,
    "clean": _clean,
    "completion": _completion,
}
