#!/usr/bin/env python3
"""Reference numbers for built-in robots with loops, by MuJoCo and NumPy: tests/golden/parallel/loops.json.

The robot's file is read anew here: rows by Khalil and Kleinfinger, legs and parallelograms written out. MuJoCo gives the
inertia matrix, the bias and the Jacobians of the open tree, whose platform moves freely; loops are closed by Newton's method,
and the torques of the drives follow from M a + b = S tau + A' lambda by least squares.

    pip install mujoco scipy
    scripts/golden-loops.py crates/appell/robots > tests/golden/parallel/loops.json
"""
import json
import math
import sys
import tomllib

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

NAMES = ["hexaglide", "exechon", "tricept", "palletizer", "delta-parallelograms", "orthoglide", "par4"]


def number(value):
    if not isinstance(value, str):
        return float(value)
    text = value.replace("q", "").strip()
    sign = -1.0 if text.startswith("-") else 1.0
    text = text.lstrip("+-").strip()
    if not text:
        return 0.0
    parts = text.split()
    return sign * float(parts[0]) * (math.pi / 180 if parts[1:] == ["deg"] else 1.0)


def rz(a):
    return Rotation.from_euler("z", a).as_matrix()


def rx(a):
    return Rotation.from_euler("x", a).as_matrix()


def pose(R=None, p=(0, 0, 0)):
    T = np.eye(4)
    T[:3, :3] = np.eye(3) if R is None else R
    T[:3, 3] = p
    return T


def place(section):
    section = section or {}
    roll, pitch, yaw = (number(x) for x in section.get("rpy", [0, 0, 0]))
    R = rz(yaw) @ Rotation.from_euler("y", pitch).as_matrix() @ rx(roll)
    return pose(R, [number(x) for x in section.get("xyz", [0, 0, 0])])


def row(cells, frames, above):
    """Name, kind, parent and the transform at q = 0 of a row."""
    if frames == "modified-dh":
        name, kind, alpha, a, theta, d = cells
        gamma, b, parent = 0, 0, above
        cells = alpha, a, theta, d
    else:
        name, kind, parent, gamma, b, *cells = cells
    alpha, d, theta, r = (number(x) for x in cells)
    T = pose(rz(number(gamma))) @ pose(p=(0, 0, number(b))) @ pose(rx(alpha)) @ pose(p=(d, 0, 0))
    return name, kind, parent, T @ pose(rz(theta)) @ pose(p=(0, 0, r))


def inertia(body):
    i = body.get("inertia", {})
    xx, yy, zz, xy, xz, yz = (i.get(k, 0.0) for k in ("xx", "yy", "zz", "xy", "xz", "yz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


class Robot:
    def __init__(self, file):
        self.bodies = []  # name, kind, parent, transform, body section, user frame
        self.closures = []  # kind, (carrier, pose), (carrier, pose)
        self.driven, self.home = [], {}
        self.gravity = file.get("gravity", [0, 0, -9.81])
        frames = file["frames"]
        platform = file.get("platform")
        if platform:
            self.bodies.append(("platform", "free", "base", place(platform.get("home")), platform, np.eye(4)))
        above = "base"
        for cells in file.get("joints", []):
            name, kind, parent, T = row(cells, frames, above)
            above = name
            section = file.get("joint", {}).get(name, {})
            self.add(name, kind, parent, T, file["body"][name], section, section.get("driven", True))
        for leg, section in file.get("leg", {}).items():
            chains = file["chain"]
            self.leg(leg, section, chains[section.get("chain", next(iter(chains)))], frames)
        for closure in file.get("closure", {}).values():
            ends = [(closure[k]["on"], place(closure[k])) for k in ("first", "second")]
            self.closures.append((closure["joint"], *ends))
        output = file.get("output")
        frame = file.get("frame", {}).get(output)
        self.output = (frame["parent"], place(frame)) if frame else ("platform", np.eye(4))

    def add(self, name, kind, parent, T, body, section, driven, home=None):
        user = place(body.get("frame"))
        self.bodies.append((name, kind, parent, T, body, user))
        self.home[name] = number(section.get("home", 0.0)) if home is None else home
        if driven:
            self.driven.append(name)

    def leg(self, leg, section, chain, frames):
        base = section.get("base", {})
        foot, above, renamed = base.get("on", "base"), "base", {}
        for cells in chain["joints"]:
            name, kind, parent, T = row(cells, frames, above)
            above = name
            home = number(section.get("home", {}).get(name, chain.get("joint", {}).get(name, {}).get("home", 0.0)))
            if parent == "base":
                parent, T = foot, place(base) @ T
            else:
                parent = renamed.get(parent, f"{leg}.{parent}")
            body, driven = chain["body"][name], name in chain["driven"]
            rods = chain.get("parallelogram", {}).get(name)
            if rods is None:
                self.add(f"{leg}.{name}", kind, parent, T, body, {}, driven, home)
                continue
            half, length = rods["width"] / 2, rods["length"]
            one, two, end = f"{leg}.{name}", f"{leg}.{name}.second", f"{leg}.{name}.end"
            self.add(one, kind, parent, T @ pose(p=(0, half, 0)), body, {}, driven, home)
            self.add(two, kind, parent, T @ pose(p=(0, -half, 0)), body, {}, False, home)
            # What both rods carry is on the first one, its frame in the middle.
            carried = dict(rods.get("end", {"mass": 0}), frame={"xyz": [0, -half, 0]})
            self.add(end, "revolute", one, pose(p=(length, 0, 0)), carried, {}, False, -home)
            self.closures.append(("spherical", (two, pose(p=(length, 0, 0))), (end, pose(p=(0, -half, 0)))))
            renamed[name] = end
        last = renamed.get(above, f"{leg}.{above}")
        held = section.get("platform", {})
        first, second = (last, place(chain.get("end"))), (held.get("on", "platform"), place(held))
        self.closures.append((chain["closing"], first, second))

    def mjcf(self):
        children = {}
        for body in self.bodies:
            children.setdefault(body[2], []).append(body)

        def write(parent):
            text, user = "", {b[0]: b[5] for b in self.bodies}
            for name, kind, _, T, body, frame in children.get(parent, []):
                quat = Rotation.from_matrix(T[:3, :3]).as_quat()[[3, 0, 1, 2]]
                numbers = lambda v: " ".join(repr(float(x)) for x in v)
                com = frame[:3, :3] @ np.array(body.get("com", [0, 0, 0]), float) + frame[:3, 3]
                I = frame[:3, :3] @ inertia(body) @ frame[:3, :3].T
                mass = body["mass"] or 1e-14
                if not body["mass"]:
                    I = 1e-14 * np.eye(3)
                joint = "<freejoint/>" if kind == "free" else (
                    f'<joint name="{name}" type="{"hinge" if kind == "revolute" else "slide"}" axis="0 0 1"/>')
                full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
                text += (f'<body name="{name}" pos="{numbers(T[:3, 3])}" quat="{numbers(quat)}">{joint}'
                         f'<inertial pos="{numbers(com)}" mass="{mass!r}" fullinertia="{numbers(full)}"/>'
                         f"{write(name)}</body>")
            return text

        gravity = " ".join(repr(float(x)) for x in self.gravity)
        return (f'<mujoco><compiler angle="radian"/><option gravity="{gravity}"/><worldbody>{write("base")}'
                "</worldbody></mujoco>")


class Loops:
    """The open tree in MuJoCo, and what closes it."""

    def __init__(self, robot):
        self.robot = robot
        self.model = mujoco.MjModel.from_xml_string(robot.mjcf())
        self.data = mujoco.MjData(self.model)
        self.user = {b[0]: b[5] for b in robot.bodies}
        for name, home in robot.home.items():
            self.data.qpos[self.model.joint(name).qposadr[0]] = home
        self.drives = [self.model.joint(name).dofadr[0] for name in robot.driven]

    def frame(self, end):
        name, at = end
        if name == "base":
            return at
        k = self.model.body(name).id
        return pose(self.data.xmat[k].reshape(3, 3), self.data.xpos[k]) @ self.user[name] @ at

    def jacobian(self, end, dot=False):
        nv, name = self.model.nv, end[0]
        linear, angular = np.zeros((3, nv)), np.zeros((3, nv))
        if name != "base":
            point, k = self.frame(end)[:3, 3].copy(), self.model.body(name).id
            f = mujoco.mj_jacDot if dot else mujoco.mj_jac
            f(self.model, self.data, linear, angular, point, k)
        return linear, angular

    def place(self):
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def rows(self):
        """Gaps, A and the bias acceleration A' v of all closing joints."""
        gaps, A, bias = [], [], []
        v = self.data.qvel
        for kind, first, second in self.robot.closures:
            F, S = self.frame(first), self.frame(second)
            (fl, fa), (sl, sa) = self.jacobian(first), self.jacobian(second)
            (fld, fad), (sld, sad) = self.jacobian(first, True), self.jacobian(second, True)
            if kind in ("spherical", "revolute", "universal", "rigid"):
                gaps += list(S[:3, 3] - F[:3, 3])
                A += list(sl - fl)
                bias += list((sld - fld) @ v)
            pairs = {"revolute": [(0, 2), (1, 2)], "universal": [(0, 1)], "rigid": [(0, 1), (1, 2), (2, 0)]}.get(kind, [])
            for i, k in pairs:
                a, b = F[:3, i], S[:3, k]
                wa, wb = fa @ v, sa @ v
                gaps.append(a @ b)
                A.append(np.cross(b, a) @ (sa - fa))
                # d²(a·b) with a' = wa × a, b' = wb × b
                da, db = np.cross(wa, a), np.cross(wb, b)
                second_order = (np.cross(fad @ v, a) + np.cross(wa, da)) @ b + 2 * da @ db + a @ (
                    np.cross(sad @ v, b) + np.cross(wb, db))
                bias.append(second_order)
        return np.array(gaps), np.array(A), np.array(bias)

    def close(self, held):
        """Newton's method for all but the drives."""
        free = [k for k in range(self.model.nv) if not (held and k in self.drives)]
        for _ in range(100):
            self.place()
            gaps, A, _ = self.rows()
            if np.abs(gaps).max() < 1e-15:
                break
            step = np.zeros(self.model.nv)
            step[free] = np.linalg.lstsq(A[:, free], -gaps, rcond=1e-10)[0]
            if np.abs(gaps).max() < 1e-13 and np.abs(step).max() < 1e-15:
                break
            mujoco.mj_integratePos(self.model, self.data.qpos, step, 1.0)
        self.place()
        assert np.abs(self.rows()[0]).max() < 1e-12, np.abs(self.rows()[0]).max()

    def state(self, rng):
        d, m = self.data, self.model
        self.close(False)
        for name in self.robot.driven:
            slides = m.joint(name).type[0] == mujoco.mjtJoint.mjJNT_SLIDE
            d.qpos[m.joint(name).qposadr[0]] += rng.uniform(-1, 1) * (0.02 if slides else 0.1)
        self.close(True)
        speeds = rng.uniform(-1, 1, len(self.drives))
        rates = rng.uniform(-2, 2, len(self.drives))

        def solved(right, drives):
            S = np.zeros((len(self.drives), m.nv))
            S[range(len(self.drives)), self.drives] = 1.0
            A = self.rows()[1]
            found = np.linalg.lstsq(np.vstack([A, S]), np.concatenate([right, drives]), rcond=1e-10)[0]
            assert np.abs(A @ found - right).max() < 1e-9 * max(1.0, np.abs(right).max())
            return found

        d.qvel[:] = 0.0
        d.qvel[:] = solved(np.zeros(len(self.rows()[0])), speeds)
        self.place()
        _, A, bias = self.rows()
        acceleration = solved(-bias, rates)
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, M, d.qM) if not hasattr(d, "M") else mujoco.mj_fullM(m, d, M)
        needed = M @ acceleration + d.qfrc_bias
        S = np.zeros((m.nv, len(self.drives)))
        S[self.drives, range(len(self.drives))] = 1.0
        found = np.linalg.lstsq(np.hstack([S, A.T]), needed, rcond=1e-11)[0]
        left = np.abs(np.hstack([S, A.T]) @ found - needed).max()
        assert left < 1e-9 * np.abs(needed).max(), left
        T, (linear, angular) = self.frame(self.robot.output), self.jacobian(self.robot.output)
        q = [d.qpos[m.joint(name).qposadr[0]] for name in self.robot.driven]
        return {
            "q": q, "v": list(speeds), "a": list(rates), "tau": list(found[: len(self.drives)]),
            "p": list(T[:3, 3]), "R": list(T[:3, :3].ravel()), "V": list(linear @ d.qvel) + list(angular @ d.qvel),
        }


def main():
    answer = {}
    for name in NAMES:
        with open(f"{sys.argv[1]}/{name}.toml", "rb") as file:
            loops = Loops(Robot(tomllib.load(file)))
        rng = np.random.default_rng(20)
        home = loops.data.qpos.copy()
        states = []
        for _ in range(5):
            loops.data.qpos[:] = home
            loops.data.qvel[:] = 0.0
            states.append(loops.state(rng))
        answer[name] = {"drives": loops.robot.driven, "states": states}
    json.dump({"source": f"MuJoCo {mujoco.__version__}, NumPy {np.__version__}: scripts/golden-loops.py", **answer},
              sys.stdout, indent=1)
    print()


main()
