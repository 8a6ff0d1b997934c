"""What a study gives: a sweep, a table of what follows from it, a picture, and a page of all of these."""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Union

from .. import _appell
from .._files import write_whole
from .._html import escape
from .._robot import Robot
from .._swept import Swept


class Study:
    """A sweep with what follows from it.

    >>> study = appell.studies.dexterity(appell.load("two-link"), {"short": (-2, 2), "long": (0.3, 2.5)}, points=64)
    >>> 0 < study["least"] <= study["median"] <= 1
    True
    """

    def __init__(
        self,
        title: str,
        lead: str,
        robot: Robot,
        swept: Swept,
        table: Mapping[str, tuple[Any, str]],
        picture: Optional[Callable[[Study], Any]] = None,
    ) -> None:
        #: What it is, and in a sentence, what was asked.
        self.title = title
        self.lead = lead
        self.robot = robot
        #: All that was computed.
        self.swept = swept
        #: Names of results to their values and units.
        self.table = dict(table)
        self._picture = picture

    def __getitem__(self, name: str) -> Any:
        if name not in self.table:
            raise KeyError(f"{name}; results are {', '.join(self.table)}")
        return self.table[name][0]

    def plot(self) -> Any:
        """A figure of matplotlib.

        >>> figure = appell.studies.workspace(appell.load("delta"), {"x": (-1, 1), "y": (-1, 1)}).plot()    # doctest: +SKIP
        """
        return None if self._picture is None else self._picture(self)

    def page(self, path: Union[str, PathLike[str]], *, overwrite: bool = False) -> Path:
        """Writes an HTML page that needs no other file: the table, the picture, and all that is needed to repeat the sweep.

        >>> appell.studies.tolerances(appell.load("delta")).page("delta.html")                                # doctest: +SKIP
        """
        title = f"{self.title}: {self.robot.name}"
        page: str = _appell._page(title, escape(self.lead), self._body())
        return write_whole(Path(fspath(path)), page, overwrite=overwrite)

    def _body(self) -> str:
        rows = "".join(
            f"<tr><th scope='row'>{escape(name)}</th><td>{escape(_shown(value))}</td><td>{escape(unit)}</td></tr>"
            for name, (value, unit) in self.table.items()
        )
        table = f"<div class='wide'><table class='numbers'><tbody>{rows}</tbody></table></div>\n"
        manifest = escape(json.dumps(self.swept.manifest, indent=1, ensure_ascii=False))
        columns = ", ".join(self.swept.names)
        where = "kept in memory" if self.swept.folder is None else f"in the folder {self.swept.folder.name}"
        return (
            f"<section><h2>Results</h2>{table}</section>\n{self._figure()}"
            f"<section><h2>Data</h2><p>{len(self.swept)} rows of {escape(columns)}, {escape(where)}.</p>"
            f"<details><summary>All that is needed to repeat it</summary><pre>{manifest}</pre></details></section>\n"
        )

    def _figure(self) -> str:
        figure = self.plot()
        if figure is None:
            return ""
        import base64
        import io

        from .._plot import pyplot

        data = io.BytesIO()
        figure.savefig(data, format="png", dpi=130)
        pyplot().close(figure)
        encoded = base64.b64encode(data.getvalue()).decode()
        caption = escape(f"{self.title} of {self.robot.name}")
        return f"<figure><img alt='{caption}' style='width: 100%' src='data:image/png;base64,{encoded}'><figcaption>{caption}</figcaption></figure>\n"

    def __repr__(self) -> str:
        width = max(map(len, self.table))
        lines = [f"{name:{width}}  {_shown(value)} {unit}".rstrip() for name, (value, unit) in self.table.items()]
        return "\n".join([f"{self.title}: {self.robot.name}", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(_shown(value))}</td><td>{escape(unit)}</td></tr>"
            for name, (value, unit) in self.table.items()
        )
        return f"<b>{escape(self.title)}: {escape(self.robot.name)}</b><p>{escape(self.lead)}</p><table>{rows}</table>"


def _shown(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)
