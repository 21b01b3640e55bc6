# SPDX-License-Identifier: GPL-2.0-only
"""The report: contents, verdicts, links that lead somewhere, nothing from the network."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import EXPERIMENT, Project

from reproduce.claim_tables import Summary
from reproduce.paths import HOME
from reproduce.report import (
    CAUSES,
    NULL_TOO,
    NUMBERS,
    Page,
    counts,
    effect,
    front_text,
    ours,
)

BROWSERS = ("chromium", "google-chrome", "chromium-browser")
# What a reader does to see nothing but what is off, and what is then in sight.
FILTERING = """<script>
for (const box of boxes) {
  box.checked = ["-", "ours", ""].includes(box.value);
}
const numbers = document.querySelector("[data-of=number]");
numbers.querySelectorAll("button")[1].click();
numbers.querySelector("[value=off]").click();
const rows = [...document.querySelectorAll("[data-number]")];
const seen = rows.filter(row => row.offsetParent !== null).map(row => row.dataset.number);
document.title = "seen: " + seen.join(", ") + ";";
</script>"""


class Html(HTMLParser):
    """The links and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.verdicts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects links, names and verdicts."""
        given = dict(attrs)
        self.targets += [value for key in ("href", "src") if (value := given.get(key))]
        self.names |= {given["id"]} if "id" in given else set()
        if "data-conclusion" in given:
            self.verdicts.append((given["data-conclusion"] or "", given["data-number"] or ""))


@pytest.fixture
def report(finished: Project) -> tuple[Project, str]:
    """The page of a run's claims."""
    return finished, (finished.home / "results" / "report" / "others.html").read_text()


def test_every_link_leads_somewhere(report: tuple[Project, str]) -> None:
    project, _ = report
    folder = project.home / "results" / "report"
    for name in ("index.html", "others.html"):
        page = Html((folder / name).read_text())
        for target in page.targets:
            assert "://" not in target
            if target.startswith("#"):
                assert target[1:] in page.names
            else:
                assert (folder / target).exists(), target
    wanted = {"../quick/tiny/mean.png", "../quick/tiny/runs.csv", "../../experiments/tiny.yaml"}
    assert wanted <= set(page.targets)


def test_claims_are_shown_with_both_verdicts(report: tuple[Project, str]) -> None:
    _, text = report
    assert Html(text).verdicts == [("yes", "-"), ("-", "off"), ("-", "-")]
    row = text[text.index(":tiny-c2") : text.index(":tiny-c3")]
    assert "6.0 x" in row and "off by 2" in row


def test_what_is_no_papers_is_in_no_papers_count(finished: Project) -> None:
    written = (finished.home / "results" / "report" / "README.md").read_text()
    assert "**0 to work on**" in written
    assert written.index("Not the papers'") < written.index("| measured | yes | 1 |")


def test_names_are_no_markup(finished: Project) -> None:
    finished.write(EXPERIMENT | {"title": "<b>a*b*\n[c](d) `e`"})
    assert finished.repro("judge").returncode == 0
    folder = finished.home / "results" / "report"
    assert r"## \<b>a\*b\* \[c\](d) \`e\` (tiny)" in (folder / "others.md").read_text()
    assert "<b>a" not in (folder / "others.html").read_text()


def row(**other: object) -> dict:
    """A paper's claim as claims.json has it."""
    known = {"paper": "afq", "kind": "", "basis": "measured", "conclusion": "no", "number": "-"}
    return known | {"cause": "ours", "must_fail": None} | other


def test_claims_are_counted_by_basis_conclusion_number_and_cause() -> None:
    rows = [
        row(),
        row(cause="testbed"),
        row(conclusion="yes", number="off"),
        row(basis="calibrated"),
    ]
    found = [(one.basis, one.conclusion, one.claims) for one in counts(rows)]
    assert found == [("measured", "yes", 1), ("measured", "no", 2), ("calibrated", "no", 1)]
    assert dict(zip(NUMBERS, counts(rows)[0].numbers, strict=True))["off"] == 1
    assert dict(zip(CAUSES, counts(rows)[1].causes, strict=True)) == {
        **dict.fromkeys(CAUSES, 0),
        "ours": 1,
        "testbed": 1,
    }


def test_what_is_left_to_work_on_is_a_papers_and_not_calibrated() -> None:
    left = row(id="left")
    others = [row(basis="calibrated"), row(paper="own/afq"), row(cause="testbed"), row(cause=None)]
    assert ours([left, *others]) == [left]


def test_effects_are_ratios_or_shares_of_the_mean() -> None:
    ratio = {"effect": 1.5, "interval": [1.25, 1.75], "scale": "ratio"}
    assert effect(ratio) == "x 1.5 [1.25, 1.75]"
    share = {"effect": -0.5, "interval": [-0.75, -0.25], "scale": "difference"}
    assert effect(share) == "-50 [-75, -25] %"
    assert effect({"effect": None}) == ""


@pytest.mark.slow
def test_the_filter_in_a_browser(report: tuple[Project, str]) -> None:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium is installed")
    project, text = report
    page = project.home / "results" / "report" / "filtered.html"
    page.write_text(text.replace("</body>", FILTERING + "</body>"))
    words = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    profile = f"--user-data-dir={project.home / 'browser'}"
    done = subprocess.run([*words, profile], capture_output=True, text=True, timeout=300)
    title = re.search("<title>(.*)</title>", done.stdout)
    assert title, done.stderr
    assert title[1] == "seen: off;", title[1]


def test_the_front_page_has_central_claims_and_the_figure(tmp_path: Path) -> None:
    summary = Summary("AFQ", "", ("c2", "c1", "c3"), "one", "mean", "", "")
    rows = [judged(id=name, must_fail=null) for name, null in (("c1", "no"), ("c2", "yes"))]
    page = Page("afq", "", rows, [], summary)
    assert [(one["id"], one["counted"]) for one in page.central] == [
        ("c2", NULL_TOO),
        ("c1", "yes"),
    ]
    assert page.figure(tmp_path) == ""
    (tmp_path / "paper" / "one").mkdir(parents=True)
    (tmp_path / "paper" / "one" / "mean.png").touch()
    assert page.figure(tmp_path) == "../paper/one/mean.png"


def test_the_readme_says_how_central_claims_came_out() -> None:
    readme = (HOME / "README.md").read_text()
    for line in front_text().splitlines():
        name, _, said = line.partition(": of ")
        row = next(row for row in readme.splitlines() if row.startswith(f"| [{name}]"))
        assert row.endswith(f"| {said.split(' central claims ')[1]} |")


def judged(**other: object) -> dict:
    """A claim that came out, with all that a page shows of it."""
    nothing = dict.fromkeys(("effect", "smallest_effect", "worst", "beside", "factor"))
    lists = {"numbers": [], "comparisons": [], "before": []}
    words = dict.fromkeys(("on", "sensitivity", "reason", "why", "profile"), "")
    more = {"n": 5, "few": False, "conclusion": "yes", "cause": None}
    return row(**nothing, **lists, **words, **(more | other))
