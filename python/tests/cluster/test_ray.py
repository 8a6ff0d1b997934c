"""Sweeps on a Ray cluster of two nodes: the same bits as here, whoever is killed."""

from __future__ import annotations

import importlib
import os
import signal
import time
from pathlib import Path
from typing import Any, Iterator

import appell
import numpy as np
import pytest

ray: Any = pytest.importorskip("ray", reason="make test-cluster")
cluster_utils: Any = pytest.importorskip("ray.cluster_utils")

# Ray warns of its own future, and of sockets that its processes leave open.
pytestmark = pytest.mark.filterwarnings("ignore")

SPACE = appell.Sobol({f"q{k}": (-1.0, 1.0) for k in range(6)}, 4000, seed=7)


def slow_torques(chunk: dict[str, Any], robot: appell.Robot, marks: str) -> dict[str, Any]:
    """Torques, a tenth of a second a chunk, with a mark of who computed it."""
    Path(marks, f"{os.getppid()}-{chunk['q0'][0]!r}").touch()
    time.sleep(0.1)
    q = np.column_stack([chunk[f"q{k}"] for k in range(6)])
    return {"tau": robot.inverse_dynamics(q, 0.1 * q, 0.2 * q), "near": robot.singularity(q)}


def wrong(chunk: dict[str, Any]) -> dict[str, Any]:
    raise ValueError("no answer")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    # Workers find this module where the tests are.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    # The driver is on the head, which has one core; the other node has two.
    made = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    )
    made.add_node(num_cpus=2, object_store_memory=80 << 20)
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def same(one: Any, other: Any) -> bool:
    return one.names == other.names and all(one[name].tobytes() == other[name].tobytes() for name in one.names)


def raylet(node: Any) -> int:
    """The process of a node."""
    (found,) = node.all_processes["raylet"]
    return int(found.process.pid)


@pytest.mark.parametrize("shared_folder", [False, True], ids=["driver writes", "nodes write"])
def test_a_node_is_killed_in_the_middle(cluster: Any, tmp_path: Path, shared_folder: bool) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    given = {"robot": appell.load("puma560"), "marks": str(marks)}
    victim = next(node for node in cluster.list_all_nodes() if node is not cluster.head_node)
    victim_pid = raylet(victim)

    import threading

    killed: list[int] = []

    def kill() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if sum(path.name.startswith(f"{victim_pid}-") for path in marks.iterdir()) >= 6:
                killed.append(len(list(marks.iterdir())))
                os.kill(victim_pid, signal.SIGKILL)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    found = appell.sweep(slow_torques, SPACE, "ray", given=given, chunk=50, folder=tmp_path / "a", shared_folder=shared_folder)
    killer.join()
    assert killed and killed[0] < 80, "the node was killed while there was work"
    assert any(path.name.startswith(f"{raylet(cluster.head_node)}-") for path in marks.iterdir()), "both nodes worked"
    here = appell.sweep(slow_torques, SPACE, given=given, chunk=50)
    assert len(found) == 4000 and same(found, here)
    files = [path.name for path in (tmp_path / "a" / "parts").iterdir()]
    assert len(files) == 80 and all(name.startswith("part-") for name in files)


def disc(chunk: dict[str, Any]) -> dict[str, Any]:
    return {"inside": chunk["x"] ** 2 + chunk["y"] ** 2 < 1}


def test_refinement_and_errors_on_a_cluster(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = appell.Refine({"x": (-2, 2), "y": (-2, 2)}, 8, depth=4, by="inside")
    assert same(appell.sweep(disc, space, "ray", chunk=40, folder=tmp_path / "a"), appell.sweep(disc, space, chunk=40))
    # What was begun on a cluster is finished here.
    part = next((tmp_path / "a" / "parts").iterdir())
    content = part.read_bytes()
    part.unlink()
    appell.sweep(disc, space, chunk=40, folder=tmp_path / "a")
    assert part.read_bytes() == content
    with pytest.raises(appell.SweepError, match="part-00000.*: wrong fails with ValueError: no answer"):
        appell.sweep(wrong, SPACE, "ray")
    # What machines lack is not tried again and again.
    (tmp_path / "of_the_driver_alone.py").write_text("def function(chunk):\n    return {'z': chunk['x']}\n")
    monkeypatch.syspath_prepend(tmp_path)
    module: Any = importlib.import_module("of_the_driver_alone")
    with pytest.raises(appell.SweepError, match="cannot be computed on the cluster(.|\n)*have to be installed on all machines"):
        appell.sweep(module.function, space, "ray", keep=["y"])
