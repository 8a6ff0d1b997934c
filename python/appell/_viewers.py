"""Motions as files that others' viewers open: Rerun's `.rrd`, and MCAP for Foxglove."""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _poses

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


_TRANSFORMS = {
    "type": "object",
    "title": "foxglove.FrameTransforms",
    "properties": {
        "transforms": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "timestamp": {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}},
                    "parent_frame_id": {"type": "string"},
                    "child_frame_id": {"type": "string"},
                    "translation": {"type": "object", "properties": {x: {"type": "number"} for x in "xyz"}},
                    "rotation": {"type": "object", "properties": {x: {"type": "number"} for x in "xyzw"}},
                },
            },
        }
    },
}


def to_mcap(run: Run, path: Union[str, PathLike[str]]) -> Path:
    """Writes frames, positions, velocities and torques of a motion as MCAP with JSON messages; needs the package mcap."""
    try:
        from mcap.writer import Writer
    except ImportError:
        raise ImportError("to_mcap needs the package mcap: pip install 'appell[view]'") from None
    target = Path(fspath(path))
    numbers = _poses.of_matrices(np.asarray(_poses_of(run)).reshape(-1, 4, 4)).reshape(len(run), -1, 7)
    plain = {"type": "object", "additionalProperties": {"type": "number"}}
    with target.open("wb") as file:
        writer = Writer(file)
        writer.start()
        frames = writer.register_schema("foxglove.FrameTransforms", "jsonschema", json.dumps(_TRANSFORMS).encode())
        values = writer.register_schema("appell.Values", "jsonschema", json.dumps(plain).encode())
        of_frames = writer.register_channel("/tf", "json", frames)
        of_values = {name: writer.register_channel(f"/{name}", "json", values) for name in ("q", "v", "tau")}
        for k, t in enumerate(run.t):
            stamp = int(round(float(t) * 1e9))
            time = {"sec": stamp // 10**9, "nsec": stamp % 10**9}
            transforms = [
                {
                    "timestamp": time,
                    "parent_frame_id": "base",
                    "child_frame_id": name,
                    "translation": dict(zip("xyz", map(float, pose[:3]))),
                    "rotation": dict(zip("xyzw", map(float, pose[3:]))),
                }
                for name, pose in zip(run.robot.frame_names, numbers[k])
            ]
            messages: dict[Any, Any] = {of_frames: {"transforms": transforms}}
            rows = (("q", run.robot.positions, run.q), ("v", run.robot.drives, run.v), ("tau", run.robot.drives, run.tau))
            for symbol, names, table in rows:
                messages[of_values[symbol]] = {name: float(value) for name, value in zip(names, table[k])}
            for channel, message in messages.items():
                writer.add_message(channel, log_time=stamp, publish_time=stamp, data=json.dumps(message).encode())
        writer.finish()  # type: ignore[no-untyped-call, unused-ignore]
    return target
