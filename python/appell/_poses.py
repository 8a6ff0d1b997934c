"""Poses in the forms that people have them: 4 × 4 matrices, position and quaternion, SciPy's rotations."""

from __future__ import annotations

from typing import Any, Optional

from ._errors import NumberError, QuestionError, ShapeError
from ._numpy import Numbers, np

#: How far a rotation matrix may be from an orthogonal one, a quaternion from length 1: rounding to a few digits.
ROUNDING = 1e-3


def with_precision(given: Any, home: Any, drives: int, of: Optional[str]) -> Optional[tuple[Numbers, bool]]:
    """The same as :func:`numbers`, and whether they came in single precision."""
    found = numbers(given, home, drives, of)
    parts = given if isinstance(given, tuple) else (given,)
    is_single = all(getattr(part, "dtype", None) in (np.float32, np.float16) for part in parts)
    return None if found is None else (found, is_single)


def numbers(given: Any, home: Any, drives: int, of: Optional[str]) -> Optional[Numbers]:
    """px py pz qx qy qz qw of what is given as a pose, (7,) or (N, 7); None if it is positions of `drives` drives."""
    if of not in (None, "platform", "drives"):
        raise QuestionError(f'of="{of}"; expected "platform" or "drives"')
    if isinstance(given, tuple) and len(given) == 2 and not np.isscalar(given[0]):
        return joined(given[0], quaternions(given[1]))
    if hasattr(given, "as_quat"):
        return joined(home, quaternions(given))
    array = np.asarray(given)
    if array.dtype.kind not in "fiub" or array.ndim == 0:
        return None  # the reader of vectors says what is wrong
    if array.shape[-2:] == (4, 4) and array.ndim in (2, 3):
        if drives == 4 and array.ndim == 2 and of is None:
            raise ShapeError(
                'an array of shape (4, 4) may be a pose, or four states of four drives: say of="platform" or of="drives"'
            )
        return of_matrices(array.astype(np.float64))
    if array.shape[-1] == 7 and (drives != 7 or of == "platform"):
        pose = array.astype(np.float64)
        return joined(pose[..., :3], unit(pose[..., 3:]))
    if of == "platform":
        raise ShapeError(
            f"a pose of shape {array.shape}; expected a 4 × 4 matrix, (position, quaternion), px py pz qx qy qz qw, or a Rotation"
        )
    return None


def joined(position: Any, quaternion: Numbers) -> Numbers:
    """Positions and quaternions side by side."""
    position = np.asarray(position, dtype=np.float64)
    if position.shape[-1:] != (3,) or position.ndim > 2:
        raise ShapeError(f"the position of a pose has shape {position.shape}; expected (3,) or (N, 3)")
    try:
        shape = np.broadcast_shapes(position.shape[:-1], quaternion.shape[:-1])
    except ValueError:
        raise ShapeError(
            f"{position.shape[0]} positions and {quaternion.shape[0]} attitudes; give as many, or one for all"
        ) from None
    return np.concatenate([np.broadcast_to(position, (*shape, 3)), np.broadcast_to(quaternion, (*shape, 4))], axis=-1)


def quaternions(attitude: Any) -> Numbers:
    """qx qy qz qw of a quaternion, a 3 × 3 matrix, or a rotation of SciPy; one or many."""
    if hasattr(attitude, "as_quat"):
        return unit(np.asarray(attitude.as_quat(), dtype=np.float64))
    array = np.asarray(attitude, dtype=np.float64)
    if array.shape[-2:] == (3, 3) and array.ndim in (2, 3):
        return of_rotations(array)
    if array.ndim in (1, 2) and array.shape[-1] == 4:
        return unit(array)
    raise ShapeError(
        f"the attitude of a pose has shape {array.shape}; expected a quaternion qx qy qz qw, a 3 × 3 matrix, or a Rotation"
    )


def unit(quaternion: Numbers) -> Numbers:
    """Quaternions of length 1; those that are far from it are refused."""
    if not np.isfinite(quaternion).all():
        raise NumberError("a quaternion is not finite")
    norm = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    if (np.abs(norm - 1.0) > ROUNDING).any():
        raise NumberError(f"a quaternion has the norm {float(norm.flat[np.abs(norm - 1.0).argmax()]):g}; expected 1")
    result: Numbers = quaternion / norm
    return result


def of_matrices(pose: Numbers) -> Numbers:
    """px py pz qx qy qz qw of 4 × 4 matrices."""
    if not np.allclose(pose[..., 3, :], [0.0, 0.0, 0.0, 1.0], rtol=0.0, atol=1e-12):
        raise NumberError("the last row of a pose is not 0 0 0 1")
    return joined(pose[..., :3, 3], of_rotations(pose[..., :3, :3]))


def of_rotations(rotation: Numbers) -> Numbers:
    """qx qy qz qw of rotation matrices, each from its largest component."""
    product = rotation @ np.swapaxes(rotation, -1, -2)
    # Written so that NaN is refused, too.
    if not (np.abs(product - np.eye(3)) < ROUNDING).all() or not (np.linalg.det(rotation) > 0).all():
        raise NumberError("the rotation of a pose is not orthogonal with determinant 1")
    r = rotation.reshape(-1, 3, 3)
    trace = np.trace(r, axis1=1, axis2=2)
    # Four times the outer product of the quaternion with itself; its largest column is the safest.
    outer = np.empty((len(r), 4, 4))
    for i in range(3):
        outer[:, i, i] = 1.0 + 2.0 * r[:, i, i] - trace
        j, k = (i + 1) % 3, (i + 2) % 3
        outer[:, i, j] = outer[:, j, i] = r[:, i, j] + r[:, j, i]
        outer[:, i, 3] = outer[:, 3, i] = r[:, k, j] - r[:, j, k]
    outer[:, 3, 3] = 1.0 + trace
    best = np.argmax(np.einsum("nii->ni", outer), axis=1)
    quaternion = outer[np.arange(len(r)), :, best]
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    return quaternion.reshape(*rotation.shape[:-2], 4)


def matrices(pose: Numbers) -> Numbers:
    """4 × 4 matrices of px py pz qx qy qz qw."""
    x, y, z, w = np.moveaxis(unit(np.asarray(pose, dtype=np.float64)[..., 3:]), -1, 0)
    rotation = np.stack(
        [
            1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
        ],
        axis=-1,
    )
    result = np.zeros((*rotation.shape[:-1], 4, 4))
    result[..., :3, :3] = rotation.reshape(*rotation.shape[:-1], 3, 3)
    result[..., :3, 3] = np.asarray(pose)[..., :3]
    result[..., 3, 3] = 1.0
    return result
