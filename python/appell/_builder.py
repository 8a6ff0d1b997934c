"""Robots made in code: rows of joints with their bodies, and frames; loops as a file writes them."""

from __future__ import annotations

import json
import math
from typing import Any, Mapping, Optional, Sequence, Union

from ._robot import Robot

#: A number in SI units and radians, or text with a unit: "80 mm", "-90 deg".
Quantity = Union[float, str]


class Builder:
    """Makes a robot joint by joint; every method returns the builder, :meth:`build` the robot.

    A joint's frame is placed on its parent's by Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r) (Khalil and Kleinfinger); with γ = b = 0 these are
    modified Denavit-Hartenberg rows. It turns about, or slides along, its own z: the joint's variable is added to θ or r.

    >>> arm = (
    ...     appell.Builder("pendulum", gravity=(0, -9.81, 0))
    ...     .joint("pivot", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2))
    ...     .joint("knee", parent="pivot", d=1.0, mass=1.0, com=(0.3, 0, 0), inertia=(0.01, 0.1, 0.1))
    ...     .frame("tip", "knee", xyz=(0.6, 0, 0))
    ...     .build()
    ... )
    >>> float(round(arm.gravity([0.0, 0.0])[1], 6))
    2.943
    """

    def __init__(self, name: str = "robot", *, gravity: Sequence[float] = (0.0, 0.0, -9.81)) -> None:
        self._file: dict[str, Any] = {
            "name": name,
            "frames": "khalil-kleinfinger",
            "gravity": [float(x) for x in gravity],
            "joints": [],
            "body": {},
            "joint": {},
            "frame": {},
        }

    def joint(
        self,
        name: str,
        type: str = "revolute",
        *,
        parent: Optional[str] = None,
        gamma: Quantity = 0.0,
        b: Quantity = 0.0,
        alpha: Quantity = 0.0,
        d: Quantity = 0.0,
        theta: Quantity = 0.0,
        r: Quantity = 0.0,
        mass: float = 0.0,
        com: Sequence[float] = (0.0, 0.0, 0.0),
        inertia: Sequence[float] = (0.0, 0.0, 0.0),
        **section: Any,
    ) -> Builder:
        """Adds a joint on `parent` (the base if none) with the body that it carries.

        `inertia` is about the centre of mass: xx yy zz, or xx yy zz xy xz yz, kg m². Further keywords are keys of the joint's section
        in a robot's file: ``limits={"lower": -1, "upper": 1}``, ``friction={"viscous": 0.1}``, ``rotor``, ``spring``, ``mimic``, ``driven``.

        >>> appell.Builder().joint("hip", mass=1.0, com=(0.2, 0, 0)).joint("knee", parent="hip", d=0.4, theta=-0.1).build().nv
        2
        """
        cells = {"revolute": (_moving(theta), r), "screw": (_moving(theta), r), "prismatic": (theta, _moving(r))}
        turn, slide = cells.get(type, (theta, r))
        if len(inertia) not in (3, 6):
            raise ValueError(f"inertia of `{name}` has {len(inertia)} numbers; expected xx yy zz, or xx yy zz xy xz yz")
        tensor = dict(zip(("xx", "yy", "zz", "xy", "xz", "yz"), map(float, inertia)))
        self._file["joints"].append([name, type, parent or "base", gamma, b, alpha, d, turn, slide])
        self._file["body"][name] = {"mass": float(mass), "com": [float(x) for x in com], "inertia": tensor}
        if section:
            self._file["joint"][name] = section
        return self

    def frame(
        self, name: str, parent: str, *, xyz: Sequence[Quantity] = (0.0, 0.0, 0.0), rpy: Sequence[Quantity] = (0.0, 0.0, 0.0)
    ) -> Builder:
        """Adds a named frame on the body of a joint, as a tool.

        >>> appell.Builder().joint("hip", mass=1.0, com=(0.2, 0, 0)).frame("tip", "hip", xyz=(0.4, 0, 0)).build().frame_names
        ['hip', 'tip']
        """
        self._file["frame"][name] = {"parent": parent, "xyz": list(xyz), "rpy": list(rpy)}
        return self

    def section(self, name: str, content: Mapping[str, Any]) -> Builder:
        """Adds a section of a robot's file as it is: ``section("closure.pin", {"joint": "revolute", "first": …, "second": …})``.

        >>> appell.Builder().joint("hip", mass=1.0, com=(0.2, 0, 0)).section("joint.hip", {"friction": {"viscous": 0.5}}).build().bias([0.0], [2.0]).round(9).tolist()
        [1.0]
        """
        table = self._file
        *path, last = name.split(".")
        for key in path:
            table = table.setdefault(key, {})
        table[last] = dict(content)
        return self

    def to_toml(self) -> str:
        """The robot's file.

        >>> "hip" in appell.Builder().joint("hip", mass=1.0, com=(0.2, 0, 0)).to_toml()
        True
        """
        return toml(self._file)

    def build(self) -> Robot:
        """The robot; every problem of what was built is in the exception.

        >>> appell.Builder().joint("hip", mass=1.0, com=(0.2, 0, 0)).build()
        <appell.Robot robot: serial, 1 joints>
        """
        return Robot(self.to_toml(), "toml", self._file["name"])


def _moving(offset: Quantity) -> str:
    """The cell of a joint's variable: `q + 90 deg`, `q - 0.1`."""
    text = offset.strip() if isinstance(offset, str) else repr(float(offset))
    return f"q - {text[1:].strip()}" if text.startswith("-") else f"q + {text.lstrip('+').strip()}"


def toml(content: Mapping[str, Any]) -> str:
    """A mapping as TOML: plain keys first, then a section per mapping."""
    plain = {key: value for key, value in content.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in content.items() if isinstance(value, Mapping) and value}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, table in tables.items():
        for name, value in table.items():
            lines.append(f"{_key(key)}.{_key(name)} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() and key.isascii() else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace(chr(127), "\\u007f")  # a string of TOML, too
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    number = float(value)
    return repr(number) if math.isfinite(number) else ("nan" if math.isnan(number) else f"{number}")
