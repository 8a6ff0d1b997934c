"""Errors and warnings: their classes, and what they say."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import appell
import states
from states import DATA, REFUSED, close


def test_the_hierarchy_of_errors() -> None:
    for name in "RobotError", "QuestionError", "ShapeError", "NumberError":
        assert issubclass(getattr(appell, name), (appell.AppellError)) and issubclass(getattr(appell, name), ValueError)
    assert issubclass(appell.StateError, appell.AppellError) and issubclass(appell.StateError, ArithmeticError)
    assert issubclass(appell.FileWarning, appell.AppellWarning) and issubclass(appell.UndecidedWarning, appell.AppellWarning)
    assert issubclass(appell.AppellWarning, UserWarning)
    for name in appell.__all__:
        thing = getattr(appell, name)
        if isinstance(thing, type) and issubclass(thing, (Exception, Warning)):
            assert thing.__doc__


@pytest.mark.parametrize(
    "call, kind, says",
    [
        (lambda: appell.load("nowhere.toml"), FileNotFoundError, "built-in robots are puma560"),
        (lambda: appell.load("nowhere"), FileNotFoundError, "file not found"),
        (lambda: appell.load(DATA), (IsADirectoryError, PermissionError), "irectory"),
        (lambda: appell.check("nowhere.toml"), FileNotFoundError, "nowhere.toml"),
        (lambda: appell.Robot(""), appell.RobotError, "does not describe a robot"),
        (lambda: appell.Robot("nonsense"), appell.RobotError, "line 1"),
        (lambda: appell.Robot("nonsense", "nonsense"), ValueError, "formats are toml, urdf"),
        (lambda: appell.Robot("<robot/>", "urdf"), appell.RobotError, "robot.name"),
        (lambda: appell.Robot("<robot", "urdf"), appell.RobotError, "line 1"),
        (lambda: appell.Robot("\0\0", "toml"), appell.RobotError, "line 1"),
        (lambda: appell.Robot(3), TypeError, "str"),  # type: ignore[arg-type]
        (lambda: appell.Robot(), TypeError, "text"),  # type: ignore[call-arg]
        (lambda: appell.Robot(appell.load("two-link").to_text(), floating_base=True), appell.RobotError, "floating_base"),
        (lambda: appell.load("puma560", floating_base=True), ValueError, "URDF or SDF"),
        (lambda: appell.load("puma560", output="wrist-yaw"), appell.RobotError, "no closed loops"),
        (lambda: appell.load("delta", output="nowhere"), appell.RobotError, "no frame `nowhere`"),
        (lambda: appell.load("two-link").with_body("elbow", mass=1), appell.RobotError, "bodies are those of short, long"),
        (lambda: appell.load("two-link").with_body("long", mass=-1), appell.RobotError, "body.long.mass: is -1 kg"),
        (lambda: appell.load("two-link").with_body("long", mass=np.nan), appell.RobotError, "NaN"),
        (lambda: appell.load("two-link").with_body("long", com=[1, 2]), appell.ShapeError, r"expected \(3,\)"),
        (lambda: appell.load("two-link").with_body("long", inertia=np.zeros((2, 2))), appell.ShapeError, r"expected \(3, 3\)"),
        (lambda: appell.load("two-link").with_body("long", inertia=np.tri(3)), ValueError, "not symmetric"),
        (lambda: appell.load("two-link").with_payload(1, frame="nowhere"), appell.RobotError, "no body `nowhere`"),
        (lambda: appell.load("two-link").with_payload(np.inf), appell.RobotError, "inf"),
        (lambda: appell.load("two-link").with_joint("nowhere", viscous=1), appell.RobotError, "joints are short, long"),
        (lambda: appell.load("two-link").with_joint("long", nonsense=1), TypeError, "has no keyword `nonsense`"),
        (lambda: appell.load("two-link").with_joint("long", viscous="x"), TypeError, "real number"),  # type: ignore[arg-type]
        (lambda: appell.load("two-link").with_gravity([0, 0]), appell.ShapeError, r"expected \(3,\)"),
        (lambda: appell.load("two-link").with_gravity([0, 0, np.nan]), appell.RobotError, "gravity: is NaN"),
        (lambda: appell.load("two-link").with_masses_scaled(-1), appell.RobotError, "mass"),
        (lambda: appell.load("two-link").to_text("nonsense"), ValueError, "no format `nonsense`"),
        (lambda: appell.load("two-link").to_text("mjcf"), appell.RobotError, "only read"),
        (lambda: appell.load("two-link").to_text("urdf"), appell.RobotError, "lossy=True"),
        (lambda: appell.load("delta").to_text("urdf"), appell.RobotError, "closed loops"),
        (lambda: appell.load("two-link").to_text("csv", convention="nonsense"), ValueError, "no convention"),
    ],
)
def test_errors_say_what_is_wrong(call: Callable[[], Any], kind: Any, says: str) -> None:
    with pytest.raises(kind, match=says):
        call()


@pytest.mark.parametrize("path", REFUSED)
def test_files_that_give_no_robot(path: str) -> None:
    with pytest.raises(appell.RobotError) as caught:
        appell.load(DATA / path)
    found = appell.check(DATA / path)
    assert found and "error" in found[0] and str(caught.value) in found[0]


def test_limits_are_in_order() -> None:
    with pytest.raises(appell.RobotError, match="limits|lower|upper"):
        appell.load("two-link").with_joint("long", lower=2.0, upper=1.0)


def test_a_payload_is_not_negative() -> None:
    with pytest.raises((appell.RobotError, ValueError)):
        appell.load("two-link").with_payload(-1.0)


def test_doubts_about_files_are_warnings() -> None:
    with pytest.warns(appell.FileWarning, match="everything.xml: line 57: .*<sensor> with 1 entries") as caught:
        robot = appell.load(DATA / "mjcf" / "everything.xml")
    assert caught[0].filename == __file__, "it points at who loads"
    assert robot.warnings and len(appell.check(DATA / "mjcf" / "everything.xml")) == len(robot.warnings)
    with pytest.raises(appell.FileWarning):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            appell.load(DATA / "mjcf" / "everything.xml")


def test_what_is_odd_but_possible_only_check_reports() -> None:
    assert appell.check(DATA / "urdf" / "puma560.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        appell.load(DATA / "urdf" / "puma560.urdf")


def test_texts_in_other_encodings(tmp_path: Path) -> None:
    urdf = tmp_path / "arm.urdf"
    text = states.data_file("urdf/puma560.urdf").to_text("urdf").replace("?>", "?><!-- Köln -->", 1)
    urdf.write_bytes(text.encode("latin-1"))
    with pytest.warns(appell.FileWarning, match="not UTF-8"):
        assert appell.load(urdf).nv == 6
    toml = tmp_path / "arm.toml"
    toml.write_bytes((appell.load("two-link").to_text() + "# Köln\n").encode("latin-1"))
    with pytest.raises(ValueError, match="not UTF-8"):
        appell.load(toml)


def undecided_drives() -> Any:
    """Positions of drives that are far from home, where the way there is not straight."""
    robot = states.robot("five-bar")
    rng = np.random.default_rng(5)
    for _ in range(3000):
        q = robot.home_positions + rng.uniform(-4.0, 4.0, 2)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                robot.inverse_dynamics(q, [0.0, 0.0], [0.0, 0.0])
            except appell.StateError:
                continue
        if caught:
            return q
    raise AssertionError("no such drives were found")


def test_assemblies_that_are_not_decided_are_warned_of() -> None:
    robot, q = states.robot("five-bar"), undecided_drives()
    with pytest.warns(appell.UndecidedWarning, match="not decided which assembly") as caught:
        one = robot.inverse_dynamics(q, np.zeros(2), np.zeros(2))
    assert len(caught) == 1
    home = robot.home_positions
    with pytest.warns(appell.UndecidedWarning, match="1 states, the first of them 2"):
        many = robot.inverse_dynamics(np.stack([home, home, q, home]))
    with pytest.warns(appell.UndecidedWarning, match="1 states, the first of them 2"):
        robot.inverse_dynamics(np.stack([home, home, q, home]), method=robot.methods["inverse-dynamics"][0])
    assert close(many[2], one, 1e-8)
    out = np.full(2, 7.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(appell.UndecidedWarning):
            robot.inverse_dynamics(q, np.zeros(2), np.zeros(2), out=out)


def test_warnings_of_assemblies_point_at_who_asks() -> None:
    robot, q = states.robot("five-bar"), undecided_drives()
    with pytest.warns(appell.UndecidedWarning) as caught:
        robot.inverse_dynamics(q, np.zeros(2), np.zeros(2))
    assert caught[0].filename == __file__


def test_out_is_untouched_where_a_warning_is_an_error() -> None:
    robot, q = states.robot("five-bar"), undecided_drives()
    out = np.full(2, 7.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(appell.UndecidedWarning):
            robot.inverse_dynamics(q, np.zeros(2), np.zeros(2), out=out)
    assert (out == 7.0).all()
