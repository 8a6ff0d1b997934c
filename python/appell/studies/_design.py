"""Which geometry is best: NSGA-II and CMA-ES of maintained packages, whose candidates are computed as sweeps."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any, Callable, Generator, Mapping, Optional, Sequence, Union

from .._errors import AppellError, NumberError, SweepError
from .._numpy import Flags, Numbers, np
from .._plot import finished, pyplot
from .._robot import Robot
from .._space import Bounds, Points
from .._sweep import sweep
from .._swept import Swept
from ._certificate import PROVED, certificate
from ._study import Study

#: Makes a robot from numbers by name.
Make = Callable[[Mapping[str, float]], Robot]

#: A number of a robot.
Measure = Callable[[Robot], float]

#: Columns that every design has.
OWN = ("index", "is_robot", "feasible", "singular")

#: What an optimiser is told of a candidate that is no robot, or has no answer.
OUT_OF_QUESTION = 1e30


class Design(Study):
    """All robots that an optimiser looked at; made by :func:`appell.studies.design`.

    >>> found = appell.studies.design(make, {"length": (0.1, 1.0)}, {"mass": lambda robot: robot.mass})       # doctest: +SKIP
    >>> found.robot_of(found.best[0]).save("best.toml")                                                        # doctest: +SKIP
    """

    _make: Make
    _names: Sequence[str]

    @property
    def feasible(self) -> Flags:
        """Which of them are robots that keep all constraints."""
        found: Flags = self.swept["feasible"]
        return found

    @property
    def best(self) -> Any:
        """Rows of the best: of one objective the best one, of several those that none is better than in all."""
        values = np.column_stack([self.swept[name] for name in self._names])
        rows = np.flatnonzero(self.feasible)
        chosen = rows[_front(values[rows])]
        return chosen[np.argsort(values[chosen, 0], kind="stable")]

    def numbers(self, row: int) -> dict[str, float]:
        """The numbers that a robot is made from, by the row of a candidate.

        >>> found.numbers(found.best[0])                                                # doctest: +SKIP
        {'length': 0.1}
        """
        return {name: float(self.swept[name][row]) for name in self.swept.space.names}

    def robot_of(self, row: int) -> Robot:
        """The robot of a row.

        >>> found.robot_of(found.best[0])                                               # doctest: +SKIP
        <appell.Robot robot: serial, 1 joints>
        """
        return self._make(self.numbers(row))


def design(
    make: Make,
    bounds: Bounds,
    objectives: Mapping[str, Measure],
    *,
    constraints: Optional[Mapping[str, Measure]] = None,
    without_singularity: Optional[Bounds] = None,
    method: Optional[str] = None,
    population: int = 32,
    generations: int = 30,
    seed: int = 1,
    folder: Union[str, Path, None] = None,
    **sweeping: Any,
) -> Design:
    """Searches the numbers, within bounds, of which ``make({name: number})`` makes the best robot.

    `objectives` are functions of a robot that are to be small, `constraints` functions that are to be zero or less, `without_singularity` a box of poses that is
    to be free of singularities by a :func:`certificate`. A candidate that is no robot, or where a function raises an error of appell, as out of
    reach, keeps no constraint. `method` is "nsga2" (the package pymoo; default of several objectives), or "cma-es" (the package cma; of
    one): ``pip install 'appell[design]'``.

    Every generation is a sweep, a candidate a point: with `folder` an interrupted search goes on with what is written, by the same way. Functions
    in plain Python are faster with ``backend="processes"``, or on a cluster. Columns: numbers, objectives, constraints, ``feasible``.

    >>> def pendulum(numbers):
    ...     return appell.Builder().joint("hip", mass=1.0, com=(numbers["length"], 0, 0)).build()
    >>> def holding(robot):
    ...     return abs(robot.with_gravity([0, -9.81, 0]).gravity([0.0])[0])
    >>> found = appell.studies.design(pendulum, {"length": (0.1, 1.0)}, {"torque": holding}, generations=5)   # doctest: +SKIP
    """
    method = method or ("cma-es" if len(objectives) == 1 else "nsga2")
    if method not in ("nsga2", "cma-es"):
        raise NumberError(f'method="{method}"; expected "nsga2" or "cma-es"')
    if not objectives or (method == "cma-es" and len(objectives) != 1):
        raise NumberError(f"{len(objectives)} objectives; {'CMA-ES is for one' if objectives else 'name one at least'}")
    names = [*bounds, *objectives, *(constraints or {}), *OWN]
    if twice := [name for k, name in enumerate(names) if name in names[:k]]:
        raise NumberError(f"`{twice[0]}` is a name twice; numbers, objectives and constraints have names of their own, others than {', '.join(OWN)}")
    if population < 4 or generations < 1:
        raise NumberError(f"population={population}, generations={generations}; expected 4 and 1 at least")
    space = Points({name: list(ends) for name, ends in bounds.items()})  # refuses what are no bounds
    low = np.array([ends[0] for ends in space.bounds.values()])
    high = np.array([ends[1] for ends in space.bounds.values()])
    given: dict[str, Any] = {
        "make": make,
        "objectives": dict(objectives),
        "constraints": dict(constraints or {}),
        "box": None if without_singularity is None else {name: list(ends) for name, ends in without_singularity.items()},
    }
    held = [*(constraints or {}), *([] if without_singularity is None else ["singular"])]
    # A generator that gives candidates between 0 and 1, and is sent their objectives and violations.
    search: Any = {"nsga2": _nsga2, "cma-es": _cma_es}[method](len(bounds), len(objectives), len(held) + 1, population, generations, seed)
    generations_found: list[Swept] = []
    candidates = next(search)
    while True:
        columns = dict(zip(bounds, (low + (high - low) * candidates).T))
        into = None if folder is None else Path(folder) / f"generation-{len(generations_found):04d}"
        found = sweep(_judged, Points(columns), given=given, each="point", **{"chunk": 1, **sweeping, "folder": into})
        generations_found.append(found)
        values = np.column_stack([found[name] for name in objectives])
        violations = np.column_stack([found[name] for name in held]) if held else np.zeros((len(values), 0))
        violations = np.column_stack([violations, np.where(found["is_robot"], -1.0, 1.0)])
        try:
            candidates = search.send((values, violations))
        except StopIteration:
            break
    swept = _gathered(list(bounds), generations_found)
    made = Design("Design", _lead(method, objectives, held), _first_robot(make, swept, bounds), swept, {}, _picture)
    made._make, made._names = make, list(objectives)
    made.table = _table(made, bounds, objectives, held)
    return made


def _gathered(names: Sequence[str], found: Sequence[Swept]) -> Swept:
    """All generations as one."""
    whole = {column: np.concatenate([one[column] for one in found]) for column in found[0].names}
    whole["index"] = np.arange(len(whole["index"]))
    listed = Points({name: whole[name] for name in names})
    manifest = found[-1].manifest
    return Swept(listed, {**manifest, "what": {**manifest["what"], "space": listed._describe()}, "rows": None}, whole, None)


def _judged(
    point: Mapping[str, float],
    make: Make,
    objectives: Mapping[str, Measure],
    constraints: Mapping[str, Measure],
    box: Optional[Mapping[str, Sequence[float]]],
) -> dict[str, Any]:
    """All numbers of a candidate."""
    try:
        robot = make(point)
        values = {name: float(measure(robot)) for name, measure in objectives.items()}
        held = {name: float(measure(robot)) for name, measure in constraints.items()}
        if box is not None:
            held["singular"] = _unproved(robot, box)
    except AppellError:
        names = [*constraints, *(["singular"] if box is not None else [])]
        held = {name: OUT_OF_QUESTION for name in names}
        return {**{name: OUT_OF_QUESTION for name in objectives}, **held, "is_robot": False, "feasible": False}
    if not all(map(math.isfinite, [*values.values(), *held.values()])):
        raise SweepError(f"a candidate has {values | held}; objectives and constraints are finite numbers, or errors of appell")
    return {**values, **held, "is_robot": True, "feasible": all(value <= 0 for value in held.values())}


def _unproved(robot: Robot, box: Mapping[str, Sequence[float]]) -> float:
    """The share of a box that is not proved to be without a singularity; zero if all is."""
    found = certificate(robot, box, until_refuted=False, cells=4000, workers=1)
    return 0.0 if (found.swept["state"] == PROVED).all() else max(1.0 - found["proved"], 1e-9)


def _nsga2(numbers: int, objectives: int, held: int, population: int, generations: int, seed: int) -> Generator[Any, Any, None]:
    """NSGA-II of Deb et al. 2002, by pymoo."""
    nsga2 = _package("pymoo.algorithms.moo.nsga2", "pymoo")
    problems = _package("pymoo.core.problem", "pymoo")
    evaluators, static = _package("pymoo.core.evaluator", "pymoo"), _package("pymoo.problems.static", "pymoo")
    problem = problems.Problem(n_var=numbers, n_obj=objectives, n_ieq_constr=held, xl=np.zeros(numbers), xu=np.ones(numbers))
    algorithm = nsga2.NSGA2(pop_size=population)
    algorithm.setup(problem, termination=("n_gen", generations), seed=seed, verbose=False)
    for _ in range(generations):
        asked = algorithm.ask()
        values, violations = yield np.array(asked.get("X"), dtype=np.float64)
        evaluators.Evaluator().eval(static.StaticProblem(problem, F=values, G=violations), asked)
        algorithm.tell(infills=asked)


def _cma_es(numbers: int, objectives: int, held: int, population: int, generations: int, seed: int) -> Generator[Any, Any, None]:
    """CMA-ES of Hansen, by cma; candidates that violate constraints are behind all that do not, the least violation first."""
    del objectives, held  # one, and any number
    cma = _package("cma", "cma")
    options = {"bounds": [0, 1], "popsize": population, "seed": seed, "verbose": -9, "maxiter": generations}
    strategy = cma.CMAEvolutionStrategy(np.full(numbers, 0.5), 0.3, options)
    for _ in range(generations):
        asked = strategy.ask()
        values, violations = yield np.array(asked, dtype=np.float64)
        excess = np.maximum(violations, 0.0).sum(axis=1)
        order = np.lexsort((np.where(excess > 0, 0.0, values[:, 0]), excess))
        # CMA-ES looks at the order alone.
        ranks = np.empty(len(order))
        ranks[order] = np.arange(len(order))
        strategy.tell(asked, ranks.tolist())
        if strategy.stop():
            return


def _package(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"this method needs the package {package}: pip install 'appell[design]'") from None


def _front(values: Numbers) -> Any:
    """Rows that no other is better than, or as good in all and better in one."""
    keep = np.ones(len(values), dtype=bool)
    for k, row in enumerate(values):
        keep[k] = not ((values <= row).all(axis=1) & (values < row).any(axis=1)).any()
    if values.shape[1] == 1:
        keep[np.flatnonzero(keep)[1:]] = False
    return np.flatnonzero(keep)


def _first_robot(make: Make, swept: Swept, bounds: Bounds) -> Robot:
    """A robot to name the study by."""
    rows = np.flatnonzero(swept["feasible"] if swept["feasible"].any() else swept["is_robot"])
    if not len(rows):
        raise NumberError(f"design: none of {len(swept)} candidates is a robot that can be measured; widen the bounds of {', '.join(bounds)}")
    return make({name: float(swept[name][rows[0]]) for name in bounds})


def _lead(method: str, objectives: Mapping[str, Any], held: Sequence[str]) -> str:
    subject = f" subject to {', '.join(held)} ≤ 0" if held else ""
    return f"Least {', '.join(objectives)}{subject}, by {'NSGA-II' if method == 'nsga2' else 'CMA-ES'}."


def _table(made: Design, bounds: Bounds, objectives: Mapping[str, Any], held: Sequence[str]) -> dict[str, tuple[Any, str]]:
    swept = made.swept
    table: dict[str, tuple[Any, str]] = {
        "candidates": (len(swept), ""),
        "feasible": (int(swept["feasible"].sum()), ""),
    }
    best = made.best
    table["best"] = (len(best), "that none is better than" if len(objectives) > 1 else "")
    for k, row in enumerate(best[:8]):
        numbers = ", ".join(f"{name} = {swept[name][row]:.5g}" for name in [*bounds, *held])
        values = ", ".join(f"{name} {swept[name][row]:.6g}" for name in objectives)
        table[f"best, {k + 1}"] = (values, f"at {numbers}")
    return table


def _picture(study: Study) -> Any:
    made: Any = study
    swept, names = made.swept, made._names
    figure, axis = pyplot().subplots(figsize=(6.5, 4.6), layout="constrained")
    feasible, best = made.feasible, made.best
    if len(names) > 1:
        axis.plot(swept[names[0]][feasible], swept[names[1]][feasible], ".", color="#94a3b8", label="feasible")
        axis.plot(swept[names[0]][best], swept[names[1]][best], "o", color="#d9480f", label="best")
        axis.set(xlabel=names[0], ylabel=names[1])
    else:
        values = np.where(feasible, swept[names[0]], np.inf)
        axis.plot(np.flatnonzero(feasible), values[feasible], ".", color="#94a3b8", label="feasible")
        axis.plot(np.minimum.accumulate(values), color="#d9480f", label="best so far")
        axis.set(xlabel="candidates", ylabel=names[0])
    axis.legend()
    axis.set_title(f"{study.title}: {study.robot.name}")
    return finished(figure)
