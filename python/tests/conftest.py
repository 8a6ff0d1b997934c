"""What tests of several files are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from states import PUMA


@pytest.fixture
def q() -> Any:
    return np.linspace(-0.9, 1.1, 6)


@pytest.fixture
def expected(q: Any) -> Any:
    return PUMA.inverse_dynamics(q, q, q)
