"""Options of a question: methods, frames, threads; wrong ones are refused."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

import appell
import states
from states import PUMA, STEWART, ask, close


@pytest.mark.parametrize(
    "call",
    [
        lambda q: PUMA.inverse_dynamics(q, q, q, method="nonsense"),
        lambda q: PUMA.inverse_dynamics(q, q, q, of="platform"),
        lambda q: PUMA.jacobian(q, frame="nowhere"),
        lambda q: PUMA.jacobian(q, axes="nowhere"),
        lambda q: PUMA.ask("nonsense", q),
        lambda q: PUMA.ask("", q),
        lambda q: PUMA.columns("nonsense"),
        lambda q: PUMA.inverse_dynamics(q, external={"nowhere": q}),
        lambda q: PUMA.ask("gravity", q, external={"elbow": q}),
        lambda q: PUMA.platform(q),
        lambda q: STEWART.gibbs_function(STEWART.home),
        lambda q: STEWART.jacobian(STEWART.home, frame="leg1.end"),
        lambda q: PUMA.solver("nonsense"),
        lambda q: PUMA.solver("inverse-dynamics", method="nonsense"),
        lambda q: PUMA.solver("inverse-dynamics", of="platform"),
        lambda q: PUMA.solver("jacobian", frame="nowhere"),
    ],
)
def test_wrong_options_are_question_errors(call: Callable[[Any], Any], q: Any) -> None:
    with pytest.raises(appell.QuestionError) as caught:
        call(q)
    assert isinstance(caught.value, ValueError) and len(str(caught.value)) > 10


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("robot", [PUMA, STEWART], ids=["puma560", "gough-stewart"])
def test_wrong_kinds_of_motion_are_refused(robot: appell.Robot, batch: bool) -> None:
    q = robot.home_positions
    given = [q[None] if batch else q] * 3
    with pytest.raises(appell.QuestionError, match="of="):
        robot.inverse_dynamics(*given, of="nonsense")


def test_threads_are_checked_of_one_state_too(q: Any) -> None:
    with pytest.raises(ValueError, match="threads"):
        PUMA.inverse_dynamics(q, q, q, threads=0)


def test_keywords_that_a_question_does_not_take() -> None:
    q = np.zeros(6)
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics(q, tau=q)
    with pytest.raises(TypeError):
        PUMA.gravity(q, external={})
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics(q, frame="elbow")
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics()
    with pytest.raises(TypeError):
        PUMA.inverse_dynamics(q, q, q, q)


def test_asking_by_name_refuses_what_the_question_does_not_take(q: Any) -> None:
    with pytest.raises((appell.QuestionError, TypeError)):
        PUMA.ask("gravity", q, frame="elbow")
    with pytest.raises((appell.QuestionError, TypeError)):
        PUMA.ask("gravity", q, tau=q)


def test_asking_takes_the_names_of_methods(q: Any) -> None:
    for question in PUMA.methods:
        state = {key: q for key in ("q", "v", "a", "tau", "w")}
        named = {key: state[key] for key in states.INPUTS[question]}
        found = PUMA.ask(states.method_name(question), **named)
        found = found if isinstance(found, tuple) else (found,)
        assert all(close(one, other) for one, other in zip(found, ask(PUMA, question, state)))


def test_asking_takes_the_one_name_that_differs() -> None:
    found = STEWART.ask("joint_motion", STEWART.home)
    assert close(found[0], STEWART.joint_motion(STEWART.home)[0])
