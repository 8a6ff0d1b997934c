"""The pages of docs/python: what they name exists, what they show runs, and the pictures can be made."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

import appell

PAGES = Path(__file__).parents[2] / "docs" / "python"
INDEX = (PAGES / "index.md").read_text(encoding="utf-8")
SUBMODULES = ("casadi", "compat", "jax", "torch")


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])(?:robot|stewart)\.(\w+)", text))
    missing = {name for name in named if not hasattr(appell.Robot, name)}
    named = set(re.findall(r"\bappell\.([A-Za-z]\w*)", text)) - set(SUBMODULES)
    missing |= {name for name in named if not hasattr(appell, name)}
    assert not missing


def test_five_lines() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", INDEX, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    assert len(block.splitlines()) == 5
    assert names["tau"].shape == (6,) and names["forces"].shape == (3,)


def gallery() -> Any:
    for name in ("matplotlib", "scipy"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    spec = importlib.util.spec_from_file_location("gallery", PAGES / "gallery.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("picture", sorted(path.stem for path in (PAGES / "images").iterdir()))
def test_picture_can_be_made(picture: str) -> None:
    made = getattr(gallery(), picture.replace("-", "_"))()  # which checks its own numbers
    if isinstance(made, appell.Drawing):
        assert made.svg.startswith("<svg")
    else:
        import matplotlib.pyplot as plt

        assert made.axes
        plt.close(made)


def test_gallery_shows_all_pictures() -> None:
    page = (PAGES / "gallery.md").read_text(encoding="utf-8")
    for path in (PAGES / "images").iterdir():
        assert f"images/{path.name}" in page and f":pyobject: {path.stem.replace('-', '_')}\n" in page
