"""Motions to follow: of a frame along lines, arcs and through poses; of joints straight, along splines, by Fourier series.

>>> robot = appell.load("scara")
>>> motion = appell.trajectory.joints(robot, [0.5, 1.0, 0.1, 0.0], time=2.0, torques=True)
>>> motion.q.shape, motion.tau.shape
((201, 4), (201, 4))

Of a parallel robot it is the platform that goes along lines and arcs, and its drives that go along splines and series. The time law is
"quintic" if not named, else "cubic", "ramp" (a trapezoid of speeds), "s-curve" (with limited jerk) or "constant"; how long it takes is
`time` (s), or as long as `speed`, `acceleration` and `jerk` (m, rad, s) need. Rows are `dt` s apart, the last one at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

from . import _poses
from ._errors import NumberError, QuestionError, ShapeError
from ._motion import Limits, Peak, Trajectory
from ._numpy import ArrayLike, Numbers, np

if TYPE_CHECKING:
    from ._robot import Robot

__all__ = ["Limits", "Peak", "Trajectory", "arc", "fourier", "joints", "line", "via"]


def line(
    robot: Robot,
    to: Any,
    *,
    begin: Any = None,
    start: Optional[ArrayLike] = None,
    frame: Optional[str] = None,
    branch: Optional[str] = None,
    hold: Sequence[str] = (),
    position_only: bool = False,
    law: str = "quintic",
    time: Optional[float] = None,
    speed: Optional[float] = None,
    acceleration: Optional[float] = None,
    jerk: Optional[float] = None,
    turn_speed: Optional[float] = None,
    turn_acceleration: Optional[float] = None,
    dt: float = 0.01,
    torques: bool = False,
    limits: bool = False,
    max_acceleration: Optional[ArrayLike] = None,
) -> Trajectory:
    """A frame, or a platform, along a straight line to a pose, turning there by the shortest way.

    `to` is a pose in any form, or a position (3,), which keeps the attitude. It begins at the pose `begin`, or where the frame is with
    the joints at `start` (zeros), or at home. An open robot's joints follow by inverse kinematics from `start`; arms of the PUMA's type
    with ``branch="+-+"`` in closed form, with these signs of shoulder, elbow and wrist. `hold` names joints that stay: robots of seven
    joints need one. ``position_only=True`` leaves the attitude free. ``limits=True`` checks the limits of the robot's file.

    >>> delta = appell.load("delta")
    >>> motion = appell.trajectory.line(delta, [0.1, 0.05, -0.7], speed=0.5, acceleration=4.0, law="ramp")
    >>> bool(np.allclose(motion.pose[-1, :3, 3], [0.1, 0.05, -0.7]))
    True
    """
    where = _begin(robot, begin, start, frame)
    path = {"from": where, "to": _pose(to, where, "to")}
    rates = _rates(law, time, speed, acceleration, jerk, turn_speed, turn_acceleration)
    how = _how(robot, start, frame, branch, hold, position_only)
    return _followed(robot, "line", "line", {**path, **rates, **how}, dt, torques, limits, max_acceleration)


def arc(
    robot: Robot,
    to: Any = None,
    *,
    through: Optional[ArrayLike] = None,
    centre: Optional[ArrayLike] = None,
    axis: Optional[ArrayLike] = None,
    turn: Optional[float] = None,
    follow: bool = False,
    begin: Any = None,
    start: Optional[ArrayLike] = None,
    frame: Optional[str] = None,
    branch: Optional[str] = None,
    hold: Sequence[str] = (),
    position_only: bool = False,
    law: str = "quintic",
    time: Optional[float] = None,
    speed: Optional[float] = None,
    acceleration: Optional[float] = None,
    jerk: Optional[float] = None,
    turn_speed: Optional[float] = None,
    turn_acceleration: Optional[float] = None,
    dt: float = 0.01,
    torques: bool = False,
    limits: bool = False,
    max_acceleration: Optional[ArrayLike] = None,
) -> Trajectory:
    """A frame, or a platform, along an arc of a circle: to a pose, `through` a point; or about `centre` and `axis` by `turn` rad.

    ``follow=True`` turns the frame with the arc. Other keywords as of :func:`line`.

    >>> stewart = appell.load("gough-stewart")
    >>> motion = appell.trajectory.arc(stewart, centre=[0.05, 0.0, 0.78], axis=[0, 0, 1], turn=2 * np.pi, time=3.0)
    >>> bool(np.allclose(motion.pose[0], motion.pose[-1]))
    True
    """
    where = _begin(robot, begin, start, frame)
    if (through is None) == (centre is None):
        raise TypeError("an arc goes to a pose through= a point, or about centre= and axis= by turn=, and not both")
    if through is not None:
        if to is None:
            raise TypeError("an arc through a point needs its end: to")
        if follow and not _is_position(to):
            raise TypeError("follow=True turns the frame with the arc; give a position alone as its end")
        path: dict[str, Any] = {"through": _three(through, "through"), "to": _pose(to, where, "to")}
    else:
        if axis is None or turn is None or to is not None:
            raise TypeError("an arc about a centre needs axis= and turn=, and no end")
        path = {"centre": _three(centre, "centre"), "axis": _three(axis, "axis"), "turn": float(turn)}
    path.update({"from": where, "follow": follow})
    rates = _rates(law, time, speed, acceleration, jerk, turn_speed, turn_acceleration)
    how = _how(robot, start, frame, branch, hold, position_only)
    return _followed(robot, "arc", "arc", {**path, **rates, **how}, dt, torques, limits, max_acceleration)


def via(
    robot: Robot,
    poses: Any,
    *,
    times: Optional[ArrayLike] = None,
    time: Optional[float] = None,
    shape: str = "spline",
    blend: Optional[float] = None,
    start: Optional[ArrayLike] = None,
    frame: Optional[str] = None,
    branch: Optional[str] = None,
    hold: Sequence[str] = (),
    position_only: bool = False,
    dt: float = 0.01,
    torques: bool = False,
    limits: bool = False,
    max_acceleration: Optional[ArrayLike] = None,
) -> Trajectory:
    """A frame, or a platform, through poses (N, 4, 4), or positions (N, 3), at `times` (s), or in `time` shared out by way and turn.

    ``shape="spline"`` goes through all of them by a spline of degree 5; ``"blends"`` goes along straight lines and cuts the corners,
    half a blend taking `blend` s, a fifth of the shortest stretch if not given. Other keywords as of :func:`line`.

    >>> delta = appell.load("delta")
    >>> points = delta.home[:3, 3] + [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0.05]]
    >>> appell.trajectory.via(delta, points, time=1.0).q.shape
    (101, 3)
    """
    where = _begin(robot, None, start, frame)
    rows = np.asarray(poses, dtype=np.float64) if not isinstance(poses, tuple) and not hasattr(poses, "as_quat") else None
    if rows is not None and rows.ndim == 2 and rows.shape[1] == 3:
        numbers = _poses.joined(rows, np.asarray(where[3:]))
    else:
        found = _poses.numbers(poses, where[:3], 0, "platform")
        assert found is not None
        numbers = found
    if numbers.ndim != 2 or len(numbers) < 2:
        raise ShapeError(f"`poses` has shape {np.shape(poses)}; expected two poses at least: (N, 4, 4), or positions (N, 3)")
    if (times is None) == (time is None):
        raise TypeError("via needs times= of the poses, or time= of all, and not both")
    if shape not in ("spline", "blends"):
        raise QuestionError(f"no shape `{shape}`; shapes are spline and blends")
    if blend is not None and shape == "spline":
        raise TypeError("blend= is for shape=\"blends\"")
    path: dict[str, Any] = {"poses": _finite(numbers, "poses").tolist(), "time": time}
    if times is not None:
        path["times"] = _finite(times, "times").ravel().tolist()
    if shape == "blends":
        path["blend"] = blend if blend is not None else 0.2 * _shortest(numbers, path.get("times"), time)
    how = _how(robot, start, frame, branch, hold, position_only)
    return _followed(robot, "via", shape, {**path, **how}, dt, torques, limits, max_acceleration)


def joints(
    robot: Robot,
    to: Optional[ArrayLike] = None,
    *,
    begin: Optional[ArrayLike] = None,
    points: Optional[ArrayLike] = None,
    times: Optional[ArrayLike] = None,
    velocities: Optional[ArrayLike] = None,
    accelerations: Optional[ArrayLike] = None,
    degree: str = "quintic",
    ends: str = "rest",
    platform: Optional[str] = None,
    law: str = "quintic",
    time: Optional[float] = None,
    speed: Optional[float] = None,
    acceleration: Optional[float] = None,
    jerk: Optional[float] = None,
    dt: float = 0.01,
    torques: bool = False,
    limits: bool = False,
    max_acceleration: Optional[ArrayLike] = None,
) -> Trajectory:
    """Joints, or drives, straight to `to` (n,) from `begin` (zeros, or home), all arriving together; or along a spline through `points`.

    With `points` (N, n) at `times` (N,) it is a spline of `degree` "quintic" (C⁴) or "cubic" (C²), which begins and ends at "rest" or
    "natural"; with `velocities`, or `velocities` and `accelerations`, these are met at the points.

    With ``platform="321"`` or ``"zyz"`` it is the platform of a parallel robot that moves, and n = 6 numbers are its x, y, z (m) and
    these Euler angles (rad).

    >>> motion = appell.trajectory.joints(appell.load("scara"), [0.5, 1, 0.1, 0], speed=1.0, acceleration=5.0, law="ramp")
    >>> bool(np.abs(motion.v).max() <= 1.0 + 1e-9)
    True
    """
    if (to is None) == (points is None):
        raise TypeError("joints go to= a place, or along a spline through points=, and not both")
    if to is not None:
        names = _moved(robot, platform)
        from_ = _home(robot, platform) if begin is None else _numbers(begin, "begin", names)
        path: dict[str, Any] = {"from": from_, "to": _numbers(to, "to", names), "platform": platform}
        path.update(_rates(law, time, speed, acceleration, jerk, None, None))
        return _followed(robot, "ramp", "straight joint motion", path, dt, torques, limits, max_acceleration)
    if times is None:
        raise TypeError("a spline through points needs their times=")
    if degree not in ("quintic", "cubic") or ends not in ("rest", "natural"):
        raise QuestionError(f'degree="{degree}", ends="{ends}"; expected "quintic" or "cubic", and "rest" or "natural"')
    if accelerations is not None and velocities is None:
        raise TypeError("accelerations at the points need velocities= there, too")
    width = len(_moved(robot, platform))
    path = {"times": _finite(times, "times").ravel().tolist(), "degree": degree, "ends": ends, "platform": platform}
    for name, given in (("points", points), ("velocities", velocities), ("accelerations", accelerations)):
        if given is not None:
            table = _finite(given, name)
            if table.ndim != 2 or table.shape[1] != width:
                raise ShapeError(f"`{name}` has shape {table.shape}; expected (N, {width})")
            path[name] = table.tolist()
    return _followed(robot, "spline", "spline", path, dt, torques, limits, max_acceleration)


def fourier(
    robot: Robot,
    coefficients: Optional[ArrayLike] = None,
    *,
    frequency: float,
    harmonics: Optional[int] = None,
    amplitude: float = 0.3,
    seed: int = 1,
    periods: float = 1.0,
    about: Optional[ArrayLike] = None,
    from_rest: bool = False,
    platform: Optional[str] = None,
    dt: float = 0.01,
    torques: bool = False,
    limits: bool = False,
    max_acceleration: Optional[ArrayLike] = None,
) -> Trajectory:
    """Joints, or drives, by Fourier series: q(t) = q0 + Σ a_k sin(2π k f t) + b_k cos(2π k f t), motions that excite a robot.

    `coefficients` (n, harmonics, 2) are a and b, rad or m; or `harmonics` random ones by `seed`, which together go no further than
    `amplitude`. q0 is `about` (zeros, or home), f `frequency` (Hz). ``from_rest=True`` takes the nearest ones that begin at rest.
    `platform` as of :func:`joints`; random coefficients are of its degrees of freedom alone.

    >>> motion = appell.trajectory.fourier(appell.load("puma560"), harmonics=5, frequency=0.1, from_rest=True)
    >>> bool(np.allclose(motion.v[0], 0)), motion.duration
    (True, 10.0)
    """
    if (coefficients is None) == (harmonics is None):
        raise TypeError("fourier needs coefficients, or how many harmonics=, and not both")
    names = _moved(robot, platform)
    joints = len(names)
    if coefficients is not None:
        terms = _finite(coefficients, "coefficients")
        if terms.ndim != 3 or terms.shape[0] != joints or terms.shape[2] != 2:
            raise ShapeError(f"`coefficients` has shape {terms.shape}; expected ({joints}, harmonics, 2)")
    else:
        assert harmonics is not None
        if harmonics < 1 or not amplitude > 0:
            raise NumberError(f"harmonics={harmonics}, amplitude={amplitude}: expected positive numbers")
        terms = np.random.default_rng(seed).uniform(-1.0, 1.0, (joints, harmonics, 2)) / np.arange(1, harmonics + 1)[:, None]
        terms *= amplitude / np.hypot(terms[..., 0], terms[..., 1]).sum(axis=1)[:, None, None]
        if platform is not None:
            terms *= _free(robot, platform)[:, None, None]
    path = {
        "terms": terms.tolist(),
        "about": _home(robot, platform) if about is None else _numbers(about, "about", names),
        "platform": platform,
        "frequency": float(frequency),
        "periods": float(periods),
        "from_rest": from_rest,
    }
    return _followed(robot, "fourier", "Fourier series", path, dt, torques, limits, max_acceleration)


def _followed(
    robot: Any,
    kind: str,
    what: str,
    path: dict[str, Any],
    dt: float,
    torques: bool,
    limits: bool,
    max_acceleration: Optional[ArrayLike],
) -> Trajectory:
    if max_acceleration is not None:
        path["max_acceleration"] = np.atleast_1d(_finite(max_acceleration, "max_acceleration")).tolist()
    found = robot._trajectory(kind, path, float(dt), torques, limits or max_acceleration is not None)
    report = Limits(found["first"], tuple(Peak(*peak) for peak in found["peaks"])) if "peaks" in found else None
    pose = found["pose"]
    return Trajectory(
        robot=robot.name,
        kind=what,
        names=tuple(robot.drives),
        t=found["t"],
        q=found["q"],
        v=found["v"],
        a=found["a"],
        tau=found.get("tau"),
        pose=None if pose is None else _poses.matrices(pose),
        twist=found["twist"],
        acceleration=found["acceleration"],
        limits=report,
    )


def _begin(robot: Any, begin: Any, start: Optional[ArrayLike], frame: Optional[str]) -> list[float]:
    """Where a path begins, px py pz qx qy qz qw."""
    if robot.kind not in ("serial", "tree"):
        if start is not None or frame is not None:
            raise TypeError(f"{robot.name} has closed loops, and its platform moves: start= and frame= are for open robots")
        if robot.home_numbers is None:
            raise QuestionError(
                f'{robot.name} has no platform to move; robot.with_output("FRAME") names one, or move its drives: trajectory.joints'
            )
        home = robot.home_numbers
    else:
        q = np.zeros(robot.nq) if start is None else np.asarray(_joint_numbers(robot, start, "start"))
        home = _poses.of_matrices(robot.pose(q, frame))
    return _pose(begin, [float(x) for x in home], "begin") if begin is not None else [float(x) for x in home]


def _is_position(pose: Any) -> bool:
    return not isinstance(pose, tuple) and not hasattr(pose, "as_quat") and np.shape(pose) == (3,)


def _pose(pose: Any, near: Sequence[float], name: str) -> list[float]:
    """One pose; of a position alone with the attitude of another one."""
    given = (pose, np.asarray(near[3:])) if _is_position(pose) else pose
    numbers = _poses.numbers(given, np.asarray(near[:3]), 0, "platform")
    if numbers is None or numbers.shape != (7,):
        raise ShapeError(f"`{name}` has shape {np.shape(pose)}; expected a position (3,), or a pose: 4 × 4, (position, quaternion)")
    return [float(x) for x in _finite(numbers, name)]


def _how(
    robot: Any, start: Optional[ArrayLike], frame: Optional[str], branch: Optional[str], hold: Sequence[str], position_only: bool
) -> dict[str, Any]:
    held = [hold] if isinstance(hold, str) else list(hold)
    if robot.kind not in ("serial", "tree") and (branch is not None or held or position_only):
        raise TypeError(f"{robot.name} has closed loops, and its platform moves: branch=, hold= and position_only= are for open robots")
    q = None if start is None else _joint_numbers(robot, start, "start")
    return {"start": q, "frame": frame, "branch": branch, "hold": held, "position_only": position_only}


def _rates(law: str, time: Any, speed: Any, acceleration: Any, jerk: Any, turn_speed: Any, turn_acceleration: Any) -> dict[str, Any]:
    rates = {"speed": speed, "acceleration": acceleration, "jerk": jerk, "turn_speed": turn_speed, "turn_acceleration": turn_acceleration}
    if time is not None and any(rate is not None for rate in rates.values()):
        raise TypeError("give time=, or limits of speed, acceleration and jerk, and not both")
    return {"law": law, "time": time, **rates}


def _moved(robot: Any, platform: Optional[str]) -> list[str]:
    """Names of what moves by numbers of its own: joints, drives, or coordinates of a platform."""
    return list(robot.drives) if platform is None else ["x", "y", "z", "angle1", "angle2", "angle3"]


def _home(robot: Any, platform: Optional[str]) -> list[float]:
    return [float(x) for x in (robot.home_positions if platform is None else robot._home_coordinates(platform))]


def _free(robot: Any, angles: str) -> Numbers:
    """1 for coordinates in which a platform can move, 0 for others: yaw, pitch and roll are turns about z, y and x."""
    free = [float(part in robot.freedoms) for part in ("vx", "vy", "vz", "wz", "wy", "wx")]
    if angles != "321" and sum(free[3:]) not in (0.0, 3.0):
        raise QuestionError(f'{robot.name} turns about some axes alone, for which {angles} angles are not unique; use platform="321"')
    return np.array(free)


def _joint_numbers(robot: Any, numbers: ArrayLike, name: str) -> list[float]:
    return _numbers(numbers, name, list(robot.drives))


def _numbers(numbers: ArrayLike, name: str, names: list[str]) -> list[float]:
    vector = _finite(numbers, name)
    if vector.shape != (len(names),):
        raise ShapeError(f"`{name}` has shape {vector.shape}; expected ({len(names)},): {', '.join(names)}")
    return [float(x) for x in vector]


def _three(numbers: Any, name: str) -> list[float]:
    vector = _finite(numbers, name)
    if vector.shape != (3,):
        raise ShapeError(f"`{name}` has shape {vector.shape}; expected (3,)")
    return [float(x) for x in vector]


def _finite(numbers: Any, name: str) -> Numbers:
    array = np.asarray(numbers, dtype=np.float64)
    if not np.isfinite(array).all():
        raise NumberError(f"`{name}` is not finite")
    return array


def _shortest(numbers: Numbers, times: Optional[list[float]], time: Optional[float]) -> float:
    """The shortest stretch between poses, s; times are shared out by way and turn."""
    if times is not None:
        return float(np.diff(times).min()) if len(times) > 1 else 0.0
    assert time is not None
    ways = np.linalg.norm(np.diff(numbers[:, :3], axis=0), axis=1)
    turns = 2.0 * np.arccos(np.clip(np.abs((numbers[1:, 3:] * numbers[:-1, 3:]).sum(axis=1)), 0.0, 1.0))
    shares = np.hypot(ways, turns)
    return float(time * shares.min() / shares.sum()) if shares.sum() > 0 else 0.0
