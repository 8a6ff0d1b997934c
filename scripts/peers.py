#!/usr/bin/env python3
"""Real robots: appell beside Pinocchio on every URDF file of the package example-robot-data.

For each file both programs load the robot and answer for the same random states: inverse dynamics, inertia matrix,
forward dynamics, poses of all links, Jacobians, regressor, Coriolis forces (C v), reactions (f) and the derivatives of
inverse and forward dynamics; also gravity (g), bias (nle), energies (E), centroidal momentum (h), centre of mass and its
Jacobian (com). With --floating the root link moves freely, by a quaternion, at random attitudes and at a pitch of 90°. Printed is the largest relative difference of each, a robot a line, or the reason why there is none.
All must agree to 1e-10; accelerations, and their derivatives, as far as the condition of the inertia matrix lets them.

    make peers                        the whole table
    make peers -- --floating          the same with floating bases
    make peers -- --record            also writes tests/golden/urdf, the subset that `make test` reads
"""

import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pinocchio as pin

TOLERANCE = 1e-10
STATES = 20
POSE, TWIST = ["px", "py", "pz", "qx", "qy", "qz", "qw"], ["vx", "vy", "vz", "wx", "wy", "wz"]
RECORDED = ["panda.urdf", "double_pendulum.urdf", "solo12.urdf", "kinova.urdf", "finger_edu.urdf"]
RECORDED_FLOATING = ["double_pendulum.urdf", "solo12.urdf"]


class Appell:
    """The program, on one file."""

    def __init__(self, program, path, floating):
        self.program, self.path, self.options = program, path, ["--floating-base"] if floating else []

    def run(self, *arguments, table=None):
        done = subprocess.run([self.program, *arguments], input=table, capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer")
        return done.stdout

    def joints(self):
        return [joint["name"] for joint in json.loads(self.run("show", self.path, "--json", *self.options))["joints"]]

    def compute(self, question, table, *options):
        """The header and the numbers of the answer, without the effects that Pinocchio keeps but does not apply."""
        options = [*self.options, *options]
        out = self.run("compute", question, self.path, "--states", "-", "--without", "friction", *options, table=table)
        rows = list(csv.reader(io.StringIO(out)))
        return rows[0], np.array(rows[1:], dtype=float)


class Refused(Exception):
    """The program has no answer."""


class Peer:
    """Pinocchio, with angles in place of its own configuration vectors, and its joints in the order of appell's."""

    def __init__(self, path, joints, floating):
        root = [pin.JointModelFreeFlyer()] if floating else []
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.model.gravity.linear = np.array([0, 0, -9.81])
        self.data = self.model.createData()
        self.names = list(self.model.names)[1:]
        if sorted(self.names) != sorted(joints):
            raise Refused(f"other joints: {sorted(set(self.names) ^ set(joints))[:4]}")
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in joints]
        self.order = [k for joint in self.joints for k in range(joint.idx_v, joint.idx_v + joint.nv)]

    def columns(self, positions):
        """How appell calls the numbers of positions, or of velocities."""
        parts = POSE if positions else TWIST
        return [column for joint in self.joints for column in self.of_joint(joint, parts)]

    def of_joint(self, joint, parts):
        name = self.model.names[joint.id]
        return [f"{name}.{part}" for part in parts] if joint.nv == 6 else [name]

    def random_position(self, rng, state):
        """Positions in appell's order; every second floating base has a pitch of 90°."""
        position = []
        for joint in self.joints:
            if joint.nv == 6:
                quaternion = rng.normal(size=4)
                if state % 2 == 1:
                    yaw = pin.rpy.rpyToMatrix(0.0, np.pi / 2, rng.uniform(-np.pi, np.pi))
                    quaternion = pin.Quaternion(yaw).coeffs()
                position += [*rng.uniform(-1, 1, 3), *(quaternion / np.linalg.norm(quaternion))]
            else:
                position.append(rng.uniform(-np.pi, np.pi))
        return position

    def configuration(self, position):
        """Unbounded joints are a cosine and a sine to Pinocchio."""
        q, rest = pin.neutral(self.model), list(position)
        for joint in self.joints:
            size = 7 if joint.nv == 6 else 1
            own, rest = rest[:size], rest[size:]
            q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(own[0]), np.sin(own[0])] if joint.nq == 2 else own
        return q

    def scatter(self, ours):
        theirs = np.zeros(self.model.nv)
        theirs[self.order] = ours
        return theirs

    def gather(self, vector):
        return np.asarray(vector)[self.order]

    def square(self, matrix):
        return np.asarray(matrix)[np.ix_(self.order, self.order)]


def symmetric(upper):
    return np.triu(upper) + np.triu(upper, 1).T


def table_of(peer, **vectors):
    """CSV text with the columns q.JOINT and so on."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([f"{symbol}.{column}" for symbol in vectors for column in peer.columns(symbol == "q")])
    for row in np.hstack(list(vectors.values())):
        writer.writerow([repr(float(x)) for x in row])
    return out.getvalue()


def difference(ours, theirs):
    """Largest difference over the largest number, the worst of all states."""
    worst = 0.0
    for a, b in zip(ours, theirs):
        a, b = np.ravel(a), np.ravel(b)
        gap, size = np.max(np.abs(a - b), initial=0.0), np.max(np.abs(b), initial=0.0)
        worst = max(worst, gap / size if size > 0 else gap)
    return worst


def compare(program, path, rng, record, floating):
    ours = Appell(program, str(path), floating)
    joints = ours.joints()
    peer = Peer(path, joints, floating)
    model, data, n = peer.model, peer.data, len(peer.order)
    q = np.array([peer.random_position(rng, state) for state in range(STATES)])
    v, a, tau = (rng.uniform(-limit, limit, (STATES, n)) for limit in (2, 4, 20))
    motion, drive = table_of(peer, q=q, v=v, a=a), table_of(peer, q=q, v=v, tau=tau)
    configurations = [peer.configuration(row) for row in q]
    states = [(c, peer.scatter(vk), peer.scatter(ak), peer.scatter(tk)) for c, vk, ak, tk in zip(configurations, v, a, tau)]
    result, kept = {}, {"joints": joints, "q": q, "v": v, "a": a, "tau_in": tau}

    def put(name, answer, expected):
        result[name] = difference(answer, expected)
        kept[name] = np.array(expected)

    put("τ", ours.compute("inverse-dynamics", motion)[1], [peer.gather(pin.rnea(model, data, c, vk, ak)) for c, vk, ak, _ in states])
    put("M", ours.compute("inertia-matrix", motion)[1], [peer.square(symmetric(pin.crba(model, data, c))) for c, *_ in states])

    header, rows = ours.compute("frames", motion)
    bodies = [frame.name for frame in model.frames if frame.type == pin.FrameType.BODY]
    columns = {name: i for i, name in enumerate(header)}
    parts = ["r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33", "x", "y", "z"]
    # a link whose name another joint has is called link:NAME
    called = {body: f"link:{body}" if f"link:{body}.x" in columns else body for body in bodies}
    known = [body for body in bodies if f"{called[body]}.x" in columns]
    root = {frame.name for frame in model.frames if frame.type == pin.FrameType.BODY and frame.parentJoint == 0}
    lost = [body for body in bodies if body not in known and body not in root]
    if lost:
        raise Refused(f"links without a frame: {lost[:4]}")
    poses = []
    for c in configurations:
        pin.framesForwardKinematics(model, data, c)
        placed = [data.oMf[model.getFrameId(body, pin.FrameType.BODY)] for body in known]
        poses.append([np.concatenate([pose.rotation.ravel(), pose.translation]) for pose in placed])
    kept["links"] = [called[body] for body in known]
    put("frames", rows[:, [columns[f"{called[body]}.{part}"] for body in known for part in parts]], poses)

    worst = 0.0
    for body in [body for body in known if body not in root][-2:]:
        frame = model.getFrameId(body, pin.FrameType.BODY)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        expected = [pin.computeFrameJacobian(model, data, c, frame, world)[:, peer.order] for c in configurations]
        worst = max(worst, difference(ours.compute("jacobian", motion, "--frame", called[body])[1], expected))
    result["J"] = worst

    put("g", ours.compute("gravity", motion)[1], [peer.gather(pin.computeGeneralizedGravity(model, data, c)) for c, *_ in states])
    put("nle", ours.compute("bias", motion)[1], [peer.gather(pin.nonLinearEffects(model, data, c, vk)) for c, vk, *_ in states])
    energy, momentum, centre = [], [], []
    for c, vk, *_ in states:
        energy.append([pin.computeKineticEnergy(model, data, c, vk), pin.computePotentialEnergy(model, data, c)])
        momentum.append(pin.computeCentroidalMomentum(model, data, c, vk).vector.copy())
        jacobian = pin.jacobianCenterOfMass(model, data, c)[:, peer.order]
        centre.append(np.concatenate([data.com[0], jacobian.ravel()]))
    put("E", ours.compute("energy", motion)[1], energy)
    put("h", ours.compute("momentum", motion)[1], momentum)
    com = [ours.compute(question, motion)[1] for question in ("centre-of-mass", "centre-of-mass-jacobian")]
    put("com", np.hstack(com), centre)

    blocks = np.concatenate([np.arange(10 * joint.id - 10, 10 * joint.id) for joint in peer.joints])
    regressor = [pin.computeJointTorqueRegressor(model, data, c, vk, ak)[np.ix_(peer.order, blocks)] for c, vk, ak, _ in states]
    put("Y", ours.compute("regressor", motion)[1], regressor)

    coriolis = ours.compute("coriolis-matrix", motion)[1].reshape(STATES, n, n)
    forces = [peer.gather(pin.computeCoriolisMatrix(model, data, c, vk) @ vk) for c, vk, *_ in states]
    scale = max(np.max(np.abs(kept["τ"])), 1e-300)  # one body on one axis has none but rounding
    kept["C v"] = np.array(forces)
    result["C v"] = max(np.max(np.abs(cm @ vk - f)) for cm, vk, f in zip(coriolis, v, forces)) / scale

    header, rows = ours.compute("reactions", motion)
    order = [model.getJointId(joint) for joint in joints]
    wrenches = []
    for c, vk, ak, _ in states:
        pin.rnea(model, data, c, vk, ak)
        wrenches.append([data.f[joint].vector.copy() for joint in order])
    put("f", rows, wrenches)

    derivatives = []
    for c, vk, ak, _ in states:
        by_q, by_v, by_a = pin.computeRNEADerivatives(model, data, c, vk, ak)
        derivatives.append([peer.square(by_q), peer.square(by_v), peer.square(symmetric(by_a))])
    put("∂τ", ours.compute("inverse-dynamics-derivatives", motion)[1], derivatives)

    condition = max(np.linalg.cond(peer.square(symmetric(pin.crba(model, data, c)))) for c in configurations)
    result["allowed"] = max(TOLERANCE, 20 * condition * np.finfo(float).eps)
    try:
        put("q̈", ours.compute("forward-dynamics", drive)[1], [peer.gather(pin.aba(model, data, c, vk, tk)) for c, vk, _, tk in states])
        derivatives = []
        for c, vk, _, tk in states:
            by_q, by_v, by_tau = pin.computeABADerivatives(model, data, c, vk, tk)
            derivatives.append([peer.square(by_q), peer.square(by_v), peer.square(symmetric(by_tau))])
        put("∂q̈", ours.compute("forward-dynamics-derivatives", drive)[1], derivatives)
    except Refused as reason:
        inertia = symmetric(pin.crba(model, data, configurations[0]))
        values = np.linalg.eigvalsh(inertia)
        if values[0] > 1e-12 * values[-1]:
            raise
        result["singular"] = str(reason)

    if record and path.name in (RECORDED_FLOATING if floating else RECORDED):
        kept = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in kept.items()}
        for key, value in kept.items():
            if key not in ("joints", "links"):
                kept[key] = value[:3]
        record.mkdir(parents=True, exist_ok=True)
        note = f"made by scripts/peers.py --record with Pinocchio {pin.__version__}; three states, joints in this order"
        stem = path.stem + ("_floating" if floating else "")
        (record / (stem + ".json")).write_text(json.dumps({"source": note, "urdf": path.name, **kept}) + "\n")
        (record / path.name).write_text(bare(path))
    return n, result


def bare(path):
    """The numbers of a URDF that dynamics needs, without its meshes, colours and comments."""
    kept = {"robot", "link", "joint", "inertial", "origin", "mass", "inertia", "parent", "child", "axis", "limit", "dynamics", "mimic"}

    def strip(element):
        for child in list(element):
            if child.tag in kept:
                strip(child)
            else:
                element.remove(child)
        return element

    robot = strip(xml.etree.ElementTree.parse(path).getroot())
    xml.etree.ElementTree.indent(robot)
    note = f"<!-- numbers of {path.name} of the package example-robot-data -->\n"
    return note + xml.etree.ElementTree.tostring(robot, encoding="unicode") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/appell")
    parser.add_argument("--robots", type=pathlib.Path, required=True, help="folder with URDF files")
    parser.add_argument("--record", action="store_true", help="write tests/golden/urdf")
    parser.add_argument("--floating", action="store_true", help="let root links move freely")
    parser.add_argument("--only", default="", help="part of a file's path")
    arguments = parser.parse_args()
    record = pathlib.Path("tests/golden/urdf") if arguments.record else None
    files = sorted(path for path in arguments.robots.rglob("*.urdf") if arguments.only in str(path))
    names = ["τ", "M", "frames", "J", "g", "nle", "E", "h", "com", "Y", "C v", "f", "∂τ", "q̈", "∂q̈"]
    print(f"{'robot':36} {'n':>3}  " + " ".join(f"{name:>8}" for name in names))
    agreed, explained, failed = 0, 0, []
    for path in files:
        rng = np.random.default_rng(1)
        try:
            n, result = compare(arguments.program, path, rng, record, arguments.floating)
        except (Refused, ValueError) as reason:
            try:
                moving = pin.buildModelFromUrdf(str(path)).nv > 0
            except Exception as error:  # Pinocchio raises its own
                moving, reason = False, f"refused by both: {str(error).splitlines()[0][:60]}"
            if moving:
                failed.append(path.name)
            else:
                explained += 1
            print(f"{path.name:36}      {'' if moving else 'fine: '}{str(reason)[:150]}")
            continue
        cells = [f"{result[name]:8.1e}" if name in result else f"{'-':>8}" for name in names]
        strict = max(result[name] for name in names if name in result and name not in ("q̈", "∂q̈"))
        solved = max([result[name] for name in ("q̈", "∂q̈") if name in result], default=0.0)
        note = ""
        if "singular" in result:
            note = "  no q̈: " + result["singular"].partition("the inertia ")[2][:60]
        elif TOLERANCE < solved <= result["allowed"]:
            note = f"  q̈: condition of M lets {result['allowed']:.0e} pass"
        print(f"{path.name:36} {n:3}  " + " ".join(cells) + note)
        if strict > TOLERANCE or solved > result["allowed"]:
            failed.append(path.name)
        else:
            agreed += 1
    print(f"\n{len(files)} files: {agreed} agree to {TOLERANCE:g}, {explained} not comparable for the reason shown, {len(failed)} differ {failed}")
    print(f"{agreed} passed, {len(failed)} failed, {explained} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
