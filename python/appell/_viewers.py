"""Motions as files that others' viewers open: Rerun's `.rrd`, and MCAP for Foxglove and PlotJuggler."""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Union

from . import _poses
from ._numpy import np

if TYPE_CHECKING:
    from ._simulation import Run


def _poses_of(run: Run) -> Any:
    """Poses of all frames: (N, frames, 4, 4)."""
    where = run.q if run.pose is None else run.pose
    return run.robot.frames(where, of=None if run.pose is None else "platform")


def to_rerun(run: Run, path: Union[str, PathLike[str]]) -> Path:
    """Writes frames, positions and torques of a motion as a recording of Rerun; needs the package rerun-sdk."""
    try:
        import rerun
    except ImportError:
        raise ImportError("to_rerun needs the package rerun-sdk: pip install 'appell[view]'") from None
    target = Path(fspath(path))
    recording = rerun.RecordingStream(f"appell {run.robot.name}")
    recording.save(str(target))
    poses = _poses_of(run)
    for k, t in enumerate(run.t):
        recording.set_time("t", duration=float(t))
        for name, pose in zip(run.robot.frame_names, poses[k]):
            recording.log(f"frames/{name}", rerun.Transform3D(translation=pose[:3, 3], mat3x3=pose[:3, :3]))
        recording.log("points", rerun.Points3D(poses[k][:, :3, 3]))
        for symbol, names, values in (("q", run.robot.positions, run.q), ("tau", run.robot.drives, run.tau)):
            for name, value in zip(names, values[k]):
                recording.log(f"{symbol}/{name}", rerun.Scalars(float(value)))
    recording.flush()
    return target


def _numbers(names: Iterable[str]) -> dict[str, Any]:
    """The schema of an object of numbers."""
    return {"type": "object", "properties": {name: {"type": "number"} for name in names}}


def _object(title: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "title": title, "properties": properties}


_WHOLE = {"type": "integer", "minimum": 0}
_TIME = _object("time", sec=_WHOLE, nsec=_WHOLE)
_TEXT = {"type": "string"}
_LIST = {"type": "array", "items": {"type": "number"}}

#: Schemas of the topics whose messages are alike for all robots; `appell simulate` and `appell run` write the same
#: (crates/appell-cli/src/trial/recording.rs), but for /tf.
_SCHEMAS = {
    "/tf": _object(
        "foxglove.FrameTransforms",
        transforms={
            "type": "array",
            "items": _object(
                "foxglove.FrameTransform",
                timestamp=_TIME,
                parent_frame_id=_TEXT,
                child_frame_id=_TEXT,
                translation=_numbers("xyz"),
                rotation=_numbers("xyzw"),
            ),
        },
    ),
    "/joint_states": _object(
        "sensor_msgs/JointState",
        header={"type": "object", "properties": {"stamp": _TIME, "frame_id": _TEXT}},
        name={"type": "array", "items": _TEXT},
        position=_LIST,
        velocity=_LIST,
        effort=_LIST,
    ),
    "/platform": _object(
        "foxglove.PoseInFrame",
        timestamp=_TIME,
        frame_id=_TEXT,
        pose=_object("foxglove.Pose", position=_numbers("xyz"), orientation=_numbers("xyzw")),
    ),
    "/platform_twist": _object("geometry_msgs/Twist", linear=_numbers("xyz"), angular=_numbers("xyz")),
}


def _named(names: Iterable[str], values: Any) -> dict[str, float]:
    """Numbers by their names; those that are not finite are left out."""
    return {name: float(value) for name, value in zip(names, values) if np.isfinite(value)}


def to_mcap(run: Run, path: Union[str, PathLike[str]]) -> Path:
    """Writes a motion as MCAP with JSON messages, with the topics of `appell simulate` and all frames; needs the package mcap."""
    try:
        from mcap.writer import Writer
    except ImportError:
        raise ImportError("to_mcap needs the package mcap: pip install 'appell[view]'") from None
    target = Path(fspath(path))
    robot = run.robot
    frames = _poses.of_matrices(np.asarray(_poses_of(run)).reshape(-1, 4, 4)).reshape(len(run), -1, 7)
    poses = None if run.pose is None else _poses.of_matrices(run.pose)
    alike = run.q.shape[1] == run.v.shape[1]  # quaternions have more numbers than drives
    tables = [("/energy", "appell.Energy", ["kinetic", "potential"], np.column_stack([run.kinetic, run.potential]))]
    if not alike:
        tables.append(("/q", "appell.Positions", list(robot.positions), run.q))
    if run.wanted is not None:
        tables.append(("/wanted", "appell.Drives", list(robot.drives), run.wanted))
        if alike:
            tables.append(("/errors", "appell.Drives", list(robot.drives), run.q - run.wanted))
    if run.commanded is not None:
        tables.append(("/command", "appell.Drives", list(robot.drives), run.commanded))
    with target.open("wb") as file:
        writer = Writer(file)
        writer.start()
        channels: dict[str, int] = {}
        schemas: dict[str, int] = {}

        def send(t: float, topic: str, name: str, schema: dict[str, Any], message: dict[str, Any]) -> None:
            if topic not in channels:
                if name not in schemas:
                    schemas[name] = writer.register_schema(name, "jsonschema", json.dumps(schema).encode())
                channels[topic] = writer.register_channel(topic, "json", schemas[name])
            stamp = round(t * 1e9)
            writer.add_message(channels[topic], log_time=stamp, publish_time=stamp, data=json.dumps(message).encode())

        for k, t in enumerate(map(float, run.t)):
            stamp = round(t * 1e9)
            time = {"sec": stamp // 10**9, "nsec": stamp % 10**9}
            transforms = [
                {
                    "timestamp": time,
                    "parent_frame_id": "base",
                    "child_frame_id": name,
                    "translation": _named("xyz", pose[:3]),
                    "rotation": _named("xyzw", pose[3:]),
                }
                for name, pose in zip(robot.frame_names, frames[k])
            ]
            messages: dict[str, dict[str, Any]] = {
                "/tf": {"transforms": transforms},
                "/joint_states": {
                    "header": {"stamp": time, "frame_id": ""},
                    "name": list(robot.drives),
                    "position": run.q[k].tolist() if alike else [],
                    "velocity": run.v[k].tolist(),
                    "effort": run.tau[k].tolist(),
                },
            }
            if poses is not None:
                where = {"position": _named("xyz", poses[k, :3]), "orientation": _named("xyzw", poses[k, 3:])}
                messages["/platform"] = {"timestamp": time, "frame_id": "base", "pose": where}
            if run.twist is not None:
                twist = run.twist[k]
                messages["/platform_twist"] = {"linear": _named("xyz", twist[:3]), "angular": _named("xyz", twist[3:])}
            for topic, message in messages.items():
                send(t, topic, _SCHEMAS[topic]["title"], _SCHEMAS[topic], message)
            for topic, schema, names, values in tables:
                if numbers := _named(names, values[k]):
                    send(t, topic, schema, _numbers(names), numbers)
        writer.finish()  # type: ignore[no-untyped-call, unused-ignore]
    return target
