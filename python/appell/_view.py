"""The laboratory with a robot inside: a page for the browser, or inside a notebook."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import webbrowser
from html import escape
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Optional, Union

from ._files import write_whole

#: The variable that names the laboratory's page, before all other places.
VARIABLE = "APPELL_LABORATORY"

#: Where the page leaves room for a robot.
HEAD = "<!-- appell: head -->"


class View:
    """The laboratory with a robot inside, as one page; see :meth:`appell.Robot.view`. A notebook shows it in place.

    >>> view = appell.load("delta").view(open=False)                          # doctest: +SKIP
    """

    def __init__(self, html: str, name: str) -> None:
        #: The text of the page, which needs no other file and makes no network request.
        self.html = html
        #: What is shown.
        self.name = name

    def __repr__(self) -> str:
        return f"<appell.View of {self.name}, {len(self.html) / 1e6:.1f} MB of HTML>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" title="{escape(self.name)}" style="width:100%;height:640px;border:0" allow="fullscreen"></iframe>'

    def save(self, path: Union[str, PathLike[str]], *, overwrite: bool = False) -> Path:
        """Writes the page, whole or not at all; an existing file only with `overwrite`.

        >>> path = appell.load("delta").view(open=False).save("delta.html")      # doctest: +SKIP
        """
        return write_whole(Path(fspath(path)), self.html, overwrite=overwrite)

    def open(self) -> Path:
        """Opens the page in the browser; returns its file, in a folder for temporary ones.

        >>> path = appell.load("delta").view(open=False).open()                   # doctest: +SKIP
        """
        page = self.save(Path(tempfile.mkdtemp(prefix="appell-")) / "laboratory.html")
        webbrowser.open(page.as_uri())
        return page


def view(robot: Any, positions: Optional[list[float]], pose: Optional[list[float]], open: Optional[bool]) -> View:
    """The laboratory with a robot at positions of its joints (of its drives where loops are closed) or at a pose of its platform."""
    given: dict[str, Any] = {"file": f"{robot.name}.toml"}
    source = robot._source
    if source["changes"] or source["floating_base"] or source["format"] is None:
        given["text"] = robot.to_text("toml", lossy=True)
    else:
        given |= {"file": f"{source['name']}.{source['format']}", "text": source["text"]}
    if pose is not None:
        given["pose"] = pose
    elif positions is not None:
        given["q" if robot.kind in ("serial", "tree") else "drives"] = positions
    # Inside a script `</script>` would end it; JSON may write any letter by its number.
    text = json.dumps(given).replace("<", "\\u003c")
    made = View(_page().replace(HEAD, f'<script type="application/json" id="robot">{text}</script>', 1), robot.name)
    if open if open is not None else not _in_notebook():
        made.open()
    return made


def _page() -> str:
    """The page without a robot: the one that a variable names, comes with the package, or is built in its clone."""
    here = Path(__file__).resolve().parent
    named = os.environ.get(VARIABLE)
    places = [Path(named)] if named else [here / "laboratory.html", here.parents[1] / "laboratory" / "dist" / "index.html"]
    for place in places:
        if place.is_file():
            text = place.read_text(encoding="utf-8")
            if HEAD in text:
                return text
            raise ValueError(f"{place} is not the laboratory's page; `make laboratory` in a clone of appell makes it")
    raise FileNotFoundError(
        f"the laboratory's page is not installed with the package ({places[0]}); `make laboratory` in a clone of appell makes it, and "
        f"`pip install .` there takes it along, or {VARIABLE} names its file"
    )


def _in_notebook() -> bool:
    """Whether the answer of a cell is shown as a page is."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"
