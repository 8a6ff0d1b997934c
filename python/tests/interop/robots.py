"""Robots of the tests of this folder, and what their derivatives are by differences."""

from __future__ import annotations

import doctest
from types import ModuleType
from typing import Any

import numpy as np

import appell

FLOATING = """<robot name="floater"><link name="trunk"><inertial><origin xyz="0.1 -0.2 0.05"/><mass value="3"/>
<inertia ixx="0.1" ixy="0.01" ixz="0.02" iyy="0.12" iyz="-0.01" izz="0.09"/></inertial></link>
<link name="leg"><inertial><origin xyz="0 0.1 -0.3"/><mass value="1.5"/>
<inertia ixx="0.03" ixy="0" ixz="0.002" iyy="0.02" iyz="0" izz="0.015"/></inertial></link>
<joint name="hip" type="revolute"><parent link="trunk"/><child link="leg"/><origin xyz="0.2 0.1 0" rpy="0.3 0.2 0.1"/>
<axis xyz="0 0.6 0.8"/><limit lower="-2" upper="2" effort="30" velocity="5"/><dynamics damping="0.4"/></joint></robot>"""


PENDULUM = """name = "double pendulum"
frames = "modified-dh"
gravity = [0.0, -9.81, 0.0]
joints = [
  ["first",  "revolute", 0.0, 0.0, "q", 0.0],
  ["second", "revolute", 0.0, 0.5, "q", 0.0],
]
[body.first]
mass = 2.0
com = [0.25, 0.0, 0.0]
inertia = { xx = 0.002, yy = 0.04, zz = 0.04 }
[body.second]
mass = 1.0
com = [0.2, 0.0, 0.0]
inertia = { xx = 0.001, yy = 0.02, zz = 0.02 }
[frame.tip]
parent = "second"
xyz = [0.4, 0.0, 0.0]
"""


def pendulum() -> appell.Robot:
    """Two links of half a metre in a vertical plane."""
    return appell.Robot(PENDULUM, "toml")


def arm() -> appell.Robot:
    """Six joints."""
    return appell.load("puma560")


def sprung() -> appell.Robot:
    """Two joints, one with a spring, friction and a rotor."""
    robot = appell.load("two-link")
    return robot.with_joint(robot.drives[1], stiffness=3.0, rest=0.2, viscous=0.5, offset=0.1, rotor_inertia=0.3)


def floater() -> appell.Robot:
    """A free trunk with a leg: eight positions, seven velocities."""
    return appell.Robot(FLOATING, "urdf", floating_base=True)


def coupled() -> appell.Robot:
    """Three joints of which the last follows the first: two numbers."""
    text = PENDULUM.replace("[body.first]", '[joint.third]\nmimic = { joint = "first", multiplier = -0.5 }\n[body.first]')
    text = text.replace("]\n[joint", '  ["third", "revolute", 0.3, 0.4, "q", 0.1],\n]\n[joint')
    body = text[text.index("mass = 1.0") : text.index("[frame.tip]")]
    return appell.Robot(f"{text}[body.third]\n{body}", "toml").coupled()


ROBOTS = {"arm": arm, "sprung": sprung, "floater": floater, "coupled": coupled}

#: What each function takes after q.
FUNCTIONS = {
    "inverse_dynamics": 2,
    "forward_dynamics": 2,
    "bias": 1,
    "gravity": 0,
    "inertia_matrix": 0,
    "centre_of_mass": 0,
    "pose": 0,
}


def state(robot: appell.Robot, count: int, seed: int = 0) -> list[Any]:
    """Positions and two more vectors, at random; quaternions are of length 1."""
    rng = np.random.default_rng(seed)
    q, v, a = rng.normal(size=(count, robot.nq)), rng.normal(size=(count, robot.nv)), rng.normal(size=(count, robot.nv))
    if robot.nq > robot.nv:
        q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
    return [q, v, a]


def assert_examples_hold(module: ModuleType) -> None:
    """Asserts that the examples in a module's docstrings do what they say; `appell` and `np` are there."""
    given = {"appell": appell, "np": np}
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, globs=given)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        runner.run(test)
    found = runner.summarize(verbose=False)
    assert found.failed == 0 and found.attempted > 3
