# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx: the documents where they stand in the project, and the reference made by ./repro docs.

The source folder is the project's, so that links between documents are the same here and there.
"""

import os
from pathlib import Path

HOME = Path(__file__).parent.parent
API = Path(os.environ.get("SUITE_DOXYGEN_XML", ""))

project = "Data-center networking suite for ns-3"
copyright = "the suite's maintainers"
root_doc = "doc/index"
extensions = ["myst_nb"]  # Markdown, and notebooks, which are executed
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
include_patterns = [
    "*.md",
    "results/report/*.md",
    "doc/*.md",
    "doc/*.ipynb",
    "doc/*.rst",
    "doc/reference/**.rst",
    "src/*/doc/*.rst",
]
exclude_patterns = [".*", "build*", "out", "runs", "scratch"]
if API.name:
    extensions.append("breathe")
    breathe_projects = {"suite": str(API)}
    breathe_default_project = "suite"
    breathe_domain_by_extension = {"h": "cpp"}
else:
    exclude_patterns.append("doc/reference/api*")

html_theme = "furo"
html_title = project
html_copy_source = False
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600  # s per cell
highlight_language = "none"
smartquotes = False  # help texts have --options and "quoted values"
# Documents also link to files that are no pages here; the tests follow those links. Breathe shows
# what a class inherits by `using` beside its own form of it.
suppress_warnings = ["myst.xref_missing", "duplicate_declaration.cpp"]
