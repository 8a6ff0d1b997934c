"""Types of the compiled module; `python/tests/test_stubs.py` keeps them in step with it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Optional, Protocol, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, TypeAlias

__version__: str

# Numbers of an answer. Of arguments that are all in single precision they are in single precision, too.
_Array: TypeAlias = NDArray[np.float64]
_Out: TypeAlias = Union[NDArray[np.float64], NDArray[np.float32]]
_Of: TypeAlias = Optional[Literal["platform", "drives"]]
# Wrenches by frame: fx fy fz mx my mz, (6,) or (N, 6).
_Wrenches: TypeAlias = Optional[dict[str, Any]]
_Kind: TypeAlias = Literal["serial", "tree", "parallel", "spherical", "closed"]
_Change: TypeAlias = tuple[str, dict[str, Any]]
# Name, digest, and columns by name.
_Recording: TypeAlias = tuple[str, str, list[tuple[str, list[float]]]]

# Told how much of how much is done.
_Pulse: TypeAlias = Optional[Callable[[float, float], object]]

# Some numbers: a list or an array of one dimension; seven of them are px py pz qx qy qz qw.
_Row: TypeAlias = Union[Sequence[float], NDArray[np.float64]]

class _Rotation(Protocol):
    """A rotation as SciPy's."""

    def as_quat(self) -> Any: ...

# Positions, or the pose of a platform: 4 × 4, (position, quaternion), px py pz qx qy qz qw, a rotation.
_Positions: TypeAlias = Union[ArrayLike, tuple[ArrayLike, Union[ArrayLike, _Rotation]], _Rotation]

class _Joint(TypedDict):
    name: str
    kind: Literal["revolute", "prismatic"]
    lower: float
    upper: float
    velocity: float
    effort: float
    driven: bool

class Robot:
    def __new__(
        cls,
        text: str,
        format: Optional[str] = None,
        name: str = "robot",
        floating_base: bool = False,
        changes: Optional[Iterable[_Change]] = None,
    ) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def positions(self) -> list[str]: ...
    @property
    def drives(self) -> list[str]: ...
    @property
    def freedoms(self) -> list[str]: ...
    @property
    def frame_names(self) -> list[str]: ...
    @property
    def motors(self) -> list[str]: ...
    @property
    def joints(self) -> list[_Joint]: ...
    @property
    def gravity_vector(self) -> list[float]: ...
    @property
    def mass(self) -> float: ...
    @property
    def neutral(self) -> _Array: ...
    @property
    def parameters(self) -> list[str]: ...
    @property
    def parameter_values(self) -> _Array: ...
    @property
    def home_numbers(self) -> Optional[_Array]: ...
    @property
    def home_positions(self) -> _Array: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def methods(self) -> dict[str, list[str]]: ...
    def write(self, format: str = "toml", convention: Optional[str] = None) -> tuple[str, list[str]]: ...
    def columns(self, question: str) -> list[str]: ...
    def inverse_dynamics(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        external: _Wrenches = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def forward_dynamics(
        self,
        q: _Positions,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        external: _Wrenches = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Union[_Out, tuple[_Out, ...], None] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> Union[_Array, Any]: ...
    def inertia_matrix(
        self,
        q: _Positions,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def bias(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        external: _Wrenches = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def gravity(
        self,
        q: _Positions,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def coriolis_vector(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def coriolis_matrix(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def two_velocity_inverse_dynamics(
        self,
        q: _Positions,
        v: ArrayLike,
        a: ArrayLike,
        w: ArrayLike,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def motor_torques(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        external: _Wrenches = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def reactions(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        external: _Wrenches = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def regressor(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def inverse_dynamics_derivatives(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[tuple[_Out, _Out, _Out]] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> tuple[_Array, _Array, _Array]: ...
    def forward_dynamics_derivatives(
        self,
        q: _Positions,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[tuple[_Out, _Out, _Out]] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> tuple[_Array, _Array, _Array]: ...
    def energy(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def momentum(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def centre_of_mass(
        self,
        q: _Positions,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def centre_of_mass_jacobian(
        self,
        q: _Positions,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def gibbs_function(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def frames(
        self,
        q: _Positions,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def velocities(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def accelerations(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def jacobian(
        self,
        q: _Positions,
        *,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def jacobian_rate(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def singularity(
        self,
        q: _Positions,
        *,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def actuated(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[tuple[_Out, _Out, _Out]] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> tuple[_Array, _Array, _Array]: ...
    def joint_motion(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[tuple[_Out, _Out, _Out]] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> tuple[_Array, _Array, _Array]: ...
    def platform(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[tuple[_Out, _Out, _Out]] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> tuple[_Array, _Array, _Array]: ...
    def inverse_jacobian(
        self,
        q: _Positions,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[_Out] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> _Array: ...
    def psi(
        self,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        *,
        method: Optional[str] = None,
        of: _Of = None,
        out: Optional[tuple[_Out, _Out]] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> tuple[_Array, _Array]: ...
    def solver(
        self,
        question: str,
        *,
        method: Optional[str] = None,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
        of: _Of = None,
        continuous: bool = False,
    ) -> Solver: ...
    def ask(
        self,
        question: str,
        q: _Positions,
        v: Optional[ArrayLike] = None,
        a: Optional[ArrayLike] = None,
        tau: Optional[ArrayLike] = None,
        w: Optional[ArrayLike] = None,
        *,
        external: _Wrenches = None,
        method: Optional[str] = None,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
        of: _Of = None,
        out: Union[_Out, tuple[_Out, ...], None] = None,
        threads: Optional[int] = None,
        device: Optional[str] = None,
    ) -> Union[_Array, Any]: ...
    def integrate(self, q: ArrayLike, v: ArrayLike) -> _Array: ...
    def difference(self, q0: ArrayLike, q1: ArrayLike) -> _Array: ...
    def _home_coordinates(self, angles: str) -> list[float]: ...
    @property
    def generates(self) -> dict[str, list[str]]: ...
    def _generate(
        self, question: str, language: str, keep: list[str], regroup: bool, frame: Optional[str], axes: Optional[str]
    ) -> dict[str, Any]: ...
    def _agreement(
        self, states: int, seed: int, pulse: _Pulse
    ) -> list[tuple[str, str, str, Optional[float], Optional[str]]]: ...
    def _assemble_drives(self, drives: _Row, all: bool, near: Optional[_Row], starts: int, seed: int) -> dict[str, Any]: ...
    def _assemble_pose(self, pose: _Row, all: bool, starts: int, seed: int, most: int, pulse: _Pulse) -> dict[str, Any]: ...
    def _draw(self, q: Optional[_Row], pose: Optional[_Row]) -> str: ...
    def _skeleton(self, q: Optional[_Row], pose: Optional[_Row]) -> dict[str, Any]: ...
    def _inverse_kinematics(
        self,
        goals: Sequence[_Row],
        frame: Optional[str],
        starts: Sequence[_Row],
        seed: int,
        restarts: int,
        is_one: bool,
        pulse: _Pulse,
    ) -> _Array: ...
    def _closed_form(
        self, poses: Sequence[_Row], frame: Optional[str], is_one: bool
    ) -> list[list[tuple[list[float], list[float]]]]: ...
    def _drives_at(self, poses: Sequence[_Row], is_one: bool, pulse: _Pulse) -> _Array: ...
    def _singularities(self, pose: Optional[_Row], drives: Optional[_Row], length: Optional[float]) -> dict[str, Any]: ...
    def _reach(self, poses: _Array, kept: list[str], reference: _Row, threads: Optional[int]) -> _Array: ...
    def _singularity_map(
        self, over: list[str], ranges: dict[str, tuple[float, float]], cells: tuple[int, ...], pose: _Row, pulse: _Pulse
    ) -> tuple[list[tuple[str, float, float]], tuple[_Array, _Array, NDArray[np.uint8]]]: ...
    def _crossings(
        self,
        poses: Sequence[_Row],
        twists: Sequence[_Row],
        accelerations: Sequence[_Row],
        times: Optional[_Row],
        threshold: float,
        length: Optional[float],
    ) -> list[dict[str, Any]]: ...
    def _passage(
        self,
        from_: _Row,
        to: _Row,
        through: Optional[_Row],
        velocity: _Row,
        acceleration: _Row,
        crossing: float,
        duration: float,
        shape: str,
        rows: int,
    ) -> tuple[_Array, _Array, _Array, _Array]: ...
    def _trajectory(self, kind: str, keywords: dict[str, Any], dt: float, torques: bool, limits: bool) -> dict[str, Any]: ...

class _Rolling:
    def run(
        self, count: int, given: dict[str, Any], dt: float, steps: int
    ) -> tuple[dict[str, Any], Optional[int]]: ...

class DeviceArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> str: ...
    def __len__(self) -> int: ...
    def numpy(self) -> _Array: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Optional[tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...

class Solver:
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def a(self) -> _Array: ...
    @property
    def tau(self) -> _Array: ...
    @property
    def pose(self) -> _Array: ...
    @property
    def twist(self) -> _Array: ...
    @property
    def acceleration(self) -> _Array: ...
    @property
    def question(self) -> str: ...
    @property
    def method(self) -> str: ...
    def __call__(self, *vectors: ArrayLike) -> None: ...
    def __getattr__(self, name: str, /) -> _Array: ...
    def __dir__(self) -> list[str]: ...

def recognise(path: str, text: str, read: Callable[[str], str]) -> tuple[str, str]: ...
def inspect(text: str, format: str, floating_base: bool) -> list[tuple[bool, str]]: ...
def robots() -> list[tuple[str, str, str]]: ...
def questions() -> list[tuple[str, str, list[str]]]: ...
def _rolling(
    robot: Robot,
    law: dict[str, Any],
    cost: Optional[dict[str, Any]],
    varied: list[str],
    scheme: str,
    steps: int,
    limits: bool,
    stored: list[str],
    stride: int,
    by: Optional[list[str]],
    device: str,
    single: bool,
) -> _Rolling: ...
def simulate(
    robot: Robot,
    law: Optional[Callable[..., ArrayLike]],
    of_platform: bool,
    q: _Positions,
    v: Optional[ArrayLike],
    of: Optional[str],
    duration: float,
    record: float,
    method: str,
    tolerance: float,
    step: Optional[float],
    period: Optional[float],
    stop_at: list[str],
    most_steps: int,
    pulse: _Pulse,
) -> tuple[dict[str, _Array], Optional[str], float, int]: ...
def scenario_needs(text: str) -> tuple[str, Optional[str], Optional[str], bool]: ...
def play(
    text: str, robot: Robot, points: Optional[tuple[list[float], list[list[float]]]]
) -> tuple[dict[str, _Array], dict[str, Any]]: ...
def identify(
    robot: Robot,
    data: list[_Recording],
    loaded: list[_Recording],
    payload: Optional[tuple[Optional[str], float, list[float], list[float]]],
    validate: list[_Recording],
    layout: Optional[str],
    method: str,
    effects: Optional[list[str]],
    known: list[str],
    equal_legs: bool,
    lock: list[tuple[str, Optional[float]]],
    cut_off: Optional[float],
    decimate: Optional[int],
    border: Optional[float],
    folds: int,
    trust: Optional[float],
    essential: Optional[float],
    smoothing: Optional[float],
    date: str,
) -> dict[str, Any]: ...
def moving(robot: Robot, lock: list[tuple[str, Optional[float]]]) -> list[str]: ...
def excite(
    robot: Robot,
    lower: Optional[list[float]],
    upper: Optional[list[float]],
    velocity: Optional[list[float]],
    acceleration: Optional[list[float]],
    effort: Optional[list[float]],
    harmonics: int,
    frequency: float,
    points: Optional[int],
    duration: Optional[float],
    effects: Optional[list[str]],
    known: list[str],
    lock: list[tuple[str, Optional[float]]],
    criterion: str,
    samples: int,
    starts: int,
    steps: int,
    hops: int,
    seed: int,
    dt: float,
    pulse: _Pulse,
) -> dict[str, Any]: ...
def describe_device(name: str) -> str: ...
def _png(svg: str) -> bytes: ...
def _page(title: str, lead: str, body: str) -> str: ...
