"""Studies of a robot over many places, or over many robots: each is a :func:`appell.sweep` with a table, a picture and a page.

| study | what it says |
|---|---|
| :func:`workspace` | which share of a box of poses is reachable, within limits, and on the same side of singularities as home |
| :func:`dexterity` | how far from singular the robot is: inverse conditions of Jacobians without units |
| :func:`worst_torques` | the largest torques of accelerations and velocities up to given ones |
| :func:`natural_frequencies` | how fast it swings on drives that give way |
| :func:`tolerances` | errors of the pose where joints are not quite where they should be |
| :func:`certificate` | a proof, by intervals, that a box of poses has no singularity in it |
| :func:`design` | which geometry is best, by NSGA-II or CMA-ES |

Places are given by `bounds`, from where to where by name: of an open robot names of its positions, of a robot with closed loops x, y, z (m),
roll, pitch and yaw (rad, from the attitude at home) of its platform. What is not named stays as at home. By default places are
Sobol's; `space` gives others: a grid, or borders that are refined. Further keywords go to :func:`appell.sweep`: `folder`, `backend`, `workers`, …

>>> found = appell.studies.workspace(appell.load("five-bar"), {"x": (-0.3, 0.3), "y": (0.1, 0.5)}, points=256)
>>> 0 < found["share"] < 1
True
"""

from ._certificate import Certificate, certificate
from ._design import Design, design
from ._dexterity import dexterity
from ._frequencies import natural_frequencies
from ._study import Study
from ._tolerances import tolerances
from ._torques import worst_torques
from ._workspace import workspace

__all__ = [
    "Certificate",
    "Design",
    "Study",
    "certificate",
    "design",
    "dexterity",
    "natural_frequencies",
    "tolerances",
    "workspace",
    "worst_torques",
]
