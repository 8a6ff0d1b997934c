#!/usr/bin/env python3
"""The models that appell and its peers are measured on: models.py MODELS FLAT.

Two arms are tests/data/urdf/{puma560,panda7}.urdf. Random chains of 6 to 100 joints and a tree of 30, of the shape of a humanoid
whose pelvis is fixed, are made here from fixed seeds. All joints are revolute about the z of their own frame, so that a peer that
specialises that can do so, and all bodies are solid ellipsoids, so that they are physically consistent.

MODELS gets a URDF per robot. FLAT gets the same as text for the C++ programs, `NAME n`, then a line per joint, parents first:
`JOINT PARENT(-1: base) R(9, by rows) p(3) mass c(3) Ixx Ixy Ixz Iyy Iyz Izz`, all in the joint's frame, inertia about the centre of
mass. MODELS/gough_stewart.{flat,xml} is the platform of tests/golden/parallel, for Pinocchio and as MJCF.
"""

import json
import math
import pathlib
import shutil
import sys
import xml.etree.ElementTree

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAINS = (6, 12, 24, 50, 100)


def random_rotation(rng):
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def ellipsoid(mass, semi_axes, rotation=np.eye(3)):
    """Inertia of a solid ellipsoid about its centre."""
    a, b, c = semi_axes
    return rotation @ (mass / 5 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])) @ rotation.T


def rpy(rotation):
    """Angles of URDF: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = math.asin(max(-1.0, min(1.0, -rotation[2, 0])))
    if abs(math.cos(pitch)) > 1e-9:
        return math.atan2(rotation[2, 1], rotation[2, 2]), pitch, math.atan2(rotation[1, 0], rotation[0, 0])
    return math.atan2(-rotation[1, 2], rotation[1, 1]), pitch, 0.0


def rotation_of(roll, pitch, yaw):
    cr, sr, cp, sp, cy, sy = (f(x) for x in (roll, pitch, yaw) for f in (math.cos, math.sin))
    return [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr]


def chain(n):
    """Links of a random chain of about 2 m: (name, parent, origin, rotation, mass, centre of mass, inertia)."""
    rng = np.random.default_rng(1000 + n)
    size = 2.0 / n
    for i in range(n):
        rotation = random_rotation(rng)
        origin = rng.normal(size=3)
        origin *= size * rng.uniform(0.7, 1.3) / np.linalg.norm(origin)
        mass = rng.uniform(0.5, 3.0)
        centre = rng.uniform(-0.5, 0.5, 3) * size
        inertia = ellipsoid(mass, rng.uniform(0.3, 1.0, 3) * size, random_rotation(rng))
        yield f"link{i + 1}", f"link{i}" if i else "base_link", origin if i else np.zeros(3), rotation, mass, centre, inertia


# Rotations that make z the named axis; then the limbs: axis, origin after the joint before, mass, semi-axes, centre of mass, in base
# axes at zero. Side: 1 left, -1 right.
AXES = {"x": np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]), "y": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), "z": np.eye(3)}
WAIST = [("z", (0, 0, 0.1), 1.0, (0.08, 0.1, 0.05), (0, 0, 0.02)), ("x", (0, 0, 0.05), 1.0, (0.08, 0.1, 0.05), (0, 0, 0.02)),
         ("y", (0, 0, 0.05), 12.0, (0.12, 0.17, 0.22), (0.01, 0, 0.2))]
NECK = [("z", (0, 0, 0.45), 3.5, (0.09, 0.08, 0.12), (0.02, 0, 0.12))]


def arm(side):
    return [("y", (0, side * 0.2, 0.35), 1.2, (0.05, 0.05, 0.05), (0, side * 0.03, 0)),
            ("x", (0, side * 0.05, 0), 1.0, (0.05, 0.05, 0.06), (0, side * 0.02, -0.02)),
            ("z", (0, side * 0.02, -0.05), 1.8, (0.05, 0.05, 0.14), (0, 0, -0.1)),
            ("y", (0, 0, -0.25), 1.0, (0.045, 0.045, 0.06), (0, 0, -0.03)),
            ("z", (0, 0, -0.06), 1.0, (0.04, 0.04, 0.1), (0, 0, -0.07)),
            ("y", (0, 0, -0.18), 0.4, (0.03, 0.03, 0.03), (0, 0, -0.01)),
            ("x", (0, 0, -0.02), 0.5, (0.03, 0.04, 0.08), (0, 0, -0.06))]


def leg(side):
    return [("z", (0, side * 0.1, -0.05), 1.5, (0.06, 0.06, 0.06), (0, 0, -0.02)),
            ("x", (0, side * 0.02, -0.03), 1.5, (0.06, 0.06, 0.06), (0, 0, -0.02)),
            ("y", (0, 0, -0.03), 6.0, (0.08, 0.08, 0.22), (0, 0, -0.18)),
            ("y", (0, 0, -0.4), 3.5, (0.06, 0.06, 0.2), (0, 0, -0.17)),
            ("y", (0, 0, -0.4), 0.6, (0.04, 0.04, 0.04), (0, 0, -0.01)),
            ("x", (0, 0, -0.02), 1.2, (0.12, 0.05, 0.03), (0.04, 0, -0.05))]


def humanoid():
    links = []

    def limb(name, parent, before, joints):
        """`before`: the parent's rotation in base axes at zero."""
        for k, (axis, origin, mass, semi_axes, centre) in enumerate(joints):
            base_from = AXES[axis]
            inertia = base_from.T @ ellipsoid(mass, semi_axes) @ base_from
            links.append((f"{name}{k + 1}", parent, before.T @ np.array(origin, float), before.T @ base_from, mass,
                          base_from.T @ np.array(centre, float), inertia))
            parent, before = f"{name}{k + 1}", base_from
        return parent, before

    trunk = limb("waist", "base_link", np.eye(3), WAIST)
    limb("neck", *trunk, NECK)
    for name, side in (("l", 1), ("r", -1)):
        limb(name + "arm", *trunk, arm(side))
        limb(name + "leg", "base_link", np.eye(3), leg(side))
    return links


def urdf(name, links):
    def words(numbers):
        return " ".join(repr(float(x)) for x in numbers)

    links = list(links)
    yield f'<?xml version="1.0"?>\n<robot name="{name}">\n  <link name="base_link"/>'
    for link, _, _, _, mass, centre, inertia in links:
        entries = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{words([inertia[i, j]])}"' for i in range(3) for j in range(i, 3))
        yield (f'  <link name="{link}">\n    <inertial>\n      <origin xyz="{words(centre)}" rpy="0 0 0"/>\n'
               f'      <mass value="{words([mass])}"/>\n      <inertia {entries}/>\n    </inertial>\n  </link>')
    for link, parent, origin, rotation, *_ in links:
        yield (f'  <joint name="j_{link}" type="revolute">\n    <parent link="{parent}"/><child link="{link}"/>\n'
               f'    <origin xyz="{words(origin)}" rpy="{words(rpy(rotation))}"/>\n    <axis xyz="0 0 1"/>\n'
               '    <limit lower="-1000" upper="1000" effort="1000000" velocity="1000000"/>\n  </joint>')
    yield "</robot>\n"


def flat(file):
    """A URDF as lines; joints depth first, by name, so that subtrees are contiguous as Pinocchio wants them."""
    robot = xml.etree.ElementTree.parse(file).getroot()
    links = {link.get("name"): link for link in robot.findall("link")}
    places, lines = {"base_link": -1}, []

    def numbers(element, key):
        return [float(word) for word in element.get(key).split()]

    def exact(x):
        """Rounding of right angles is taken away, so that generated code sees their zeros and ones."""
        nearest = float(round(x))
        return nearest + 0.0 if nearest in (-1, 0, 1) and abs(x - nearest) < 1e-14 else x

    def descend(parent):
        joints = [joint for joint in robot.findall("joint") if joint.find("parent").get("link") == parent]
        for joint in sorted(joints, key=lambda joint: joint.get("name")):
            assert joint.get("type") == "revolute" and numbers(joint.find("axis"), "xyz") == [0, 0, 1]
            origin, child = joint.find("origin"), joint.find("child").get("link")
            body = links[child].find("inertial")
            row = [exact(x) for x in rotation_of(*numbers(origin, "rpy")) + numbers(origin, "xyz")]
            row += numbers(body.find("mass"), "value") + numbers(body.find("origin"), "xyz")
            row += [float(body.find("inertia").get(key)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
            lines.append(" ".join([joint.get("name"), str(places[parent]), *map(repr, row)]))
            places[child] = len(places) - 1
            descend(child)

    descend("base_link")
    return "\n".join([f"{robot.get('name')} {len(lines)}", *lines]) + "\n"


def gough_stewart():
    """The platform: as numbers (gravity, home, B of each leg, P of each, then lower, upper and platform bodies), and as MJCF."""
    robot = json.loads((ROOT / "tests/golden/parallel/shared_model_gough_stewart.json").read_text())["robot"]
    legs, home = robot["legs"], robot["home"]["p"]
    anchors, tips = [leg["B"] for leg in legs], [leg["P"] for leg in legs]

    def body(found):
        return [found["mass"]], found["com"], [found["inertia_C"][i][i] for i in range(3)]

    def words(numbers):
        return " ".join(repr(float(x)) for x in numbers)

    bodies = [body(found) for found in (legs[0]["lower"], legs[0]["upper"], robot["platform"])]
    rows = [robot["gravity"], home, *anchors, *tips, *(sum(map(list, found), []) for found in bodies)]
    text = "\n".join(words(row) for row in rows) + "\n"

    def inertial(found):
        mass, centre, inertia = found
        return f'<inertial pos="{words(centre)}" mass="{words(mass)}" diaginertia="{words(inertia)}"/>'

    lower, upper, platform = map(inertial, bodies)
    lines = ['<mujoco model="gough_stewart">', '<compiler angle="radian" autolimits="true"/>',
             f'<option gravity="{words(robot["gravity"])}" timestep="0.001"><flag contact="disable"/></option>', "<worldbody>"]
    for i, anchor in enumerate(anchors):
        lines += [f'<body name="lower{i}" pos="{words(anchor)}">', f'<joint name="rx{i}" type="hinge" axis="1 0 0"/>',
                  f'<joint name="ry{i}" type="hinge" axis="0 1 0"/>', lower, f'<body name="upper{i}">',
                  f'<joint name="pz{i}" type="slide" axis="0 0 1"/>', upper, f'<site name="u{i}"/>', "</body></body>"]
    lines += [f'<body name="platform" pos="{words(home)}"><freejoint name="platform"/>', platform]
    lines += [f'<site name="p{i}" pos="{words(tip)}"/>' for i, tip in enumerate(tips)]
    lines += ["</body></worldbody>", "<equality>"]
    # MuJoCo's constraints are soft: this is the stiffest impedance that it takes.
    lines += [f'<connect site1="u{i}" site2="p{i}" solref="0.002 1" solimp="0.9999 0.9999 0.001 0.5 2"/>' for i in range(len(legs))]
    lines += ["</equality>", "</mujoco>"]
    return text, "\n".join(lines) + "\n"


def main():
    models, flats = map(pathlib.Path, sys.argv[1:])
    for folder in (models, flats):
        folder.mkdir(parents=True, exist_ok=True)
    for name in ("puma560", "panda7"):
        shutil.copyfile(ROOT / f"tests/data/urdf/{name}.urdf", models / f"{name}.urdf")
    for n in CHAINS:
        (models / f"chain{n:03}.urdf").write_text("\n".join(urdf(f"chain{n:03}", chain(n))))
    (models / "humanoid30.urdf").write_text("\n".join(urdf("humanoid30", humanoid())))
    for file in models.glob("*.urdf"):
        (flats / f"{file.stem}.flat").write_text(flat(file))
    numbers, mjcf = gough_stewart()
    (models / "gough_stewart.flat").write_text(numbers)
    (models / "gough_stewart.xml").write_text(mjcf)


main()
