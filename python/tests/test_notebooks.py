"""The tutorial: every notebook runs from its first cell to its last, where each checks its own numbers, and shows a picture."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

TUTORIAL = Path(__file__).parents[2] / "docs" / "python" / "tutorial"
NOTEBOOKS = sorted(TUTORIAL.glob("*.ipynb"))

#: What a notebook may need that the tests do without.
OPTIONAL = ("casadi", "matplotlib", "pandas", "scipy")

#: Seconds for each, on a machine that does other work, too; alone they take less than 15.
TIMEOUT = 120


def missing(name: str) -> bool:
    return importlib.util.find_spec(name) is None


def read(path: Path) -> Any:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    return nbformat.read(path, as_version=4)


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_six() -> None:
    assert [path.name[0] for path in NOTEBOOKS] == list("123456")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_has_no_outputs_and_checks_its_numbers(path: Path) -> None:
    notebook = read(path)
    cells = code(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in cells), "strip the outputs before a commit"
    assert sum("assert " in cell.source for cell in cells) >= 3
    assert 10 <= len(notebook.cells) <= 20


@pytest.mark.filterwarnings("ignore")  # of Jupyter's own
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel, which runs notebooks, is not installed")
    notebook = read(path)
    source = "\n".join(cell.source for cell in code(notebook))
    for name in OPTIONAL:
        if name in source and missing(name):
            pytest.skip(f"{path.name} needs {name}, which is not installed")
    monkeypatch.setenv("APPELL_CACHE", str(tmp_path / "cache"))
    client = nbclient.NotebookClient(
        notebook, timeout=TIMEOUT, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()  # raises at the first cell that does
    kinds = {kind for cell in code(notebook) for output in cell.outputs for kind in output.get("data", {})}
    assert kinds & {"image/png", "image/svg+xml"}, "no picture"
