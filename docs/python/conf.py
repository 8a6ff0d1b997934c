"""Sphinx: pages in Markdown, notebooks executed while building, the API from docstrings. `make docs` builds it."""

from __future__ import annotations

from typing import Any

from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.util.inspect import TypeAliasForwardRef

import appell

project = "appell"
author = "The appell developers"
release = version = appell.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["gallery.py", "requirements.txt"]
html_theme = "furo"
html_title = f"appell {version}"
html_show_copyright = False
html_copy_source = False

# Docstrings: `name` is code; packages that need not be installed to read about them.
default_role = "code"
autodoc_mock_imports = ["jax", "pinocchio", "torch"]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "Numbers": "Numbers", "Law": "Law", "Recording": "Recording"}
TypeAliasForwardRef.__repr__ = lambda alias: alias.name  # type: ignore[method-assign]  # within unions, too
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

# Every reference must lead somewhere, but for types of other packages: nothing is fetched while building.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!appell\.).*")]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120


def sections(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """NumPy's sections in docstrings of functions. Napoleon as an extension would take comments of attributes for types, up to their colon."""
    if what in ("function", "method"):
        lines[:] = NumpyDocstring(list(lines), Config(), app, what, name, obj, options).lines()


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", sections)
