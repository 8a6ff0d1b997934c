#!/usr/bin/env python3
"""Makes the pictures of the gallery, docs/python/images: one function each, from built-in robots; each checks its own numbers.

    python docs/python/gallery.py [NAME …]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.transform import Rotation

import appell

IMAGES = Path(__file__).parent / "images"


def serial_torques() -> Any:
    robot = appell.load("puma560")
    start = np.array([0.3, -1.0, 0.2, 0.4, 1.0, 0.1])
    goal = robot.pose(start)
    goal[:3, 3] += [-0.1, 0.3, 0.24]
    motion = appell.trajectory.line(robot, goal, start=start, time=1.0)
    loaded = robot.with_payload(2.5)

    figure, axes = plt.subplots(1, 3, figsize=(9, 2.8), sharex=True, layout="constrained")
    for axis, joint, k in zip(axes, robot.drives, range(3)):
        for one, style in ((robot, "-"), (loaded, "--")):
            axis.plot(motion.t, one.inverse_dynamics(motion.q, motion.v, motion.a)[:, k], style)
        axis.set(title=joint, xlabel="t, s")
    axes[0].set_ylabel("torque, N m")
    axes[2].legend(["empty", "2.5 kg at the hand"], fontsize="small")
    assert np.allclose(robot.pose(motion.q[-1]), goal)
    return figure


def gough_stewart() -> Any:
    robot = appell.load("gough-stewart")
    pose = ([0.05, -0.03, 0.78], Rotation.from_euler("xyz", [8, -5, 12], degrees=True))
    return robot.draw(pose)


def assemblies() -> Any:
    robot = appell.load("gough-stewart")
    pose = ([0.05, -0.03, 0.78], Rotation.from_euler("xyz", [8, -5, 12], degrees=True))
    lengths = robot.actuated(pose)[0]
    found = robot.assemble(lengths, all=True)

    figure = plt.figure(figsize=(9, 4.8), layout="constrained")
    for k, one in enumerate(found):
        axis = figure.add_subplot(2, 4, k + 1, projection="3d")
        robot.plot(one.pose, ax=axis)
        axis.set(xlim=(-0.7, 0.7), ylim=(-0.7, 0.7), zlim=(-0.7, 0.7), xlabel="", ylabel="", zlabel="")
        axis.set_title(f"det J_inv {one.side}, Type 2 {one.type2:.2f}", fontsize="small")
        axis.get_legend().remove()
        axis.tick_params(labelbottom=False, labelleft=False)
    assert len(found) == 8 and found.proved
    return figure


def gravity_map() -> Any:
    robot = appell.load("puma560")
    angles = np.linspace(-np.pi, np.pi, 400)
    shoulder, elbow = np.meshgrid(angles, angles)
    q = np.zeros((angles.size**2, 6))
    q[:, 1], q[:, 2] = shoulder.ravel(), elbow.ravel()
    tau = robot.gravity(q)[:, 1].reshape(shoulder.shape)  # 160 000 states at once

    figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
    image = axis.contourf(np.rad2deg(angles), np.rad2deg(angles), tau, levels=15, cmap="RdBu_r")
    axis.set(xlabel="shoulder, deg", ylabel="elbow, deg", title="holding torque of the shoulder, N m", aspect="equal")
    figure.colorbar(image)
    assert np.isclose(tau[0, 0], robot.gravity(q[0])[1])
    return figure


def singularity_map() -> Any:
    robot = appell.load("five-bar")
    found = robot.singularity_map(("x", "y"), ranges={"x": (-0.45, 0.45), "y": (-0.2, 0.55)}, grid=(181, 151))
    assert found.reachable.any() and not found.reachable.all()
    return found.plot()


def delta_simulation() -> Any:
    robot = appell.load("delta")
    centre = robot.home[:3, 3]

    def circle(t: float) -> tuple[Any, Any, Any]:
        c, s = np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)
        w = 2 * np.pi
        return centre + 0.2 * np.array([c, s, 0]), 0.2 * w * np.array([-s, c, 0]), -0.2 * w**2 * np.array([c, s, 0])

    def law(t: float, q: Any, v: Any, pose: Any, twist: Any) -> Any:
        place, velocity, acceleration = circle(t)
        acceleration = acceleration + 20 * (velocity - twist[:3]) + 100 * (place - pose[:3, 3])
        return robot.inverse_dynamics(pose, twist, np.concatenate([acceleration, np.zeros(3)]))

    run = appell.simulate(robot, law, duration=1.5, record=0.005)  # from rest, in the middle

    figure = plt.figure(figsize=(9, 4), layout="constrained")
    left = figure.add_subplot(1, 2, 1, projection="3d")
    robot.plot(run.pose[-1], ax=left)
    left.plot(*run.pose[:, :3, 3].T, color="#2f9e44")
    left.get_legend().remove()
    right = figure.add_subplot(1, 2, 2)
    right.plot(run.t, run.tau)
    right.set(xlabel="t, s", ylabel="torques of the drives, N m")
    right.legend(robot.drives, fontsize="small")
    assert np.allclose(run.pose[-1, :3, 3], circle(1.5)[0], atol=1e-3)
    return figure


def identification() -> Any:
    sheet = appell.load("scara")
    true = sheet.with_payload(1.0, com=[0.02, 0, 0.05])
    for joint, size in zip(true.drives, [2.0, 1.5, 3.0, 0.1]):
        true = true.with_joint(joint, coulomb=size, viscous=size)
    effects = ["viscous", "coulomb"]
    motion = appell.excite(
        sheet, lower=-0.5, upper=0.5, velocity=1.5, acceleration=8, effects=effects, starts=2, steps=30, hops=0
    )
    rng = np.random.default_rng(3)
    tau = true.inverse_dynamics(motion.q, motion.v, motion.a)
    tau += rng.normal(0, 0.05 * tau.std(axis=0), tau.shape)
    found = appell.identify(sheet, {"t": motion.t, "q": motion.q, "tau": tau}, effects=effects)

    figure, axes = plt.subplots(2, 2, figsize=(9, 4), sharex=True, layout="constrained")
    recording = found.recordings[0]
    for k, axis in enumerate(axes.flat):
        axis.plot(motion.t, tau[:, k], ".", ms=1.5, color="#adb5bd", label="measured")
        axis.plot(motion.t, sheet.inverse_dynamics(motion.q, motion.v, motion.a)[:, k], ":", label="data sheet")
        axis.plot(recording["t"], recording["predicted"][:, k], lw=1, label="identified")
        axis.set_title(sheet.drives[k], fontsize="small")
    axes[0, 0].legend(fontsize="x-small")
    figure.supylabel("N m, N", fontsize="small")
    figure.supxlabel("t, s", fontsize="small")
    assert found.fit.relative < 0.08
    return figure


def tolerances() -> Any:
    robot = appell.load("gough-stewart")
    found = appell.studies.tolerances(robot, 50e-6, points=100_000)
    assert 1.3e-4 < found["position, 95 %"] < 1.5e-4 and found["position, largest"] < found["position, at worst"]
    return found.plot()


PICTURES: list[Callable[[], Any]] = [
    serial_torques, gravity_map, gough_stewart, assemblies, singularity_map, delta_simulation, identification, tolerances,
]  # fmt: skip


def main(names: list[str]) -> None:
    IMAGES.mkdir(exist_ok=True)
    plt.rcParams["svg.hashsalt"] = "appell"  # the same picture is the same file
    for picture in PICTURES:
        name = picture.__name__.replace("_", "-")
        if names and name not in names:
            continue
        made = picture()
        if isinstance(made, appell.Drawing):
            made.save(IMAGES / f"{name}.svg", overwrite=True)
        else:
            made.savefig(IMAGES / f"{name}.png", dpi=110, metadata={"Software": None})
            plt.close(made)
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
