# SPDX-License-Identifier: GPL-2.0-only
"""Dependencies of a run's results: a program and libraries made by the compiler, as in a build."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Project as Fake
from conftest import form

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("g++", "nm", "readelf"))), reason="needs a compiler"
)

PROGRAM = """
#include <cstdio>
int schemes();
int main()
{
    for (FILE* file = fopen("%s", "r"); file;)
    {
        const int c = fgetc(file);
        if (c == EOF)
            return schemes();
        putchar(c);
    }
}
"""
LINKED = {"fabric": [], "schemes": ["fabric"], "afq": ["schemes", "fabric"], "drb": ["schemes"]}


def known(name: str, module: str) -> dict[str, str]:
    """The names that a specification can have."""
    return {"class": f"ns3::{name}", "library": f"libsuite-{module}.so"}


DESCRIPTION = {
    "options": {
        "scheme": form("spec", "drb", base="ns3::Scheme"),
        "note": form("text", ""),
    },
    "globals": {},
    "names": {
        "ns3::Scheme": {
            "tcp": known("TcpScheme", "schemes"),
            "afq": known("AfqScheme", "afq"),
            "drb": known("DrbScheme", "drb"),
            "mixed": known("MixedScheme", "drb"),
            "fair-tcp": known("TcpScheme", "schemes") | {"spec": "ns3::TcpScheme:Queue=fair:N=2"},
            "fairer": known("TcpScheme", "drb") | {"spec": "fair-tcp:Rate=1Gbps"},
        },
        "ns3::Queue": {"fair": known("FairQueue", "afq"), "red": known("RedQueue", "fabric")},
    },
    "classes": {
        "ns3::TcpScheme": {
            "library": "libsuite-schemes.so",
            "attributes": {"Queue": form("spec", "", base="ns3::Queue"), "Rate": form("rate", "")},
        },
        **{f"ns3::{name}Scheme": {"parent": "ns3::TcpScheme"} for name in ("Afq", "Drb")},
        "ns3::MixedScheme": {"attributes": {"Queue": form("spec", "fair", base="ns3::Queue")}},
        "ns3::FairQueue": {"library": "libsuite-afq.so", "attributes": {"N": form("integer", "1")}},
        "ns3::RedQueue": {"library": "libsuite-fabric.so"},
    },
}


class Project(Fake):
    """A project with a compiled program."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        (home / "build" / "lib").mkdir()
        for module in LINKED:
            self.compile(module, 1)
        description = home / "description.json"
        description.write_text(json.dumps(DESCRIPTION))
        source = home / "program.cc"
        source.write_text(PROGRAM % description)
        libraries = [f"-lsuite-{module}" for module in LINKED]
        self.call(source, "-o", home / "build/bin/fake", "-Wl,--no-as-needed", *libraries)

    def compile(self, module: str, number: int) -> None:
        """Makes the library of a module; another number, another content."""
        source = self.home / f"{module}.cc"
        source.write_text(f"int {module}() {{ return {number}; }}")
        links = [f"-lsuite-{linked}" for linked in LINKED[module]]
        library = self.home / "build" / "lib" / f"libsuite-{module}.so"
        self.call(source, "-shared", "-fPIC", "-o", library, "-Wl,--no-as-needed", *links)

    def call(self, *words: str | Path) -> None:
        """Compiles and links."""
        folder = self.home / "build" / "lib"
        command = ["g++", *words, f"-L{folder}", f"-Wl,-rpath,{folder}"]
        subprocess.run(command, check=True)

    def ask(self, expression: str) -> str:
        """The value of an expression of reproduce.programs."""
        script = f"import json; from reproduce import programs; print(json.dumps({expression}))"
        command = [sys.executable, "-P", "-c", script]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    def version(self, *words: str) -> str:
        """The hash of what a run depends on."""
        return self.ask(f"programs.version('fake', {words})")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that no test changes."""
    return Project(tmp_path_factory.mktemp("compiled"))


@pytest.mark.parametrize(
    ("words", "modules"),
    [
        (["--scheme=tcp"], []),
        (["--scheme=tcp:Rate=1Gbps,Queue=red"], []),
        (["--scheme=afq"], ["afq"]),
        ([], ["drb"]),  # the default
        (['--scheme=tcp:Queue="fair:N=2"'], ["afq"]),
        (["--scheme=mixed"], ["afq", "drb"]),  # by the default of an attribute
        (["--scheme=mixed:Queue=red"], ["drb"]),
        (["--scheme=fair-tcp"], ["afq"]),  # a row
        (["--scheme=fair-tcp:Queue=red"], ["afq"]),  # what it names might be merged
        (["--scheme=fairer"], ["afq", "drb"]),  # a row of a row
        (["--scheme=tcp", "--ns3::FairQueue::N=2"], ["afq"]),
        (["--scheme=tcp", "--note=as afq does"], ["afq"]),  # in a text: rather too much
    ],
)
def test_modules_that_a_run_depends_on(
    compiled: Project, words: list[str], modules: list[str]
) -> None:
    found = compiled.ask(f"[file.name for file in programs.dependencies('fake', {words})]")
    libraries = [f"libsuite-{module}.so" for module in sorted([*modules, "fabric", "schemes"])]
    assert found == ["fake", *libraries]


def test_a_change_in_a_module_touches_the_runs_that_use_it(tmp_path: Path) -> None:
    project = Project(tmp_path)
    runs = {name: f"--scheme={name}" for name in ("tcp", "afq", "drb")}

    def changed() -> set[str]:
        before = dict(versions)
        versions.update({name: project.version(word) for name, word in runs.items()})
        return {name for name in runs if before.get(name) != versions[name]}

    versions: dict[str, str] = {}
    assert changed() == {"tcp", "afq", "drb"}
    assert changed() == set()
    project.compile("afq", 2)
    assert changed() == {"afq"}
    project.compile("drb", 2)
    assert changed() == {"drb"}
    project.compile("fabric", 2)
    assert changed() == {"tcp", "afq", "drb"}
    data = project.home / "src" / "afq" / "data" / "sizes.cdf"
    data.parent.mkdir(parents=True)
    data.write_text("1 1")
    assert changed() == {"afq"}


def test_symbols_and_debug_information_touch_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    program = tmp_path / "build/bin/fake"
    source = tmp_path / "program.cc"
    libraries = [f"-lsuite-{module}" for module in LINKED]
    before = project.version("--scheme=tcp")
    contents = {program.read_bytes()}
    for more in (["-g"], ["-rdynamic"], ["-s"], ["-Wl,--build-id=none"]):
        project.call(source, "-o", program, "-Wl,--no-as-needed", *more, *libraries)
        contents.add(program.read_bytes())
        assert project.version("--scheme=tcp") == before, more
    assert len(contents) == 5


def test_a_table_of_functions_in_another_order_counts(tmp_path: Path) -> None:
    project = Project(tmp_path)
    library = tmp_path / "build/lib/libsuite-fabric.so"
    source = tmp_path / "fabric.cc"
    versions = set()
    for order in ("one, two", "two, one", "one, two"):
        source.write_text(
            "static int one() { return 1; } static int two() { return 2; }"
            f"int (*table[])() = {{{order}}}; int fabric() {{ return table[0](); }}"
        )
        project.call(source, "-shared", "-fPIC", "-o", library)
        versions.add(project.version("--scheme=tcp"))
    assert len(versions) == 2


def test_files_on_the_command_line_count(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (tmp_path / "runs").mkdir()
    links = tmp_path / "links.csv"
    found = []
    for content in ("a,b", "a,b", "a,c"):
        links.write_text(content)
        found.append(project.version("--scheme=tcp", '--note="file:Path=../links.csv"'))
    assert found[0] == found[1] != found[2]
    links.rename(tmp_path / "my:links.csv")
    words = ("--scheme=tcp", "--note=../my:links.csv:MaxSize=1")
    before = project.version(*words)
    (tmp_path / "my:links.csv").write_text("a,d")
    assert project.version(*words) != before


def test_descriptions_follow_the_program(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.ask("programs.schemes('fake')") == [
        "afq",
        "drb",
        "fair-tcp",
        "fairer",
        "mixed",
        "tcp",
    ]
    project.compile("afq", 2)
    path = tmp_path / "description.json"
    fewer = DESCRIPTION | {"names": {"ns3::Scheme": {"tcp": known("TcpScheme", "schemes")}}}
    path.write_text(json.dumps(fewer))
    assert project.ask("programs.schemes('fake')") == ["tcp"]
    path.write_text("no JSON")
    assert project.ask("programs.schemes('fake')") == ["tcp"]  # nothing is asked again
    assert project.ask("programs.schemes('absent')") == []
