"""appell beside Pinocchio, both from Python, on every robot of example-robot-data: fixed and with a free base, to 1e-10.

Needs `pin` and `example-robot-data`. Velocities of a free base are in its own axes, linear first, and its quaternion is
x, y, z, w on both sides; joints that turn without end are an angle to appell, and a cosine and a sine to Pinocchio.
"""

from __future__ import annotations

import functools
import sys
import warnings
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

import appell

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pinocchio as pin
except ImportError:
    pytest.skip("Pinocchio is not installed: pip install pin", allow_module_level=True)

TOLERANCE = 1e-10
STATES = 4


def folder() -> Optional[Path]:
    """Where example-robot-data keeps its robots."""
    for path in sys.path:
        found = Path(path) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
        if found.is_dir():
            return found
    return None


FOLDER = folder()
if FOLDER is None:
    pytest.skip("its robots are not installed: pip install example-robot-data", allow_module_level=True)

FILES = sorted(FOLDER.rglob("*.urdf"))


class Pair:
    """One file read by both, with the positions and the order of joints of one turned into those of the other."""

    def __init__(self, path: Path, floating: bool) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", appell.FileWarning)
            robot = appell.load(path, floating_base=floating)
        # Pinocchio keeps friction of a file, and does not apply it.
        for joint in robot.joints:
            if joint["name"] not in robot.positions:
                continue
            robot = robot.with_joint(joint["name"], viscous=0.0, coulomb=0.0, offset=0.0, rotor_inertia=0.0)
        self.robot = robot
        root = [pin.JointModelFreeFlyer()] if floating else []
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.model.gravity.linear = np.asarray(robot.gravity_vector)
        self.model.rotorInertia[:] = 0.0
        self.model.armature[:] = 0.0
        self.data = self.model.createData()
        names = list(dict.fromkeys(name.rpartition(".")[0] if name.endswith(tuple(ENDS)) else name for name in robot.positions))
        assert sorted(names) == sorted(list(self.model.names)[1:]), "both have the same joints"
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in names]
        self.order = [k for joint in self.joints for k in range(joint.idx_v, joint.idx_v + joint.nv)]

    def states(self) -> tuple[Any, Any, Any, Any]:
        """Random states in the order of appell."""
        rng = np.random.default_rng(1)
        q = []
        for _ in range(STATES):
            row: list[float] = []
            for joint in self.joints:
                if joint.nv == 6:
                    quaternion = rng.normal(size=4)
                    row += [*rng.uniform(-1, 1, 3), *(quaternion / np.linalg.norm(quaternion))]
                else:
                    row.append(rng.uniform(-np.pi, np.pi))
            q.append(row)
        n = len(self.order)
        return np.array(q), *(rng.uniform(-size, size, (STATES, n)) for size in (2, 4, 20))  # type: ignore[return-value]

    def position(self, q: Any) -> Any:
        """A position as Pinocchio has it."""
        found, start = pin.neutral(self.model), 0
        for joint in self.joints:
            own = q[start : start + (7 if joint.nv == 6 else 1)]
            start += len(own)
            found[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(own[0]), np.sin(own[0])] if joint.nq == 2 else own
        return found

    def theirs(self, vector: Any) -> Any:
        """A velocity or force in the order of Pinocchio."""
        found = np.zeros(self.model.nv)
        found[self.order] = vector
        return found

    def ours(self, vector: Any) -> Any:
        """The same in the order of appell."""
        return np.array(vector)[..., self.order]

    def square(self, matrix: Any) -> Any:
        """A matrix in the order of appell."""
        return np.array(matrix)[np.ix_(self.order, self.order)]

    def squares(self, derivatives: Any) -> list[Any]:
        """Copies of three matrices, of which the last one is symmetric; Pinocchio writes over them at its next call."""
        by_q, by_v, last = derivatives
        return [self.square(by_q), self.square(by_v), self.square(symmetric(last))]


ENDS = [".px", ".py", ".pz", ".qx", ".qy", ".qz", ".qw"]


def symmetric(upper: Any) -> Any:
    """A matrix of which the upper half is filled."""
    return np.triu(upper) + np.triu(upper, 1).T


def gap(ours: Any, theirs: list[Any], scale: float = 0.0) -> float:
    """The largest difference over the largest number of a state, the worst of all states."""
    found = 0.0
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        assert np.shape(one) == np.shape(other)
        size = max(float(np.max(np.abs(other), initial=0.0)), scale)
        difference = float(np.max(np.abs(np.asarray(one) - other), initial=0.0))
        found = max(found, difference / size if size > 0 else difference)
    return found


@functools.lru_cache(maxsize=None)
def without_joints(path: Path, floating: bool) -> Optional[str]:
    """Why a file gives nothing to compare: Pinocchio refuses it, or nothing moves."""
    try:
        model = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if floating else []))
    except Exception as error:
        return f"Pinocchio refuses it: {str(error).splitlines()[0][:80]}"
    return None if model.nv else "nothing of it moves"


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_agreement(path: Path, floating: bool) -> None:
    reason = without_joints(path, floating)
    if reason is not None:
        pytest.skip(reason)
    pair = Pair(path, floating)
    robot, model, data = pair.robot, pair.model, pair.data
    q, v, a, tau = pair.states()
    given = [(pair.position(q[i]), *(pair.theirs(x[i]) for x in (v, a, tau))) for i in range(STATES)]
    found: dict[str, float] = {}

    torques = [pair.ours(pin.rnea(model, data, p, w, b)) for p, w, b, _ in given]
    scale = float(np.abs(torques).max())
    found["inverse dynamics"] = gap(robot.inverse_dynamics(q, v, a), torques)
    found["one state"] = gap([robot.inverse_dynamics(q[0], v[0], a[0])], torques[:1])
    inertia = [pair.square(symmetric(pin.crba(model, data, p))) for p, *_ in given]
    found["inertia matrix"] = gap(robot.inertia_matrix(q), inertia)
    found["bias"] = gap(robot.bias(q, v), [pair.ours(pin.nonLinearEffects(model, data, p, w)) for p, w, *_ in given], 1e-3 * scale)
    gravity = [pair.ours(pin.computeGeneralizedGravity(model, data, p)) for p, *_ in given]
    found["gravity"] = gap(robot.gravity(q), gravity, 1e-3 * scale)
    energy = [[pin.computeKineticEnergy(model, data, p, w), pin.computePotentialEnergy(model, data, p)] for p, w, *_ in given]
    found["energy"] = gap(robot.energy(q, v), [np.array(pair_) for pair_ in energy])
    derivatives = [pair.squares(pin.computeRNEADerivatives(model, data, p, w, b)) for p, w, b, _ in given]
    for k, by in enumerate(robot.inverse_dynamics_derivatives(q, v, a)):
        found[f"derivative by {'qva'[k]}"] = gap(by, [one[k] for one in derivatives], 1e-3 * scale)

    for name in jacobians(pair):
        frame = model.getFrameId(name, pin.FrameType.BODY)
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        expected = [pin.computeFrameJacobian(model, data, p, frame, axes)[:, pair.order] for p, *_ in given]
        found[f"Jacobian of {name}"] = gap(robot.jacobian(q, frame=called(robot, name)), expected)
        poses = []
        for p, *_ in given:
            pin.framesForwardKinematics(model, data, p)
            poses.append(data.oMf[frame].homogeneous.copy())
        found[f"pose of {name}"] = gap(robot.pose(q, called(robot, name)), poses)
    worst = max(found, key=found.__getitem__)
    assert found[worst] <= TOLERANCE, (worst, found[worst])

    # Accelerations are as near as the condition of the inertia matrix lets them.
    condition = max(float(np.linalg.cond(M)) for M in inertia)
    values = np.linalg.eigvalsh(inertia[0])
    if values[0] <= 1e-12 * values[-1]:
        return  # some joint moves nothing
    allowed = max(TOLERANCE, 20 * condition * np.finfo(float).eps)
    accelerations = [pair.ours(pin.aba(model, data, p, w, t)) for p, w, _, t in given]
    assert gap(robot.forward_dynamics(q, v, tau), accelerations) <= allowed
    exact = [pair.squares(pin.computeABADerivatives(model, data, p, w, t)) for p, w, _, t in given]
    for k, by in enumerate(robot.forward_dynamics_derivatives(q, v, tau)):
        size = 1e-3 * float(np.abs(accelerations).max())
        assert gap(by, [one[k] for one in exact], size) <= 10 * allowed, f"forward dynamics by {['q', 'v', 'tau'][k]}"


def called(robot: appell.Robot, link: str) -> str:
    """The frame of a link: where a joint has the same name, it is set apart."""
    return f"link:{link}" if f"link:{link}" in robot.frame_names else link


def jacobians(pair: Pair) -> list[str]:
    """Two links that move, of those that both sides name."""
    known = set(pair.robot.frame_names)
    frames = [frame for frame in pair.model.frames if frame.type == pin.FrameType.BODY and frame.parentJoint > 0]
    names = [frame.name for frame in frames if called(pair.robot, frame.name) in known]
    assert names, "some link has a frame"
    return names[-2:]
