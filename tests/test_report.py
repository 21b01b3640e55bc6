# SPDX-License-Identifier: GPL-2.0-only
"""The report: contents, verdicts, links that lead somewhere, nothing from the network."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from conftest import Project

BROWSERS = ("chromium", "google-chrome", "chromium-browser")
# What a reader does to see nothing but what holds, and what is then in sight.
FILTERING = """<script>
for (const box of boxes) {
  box.checked = box.value === "holds";
  box.dispatchEvent(new Event("change"));
}
const rows = [...document.querySelectorAll("[data-verdict]")];
const seen = rows.filter(row => row.offsetParent !== null).map(row => row.dataset.verdict);
document.title = "seen: " + seen.join(", ") + ";";
</script>"""


class Page(HTMLParser):
    """What a page refers to and shows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.verdicts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects links, names and verdicts."""
        given = dict(attrs)
        self.targets += [value for key in ("href", "src") if (value := given.get(key))]
        self.names |= {given["id"]} if "id" in given else set()
        self.verdicts += [given["data-verdict"]] if "data-verdict" in given else []


@pytest.fixture
def report(finished: Project) -> tuple[Project, str]:
    """The report after a run."""
    return finished, (finished.home / "results" / "quick" / "report.html").read_text()


def test_every_link_leads_somewhere(report: tuple[Project, str]) -> None:
    project, text = report
    page = Page(text)
    folder = project.home / "results" / "quick"
    for target in page.targets:
        assert "://" not in target
        if target.startswith("#"):
            assert target[1:] in page.names
        else:
            assert (folder / target).exists(), target
    assert {"tiny/mean.png", "tiny/runs.csv", "../../experiments/tiny.yaml"} <= set(page.targets)


def test_claims_are_counted_and_can_be_filtered(report: tuple[Project, str]) -> None:
    _, text = report
    verdicts = Page(text).verdicts
    assert len(verdicts) == 4
    for name, count in re.findall(r'value="([a-z ]+)" checked> (\d+)', text):
        assert verdicts.count(name) == int(count)


def test_numbers_come_with_unit_interval_and_ratio(report: tuple[Project, str]) -> None:
    _, text = report
    row = text[text.index('id="tiny-c2"') : text.index('id="tiny-c3"')]
    assert re.search(r"<td>3 x</td>\s*<td>[\d.]+ ± [\d.e-]+ x</td>\s*<td>\d\.\d\d</td>", row), row


@pytest.mark.slow
def test_the_other_profile_stands_beside(report: tuple[Project, str]) -> None:
    project, text = report
    assert "paper: " not in text
    other = project.home / "results" / "paper" / "tiny"
    other.mkdir(parents=True)
    rows = [
        {"id": "tiny-c1", "verdict": "holds", "measured": "fast 1 < slow 3"},
        {"id": "tiny-c2", "verdict": "differs", "measured": 2.5},
    ]
    (other / "claims.json").write_text(json.dumps(rows))
    assert project.repro("run", "--no-build", "tiny").returncode == 0
    for name in ("report.html", "report.md"):
        written = (project.home / "results" / "quick" / name).read_text()
        assert written.count("paper: holds") == 1
        assert written.count("paper: differs (2.5)") == 1


@pytest.mark.slow
def test_the_filter_in_a_browser(report: tuple[Project, str]) -> None:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium is installed")
    project, text = report
    page = project.home / "results" / "quick" / "filtered.html"
    page.write_text(text.replace("</body>", FILTERING + "</body>"))
    words = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    profile = f"--user-data-dir={project.home / 'browser'}"
    done = subprocess.run([*words, profile], capture_output=True, text=True, timeout=300)
    verdicts = Page(text).verdicts
    title = re.search("<title>(.*)</title>", done.stdout)
    assert title, done.stderr
    holding = ["holds"] * verdicts.count("holds")
    assert len(holding) < len(verdicts)
    assert title[1].startswith(f"seen: {', '.join(holding)};"), title[1]
