"""The manual as a site: scripts/docs. Sources are the Markdown files of the whole repository, so that links work in both."""

import ctypes
import pathlib
import re
import sys
import unittest.mock

root = pathlib.Path(__file__).resolve().parent.parent
project = "Holonom"
author = "the authors of Holonom"
copyright = "its authors, GPL-3.0-or-later"
version = release = "".join(re.search(r'holonom VERSION ([\d.]+)(?s:.*?)HOLONOM_PHASE "(.*?)"', (root / "CMakeLists.txt").read_text()).groups())

sys.path[:0] = [str(root / "python"), str(root / "docs")]
ctypes.CDLL = unittest.mock.MagicMock()  # the docstrings are wanted, not the library

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "c_reference", "glossary_links"]  # of which only the mark-up is used: equations are set by KaTeX, without a network
source_suffix = {".md": "markdown"}
root_doc = "docs/index"
include_patterns = ["docs/**", "examples/**", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md"]
exclude_patterns = ["**/*.out/**"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # pages of the gallery begin their sections where they need
nitpicky = True
# Types of other packages, which the hints name, have no page here.
nitpick_ignore_regex = [("c:identifier", r"u?int\d+_t|size_t"), ("py:class", r"(numpy|os|pathlib|MDAnalysis)\..*|Axes|Array|Observer|Force|np\..*|npt\..*|holonom\.functions\.A(Force|nObserver)|ase\..*|Calculator")]

html_theme = "sphinx_rtd_theme"
html_title = f"Holonom {version}"
html_copy_source = False
html_show_sphinx = False

katex = "/usr/share/javascript/katex"  # Debian's libjs-katex
html_static_path = ["static", katex]
html_search_scorer = str(root / "docs/static/scorer.js")
html_css_files = ["katex.min.css", "pages.css"]
html_js_files = ["katex.min.js", "contrib/auto-render.js"]
mathjax_path = "equations.js"
mathjax_options = {"defer": "defer"}


def index_keys(app, name, source):
    """Lets a search for the last word of a key find its heading."""
    if name == "docs/input":
        source[0] = re.sub(r"(?m)^### [\w.\[\]]*\.(\w+)$", r"\g<0>\n\n```{index} \1\n```", source[0])


def setup(app):
    app.connect("source-read", index_keys)
