"""Sweeps: spaces by index, the same bits from every backend and after every interruption, and folders that hold one sweep."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import appell
import numpy as np
import pytest
from appell import _backends
from states import PUMA, STEWART, run

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

BOX = {"x": (-1.0, 1.0), "y": (0.0, 2.0)}
SPACES: list[Any] = [
    appell.Grid(BOX, {"x": 40, "y": 25}),
    appell.Random(BOX, 1000, seed=3),
    appell.LatinHypercube(BOX, 1000, seed=3),
    appell.Sobol(BOX, 1000, seed=3),
    appell.Points({"x": np.linspace(-1, 1, 1000), "y": np.linspace(2, 0, 1000)}),
    appell.Refine(BOX, 8, depth=3, by="inside"),
]


def disc(chunk: dict[str, Any], radius: float = 0.8) -> dict[str, Any]:
    r = np.hypot(chunk["x"], chunk["y"] - 1)
    return {"inside": r < radius, "r": r, "both": np.column_stack([chunk["x"], r]).astype(np.float32)}


def disc_at(point: dict[str, float]) -> dict[str, Any]:
    r = np.hypot(point["x"], point["y"] - 1)
    return {"inside": r < 0.8, "r": r, "both": np.float32([point["x"], r])}


def torques(chunk: dict[str, Any], robot: appell.Robot) -> dict[str, Any]:
    q = np.column_stack([chunk[f"q{k}"] for k in range(6)])
    return {"tau": robot.inverse_dynamics(q, 0.1 * q, 0.2 * q)}


def forces(chunk: dict[str, Any], robot: appell.Robot) -> dict[str, Any]:
    q = robot.home_positions + np.column_stack([chunk[f"q{k}"] for k in range(6)]) * 0.02
    return {"tau": robot.inverse_dynamics(q), "type2": robot.singularity(q)[:, 1]}


def same(one: Any, other: Any) -> bool:
    return one.names == other.names and all(one[name].tobytes() == other[name].tobytes() and one[name].dtype == other[name].dtype for name in one.names)


# Spaces


def test_sobol_points_are_those_of_scipy() -> None:
    qmc = pytest.importorskip("scipy.stats").qmc
    space = appell.Sobol({f"x{k}": (0, 1) for k in range(64)}, 2048)
    space._key = lambda dimension, use: np.zeros(1, dtype=np.uint64)  # type: ignore[method-assign]  # no shift
    found = np.column_stack(list(space.points(5).values()))
    assert (found == qmc.Sobol(64, scramble=False, bits=52).random(2048)[5:]).all()


@pytest.mark.parametrize("count", [1, 2, 7, 16, 17, 1000, 4097])
def test_latin_hypercubes_have_one_point_a_slice(count: int) -> None:
    points = appell.LatinHypercube({"a": (0, 1), "b": (5, 7)}, count, seed=5).points()
    for values, (low, high) in zip(points.values(), [(0, 1), (5, 7)]):
        assert sorted(((values - low) / (high - low) * count).astype(int)) == list(range(count))
    if count == 1000:
        assert abs(np.corrcoef(points["a"], points["b"])[0, 1]) < 0.1


def test_random_points_are_even_and_independent() -> None:
    points = appell.Random(BOX, 40_000, seed=1).points()
    x = (points["x"] + 1) / 2
    assert abs(x.mean() - 0.5) < 0.01 and abs(x.var() * 12 - 1) < 0.02
    assert abs(np.corrcoef(x, points["y"])[0, 1]) < 0.02 and abs(np.corrcoef(x[1:], x[:-1])[0, 1]) < 0.02
    assert not (appell.Random(BOX, 10, seed=2).points()["x"] == points["x"][:10]).any()


@pytest.mark.parametrize("space", SPACES[:-1], ids=lambda space: space.kind)
def test_a_point_depends_on_its_index_alone(space: Any) -> None:
    whole = space.points()
    part = space.points(300, 317)
    assert all((whole[name][300:317] == part[name]).all() for name in space.names)
    assert all((low <= whole[name]).all() and (whole[name] <= high).all() for name, (low, high) in space.bounds.items())


def test_a_space_of_any_size_needs_no_memory() -> None:
    for kind in (appell.LatinHypercube, appell.Sobol, appell.Random):
        points = kind(BOX, 10**12, seed=9).points(10**11, 10**11 + 3)
        assert len(set(points["x"])) == 3 and (np.abs(points["x"]) <= 1).all()


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_spaces_are_made_again_from_what_they_say(space: Any) -> None:
    from appell._space import space_of

    assert space_of(json.loads(json.dumps(space._describe()))) == space


def test_grids_are_in_the_order_of_arrays() -> None:
    found = appell.sweep(disc, SPACES[0])
    x, y = np.meshgrid(np.linspace(-1, 1, 40), np.linspace(0, 2, 25), indexing="ij")
    assert (found.on_grid("x") == x).all() and (found.on_grid("y") == y).all()
    assert found.on_grid("both").shape == (40, 25, 2)


def test_refinement_finds_a_border() -> None:
    areas = []
    for depth in (0, 2, 5):
        found = appell.sweep(disc, appell.Refine(BOX, 8, depth=depth, by="inside"))
        leaves, volumes = found.leaves, found.volumes
        assert volumes[leaves].sum() == pytest.approx(4.0, rel=1e-12)
        areas.append(float((found["inside"] * volumes)[leaves].sum()))
        assert (found["level"][leaves & (np.abs(found["r"] - 0.8) < 0.01)] == depth).all()
        # What is far from the border stays coarse.
        assert (found["level"][found["r"] < 0.3] == 0).all()
    errors = np.abs(np.array(areas) - np.pi * 0.64)
    assert errors[-1] < 0.005 < errors[0]
    # A level of a number has the same border.
    by_number = appell.sweep(disc, appell.Refine(BOX, 8, depth=5, by="r", level=0.8))
    assert len(by_number) == len(found) and (by_number["index"] == found["index"]).all()


# The same bits


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_folder_memory_and_workers_give_the_same_bits(space: Any, tmp_path: Path) -> None:
    here = appell.sweep(disc, space, chunk=97, workers=1)
    stored = appell.sweep(disc, space, folder=tmp_path / "a", chunk=97, workers=3)
    assert same(here, stored) and same(here, appell.Swept.open(tmp_path / "a"))
    assert same(here, appell.sweep(disc, space, chunk=50))
    assert same(here, appell.sweep(disc_at, space, each="point"))


@pytest.mark.parametrize(("robot", "function"), [(PUMA, torques), (STEWART, forces)], ids=["puma", "stewart"])
def test_robots_give_the_same_bits_for_any_workers(robot: appell.Robot, function: Any) -> None:
    space = appell.Sobol({f"q{k}": (-1.0, 1.0) for k in range(6)}, 5000)
    one = appell.sweep(function, space, given={"robot": robot}, chunk=700, workers=1)
    assert same(one, appell.sweep(function, space, given={"robot": robot}, chunk=700, workers=4))
    assert one.robots["robot"] == robot


def test_other_processes_give_the_same_bits(tmp_path: Path) -> None:
    program = f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import appell, test_sweep
        if __name__ == "__main__":
            space = appell.Sobol({{f"q{{k}}": (-1.0, 1.0) for k in range(6)}}, 1000)
            given = {{"robot": appell.load("puma560")}}
            one = appell.sweep(test_sweep.torques, space, given=given, chunk=100)
            other = appell.sweep(test_sweep.torques, space, "processes", given=given, chunk=100, workers=2, folder={str(tmp_path / "a")!r})
            print(test_sweep.same(one, other))
    """
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(program))
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=90)
    assert done.stdout == "True\n", done.stderr


# Folders


class Interrupted:
    """A function that fails after so many calls; what it says of itself stays the same."""

    def __init__(self) -> None:
        self.calls = 0
        self.limit = 10**9

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __call__(self, chunk: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        if self.calls > self.limit:
            raise RuntimeError("the power is gone")
        return disc(chunk)


@pytest.mark.parametrize("space", [SPACES[3], SPACES[5]], ids=lambda space: space.kind)
def test_an_interrupted_sweep_goes_on(space: Any, tmp_path: Path) -> None:
    function = Interrupted()
    whole = appell.sweep(function, space, chunk=50, workers=1)
    needed = function.calls
    assert needed > 5
    function.calls, function.limit = 0, needed - 2
    with pytest.raises(appell.SweepError, match="part-.*fails with RuntimeError: the power is gone"):
        appell.sweep(function, space, chunk=50, folder=tmp_path / "a", workers=1)
    with pytest.raises(appell.SweepError, match="was not finished; call it again"):
        appell.Swept.open(tmp_path / "a")
    parts = sorted((tmp_path / "a" / "parts").iterdir())
    assert len(parts) == needed - 2
    # A file that was cut off, by what moved it, is no part; one of another sweep neither.
    parts[0].write_bytes(parts[0].read_bytes()[:-20])
    before = {path: path.stat().st_mtime_ns for path in parts[1:]}
    function.calls, function.limit = 0, 10**9
    again = appell.sweep(function, space, chunk=50, folder=tmp_path / "a", workers=1)
    assert function.calls == 3 and same(again, whole)
    assert {path: path.stat().st_mtime_ns for path in parts[1:]} == before
    assert len(again.manifest["runs"]) == 2
    assert not list((tmp_path / "a" / "parts").glob(".*"))


def test_a_sweep_that_is_killed_goes_on(tmp_path: Path) -> None:
    program = f"""
        import os, sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import appell, test_sweep
        function = test_sweep.Interrupted()
        calls = 0
        class Killed(test_sweep.Interrupted):
            pass
        original = appell._parts.write_part
        def write(path, columns, of):
            global calls
            calls += 1
            if calls == 5:
                path.with_name(f".{{path.name}}.half.tmp").write_bytes(b"PAR1")
                os.kill(os.getpid(), 9)
            original(path, columns, of)
        appell._parts.write_part = write
        appell.sweep(test_sweep.disc, test_sweep.SPACES[3], chunk=50, folder={str(tmp_path / "a")!r}, workers=1)
    """
    done = run("import appell, appell._parts\n" + textwrap.dedent(program))
    assert done.returncode == -9, done.stderr
    names = sorted(path.name for path in (tmp_path / "a" / "parts").iterdir())
    assert len([name for name in names if not name.startswith(".")]) == 4
    found = appell.sweep(disc, SPACES[3], chunk=50, folder=tmp_path / "a")
    assert same(found, appell.sweep(disc, SPACES[3], chunk=50))
    assert not list((tmp_path / "a" / "parts").glob(".*"))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    appell.sweep(disc, SPACES[3], folder=folder)
    content = {path: path.read_bytes() for path in folder.rglob("*.parquet")}
    for other, what in [
        (lambda: appell.sweep(disc, SPACES[1], folder=folder), "space"),
        (lambda: appell.sweep(forces, SPACES[3], folder=folder), "function"),
        (lambda: appell.sweep(disc, SPACES[3], folder=folder, given={"radius": 0.7}), "given"),
        (lambda: appell.sweep(disc, SPACES[3], folder=folder, chunk=10), "chunk"),
        (lambda: appell.sweep(disc, SPACES[3], folder=folder, keep=["x"]), "keep"),
    ]:
        with pytest.raises(appell.SweepError, match=f"holds another sweep: its {what} is.*give another folder"):
            other()
    assert {path: path.read_bytes() for path in folder.rglob("*.parquet")} == content
    strange = tmp_path / "b"
    strange.mkdir()
    (strange / "letter.txt").write_text("dear")
    with pytest.raises(appell.SweepError, match="holds files and no sweep"):
        appell.sweep(disc, SPACES[3], folder=strange)
    with pytest.raises(appell.SweepError, match="holds no sweep"):
        appell.Swept.open(strange)
    (folder / "sweep.json").write_text("{")
    with pytest.raises(appell.SweepError, match="is no manifest"):
        appell.Swept.open(folder)


def test_a_manifest_says_what_is_needed_to_repeat(tmp_path: Path) -> None:
    robot = PUMA.with_payload(2.0).with_joint("elbow", viscous=0.5)
    space = appell.Sobol({f"q{k}": (-1.0, 1.0) for k in range(6)}, 64, seed=5)
    made = appell.sweep(torques, space, given={"robot": robot}, folder=tmp_path / "a", keep=())
    found = appell.Swept.open(tmp_path / "a")
    assert found.names == ["index", "tau"] and found.space == space and len(found) == 64
    assert found.robots == {"robot": robot}
    what = json.loads((tmp_path / "a" / "sweep.json").read_text())["what"]
    assert what["function"]["name"] == "torques" and len(what["function"]["sha256"]) == 64 and what["appell"] == appell.__version__
    repeated = appell.sweep(torques, found.space, given=dict(found.robots), keep=what["keep"], chunk=what["chunk"])
    assert same(made, repeated)


def test_any_tool_reads_the_parts(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    found = appell.sweep(disc, SPACES[3], folder=tmp_path / "a", chunk=300)
    table = pandas.read_parquet(tmp_path / "a" / "parts")
    assert len(table) == 1000 and (table["r"].to_numpy() == found["r"]).all()
    assert list(found.to_pandas().columns) == ["index", "x", "y", "inside", "r", "both.0", "both.1"]
    assert [len(part["r"]) for part in found.parts()] == [300, 300, 300, 100]


def extent(columns: dict[str, Any]) -> dict[str, Any]:
    return {"least": columns["r"].min(keepdims=True), "most": columns["r"].max(keepdims=True)}


def test_a_chunk_is_reduced_where_it_is_computed(tmp_path: Path) -> None:
    found = appell.sweep(disc, SPACES[1], chunk=100, reduce=extent, folder=tmp_path / "a")
    assert len(found) == 10 and found.names == ["least", "most"]
    assert found["most"].max() == appell.sweep(disc, SPACES[1])["r"].max()
    assert same(found, appell.sweep(disc, SPACES[1], chunk=100, reduce=extent, folder=tmp_path / "a"))


# Refusals


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: appell.Grid({}, 3), "a space without dimensions"),
        (lambda: appell.Grid({"x": (1, 0)}, 3), "`x` from 1.0 to 0.0 is no range"),
        (lambda: appell.Grid({"x": (0, np.inf)}, 3), "is no range"),
        (lambda: appell.Grid({"index": (0, 1)}, 3), "a dimension is named 'index'"),
        (lambda: appell.Grid({"x": (0, 1)}, 0), "`points` is 0"),
        (lambda: appell.Grid({"x": (0, 1)}, {"y": 3}), "dimensions are x"),
        (lambda: appell.Grid({"x": (0, 1, 2)}, 3), "expected two numbers"),
        (lambda: appell.Sobol({"x": (0, 1)}, 3, seed=-1), "`seed` is -1"),
        (lambda: appell.Sobol({f"x{k}": (0, 1) for k in range(65)}, 3), "Sobol has 64 at most"),
        (lambda: appell.Refine({f"x{k}": (0, 1) for k in range(6)}, 4, 20, "y"), "split less often"),
        (lambda: appell.Points({"x": [1, 2], "y": [1]}), "expected as many numbers of every name"),
        (lambda: appell.Points({"x": [np.nan]}), "is NaN or infinite"),
    ],
)
def test_spaces_that_are_none(call: Any, says: str) -> None:
    with pytest.raises(appell.AppellError, match=says):
        call()


@pytest.mark.parametrize(
    ("function", "options", "says"),
    [
        (lambda chunk: {"z": np.zeros(3)}, {}, r"answers `z` with shape \(3,\); expected 1000 rows"),
        (lambda chunk: {"z": np.array(["a"] * 1000)}, {}, "expected truths, whole numbers or"),
        (lambda chunk: None, {}, "answers a NoneType; expected arrays by name"),
        (lambda chunk: {"x": chunk["x"]}, {}, "answers `x`, which is the name of a coordinate"),
        (lambda chunk: {"z": chunk["w"]}, {}, "fails with KeyError: 'w'"),
        (lambda point: {"z": 1 / 0}, {"each": "point"}, "fails at x = .*, y = .* with ZeroDivisionError"),
        (lambda point: {"z": 1.0} if point["x"] > 0 else {}, {"each": "point"}, "the same for all points"),
        (lambda chunk: {"z": chunk["x"].astype(int if chunk["x"][0] > 0 else float)}, {"chunk": 10}, "answer the same kinds and shapes for all points"),
        (disc, {"backend": "moon"}, 'no backend "moon"'),
        (disc, {"each": "row"}, 'each="row"'),
        (lambda chunk: {1: chunk["x"]}, {}, "a column that is named 1; expected a text"),
        (disc, {"reduce": lambda columns: columns["q"]}, "<lambda> fails with KeyError: 'q'"),
        (disc, {"reduce": lambda columns: {"most": columns["r"].max()}}, "expected an array of one row or more"),
        (lambda chunk: disc(chunk), {"backend": "processes"}, "cannot be sent to other processes"),
        (disc, {"chunk": 0}, "chunk=0"),
        (disc, {"chunk": "a"}, "chunk=a"),
        (disc, {"chunk": np.nan}, "chunk=nan"),
        (disc, {"workers": 0}, "workers=0"),
        (disc, {"workers": "2"}, "workers=2"),
        (disc, {"keep": ["z"]}, "no dimension `z`"),
        (disc, {"given": {"lock": multiprocessing.Lock()}}, "cannot be written down"),
    ],
)
def test_sweeps_that_are_none(function: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(appell.SweepError, match=says):
        appell.sweep(function, SPACES[3], **options)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: appell.sweep(3, SPACES[0]), TypeError, "the function is a int"),  # type: ignore[arg-type]
        (lambda: appell.sweep(disc, [1, 2]), TypeError, "the space is a list; expected an appell.Grid"),  # type: ignore[arg-type]
        (lambda: appell.sweep(disc, SPACES[0], given=[1]), TypeError, "given is a list"),  # type: ignore[arg-type]
        (lambda: appell.Grid([("x", (0, 1))], 3), TypeError, "bounds are a list"),  # type: ignore[arg-type]
        (lambda: appell.Grid(BOX, 10**10), appell.NumberError, "in all,` is 100000000000000000000"),
        (lambda: appell.Grid(BOX, "a"), appell.NumberError, "`points` is 'a'"),  # type: ignore[arg-type]
        (lambda: appell.Random(BOX, 3, seed=1.7), appell.NumberError, "`seed` is 1.7"),  # type: ignore[arg-type]
        (lambda: list(appell.sweep(disc, SPACES[0]).parts(["zz"])), appell.SweepError, "no column `zz`"),
    ],
)
def test_what_is_no_sweep_is_said(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_coordinates_are_stored_as_they_were() -> None:
    def doubled(chunk: dict[str, Any]) -> dict[str, Any]:
        chunk["x"] *= 2
        return {"double": chunk.pop("x")}

    found = appell.sweep(doubled, appell.Grid({"x": (0, 4)}, 5))
    assert found["x"].tolist() == [0, 1, 2, 3, 4] and found["double"].tolist() == [0, 2, 4, 6, 8]
    assert appell.sweep(disc, SPACES[0], keep="x").names == ["index", "x", "inside", "r", "both"]


def test_a_damaged_part_is_named_and_computed_again(tmp_path: Path) -> None:
    found = appell.sweep(disc, SPACES[0], folder=tmp_path / "a")
    (part,) = (tmp_path / "a" / "parts").iterdir()
    part.write_bytes(b"junk")
    with pytest.raises(appell.SweepError, match="part-00000000.parquet cannot be read.*computes it again"):
        found["r"]
    assert same(appell.sweep(disc, SPACES[0], folder=tmp_path / "a"), appell.sweep(disc, SPACES[0]))


def test_refinement_needs_its_column() -> None:
    with pytest.raises(appell.SweepError, match="is refined by `z`, which disc does not answer; it has inside, r, both"):
        appell.sweep(disc, appell.Refine(BOX, 4, 1, by="z"))
    with pytest.raises(appell.SweepError, match="no column `z`"):
        appell.sweep(disc, SPACES[0])["z"]
    with pytest.raises(appell.SweepError, match="leaves are of sweeps over appell.Refine"):
        appell.sweep(disc, SPACES[0]).leaves  # noqa: B018


def test_what_is_missing_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'appell\[sweep\]'; without folder= it stays in memory"):
        appell.sweep(disc, SPACES[0], folder=tmp_path / "a")
    assert len(appell.sweep(disc, SPACES[0])) == 1000
    with pytest.raises(ImportError, match=r"pip install 'appell\[cluster\]'"):
        appell.sweep(disc, SPACES[0], "ray")


def test_few_chunks_are_in_flight() -> None:
    """A sweep of any size is cut while it runs."""
    made = 0

    def tasks() -> Any:
        nonlocal made
        for k in range(1000):
            made += 1
            yield str(k), k

    most = 0
    for done, _ in enumerate(_backends.run("local", lambda name, piece: piece, tasks(), 3, {})):
        most = max(most, made - done)
    assert made == 1000 and most <= 3 * _backends.IN_FLIGHT + 1
