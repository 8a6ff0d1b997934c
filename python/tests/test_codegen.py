"""Generated code, refereed by the library's own answers."""

from __future__ import annotations

import pickle
import shutil
import threading
from pathlib import Path

import appell
import numpy as np
import pytest

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def states(robot, count, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1, 1, (count, width)) for width in (robot.nq, robot.nv, robot.nv)]


def test_generated_says_what_it_is(tmp_path):
    robot = appell.load("puma560")
    code = robot.generate("inverse-dynamics")
    assert (code.language, code.question, code.function) == ("c", "inverse-dynamics", "puma_560_inverse_dynamics")
    assert list(code.files) == [f"{code.function}.c", f"{code.function}.h"]
    assert [(argument.name, argument.length) for argument in code.arguments] == [("q", 6), ("v", 6), ("a", 6)]
    assert (code.answer.name, code.answer.length) == ("tau", 6)
    # The general algorithm costs more than what is left of it.
    general, generated = code.report["general"], code.report["generated"]
    assert sum(general) > 2 * sum(generated) > 0
    assert generated.multiplications <= 160 and generated.additions <= 125
    assert code.function in repr(code) and "<table>" in code._repr_html_()
    paths = code.save(tmp_path / "new")
    assert [path.read_text() for path in paths] == list(code.files.values())
    with pytest.raises(FileExistsError, match="overwrite=True"):
        code.save(tmp_path / "new")
    code.save(tmp_path / "new", overwrite=True)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(code.files)


@pytest.mark.parametrize("language", ["c", "rust", "cuda", "python", "julia", "latex"])
def test_every_language(language):
    code = appell.load("two-link").generate("gravity", language)
    assert code.language == language and (code.function in code.text or language == "latex") and code.report["generated"].additions > 0


@pytest.mark.parametrize("name", ["puma560", "scara"])
def test_generated_python_computes_what_the_library_does(name):
    robot = appell.load(name)
    code = robot.generate("inverse-dynamics", "python")
    space: dict = {}
    exec(code.text, space)
    q, v, a = (rows[0] for rows in states(robot, 1))
    found = np.asarray(space[code.function](q, v, a), dtype=float)
    np.testing.assert_allclose(found, robot.inverse_dynamics(q, v, a), rtol=1e-11, atol=1e-11)


def test_kept_parameters_stay_inputs():
    robot = appell.load("two-link")
    code = robot.generate("gravity", "python", keep_symbolic=["m2"])
    assert [argument.name for argument in code.arguments] == ["q", "p"]
    assert code.arguments[-1].entries == ("m2",)
    space: dict = {}
    exec(code.text, space)
    heavy = robot.with_body("long", mass=7.5)
    found = np.asarray(space[code.function](np.array([0.3, -0.4]), np.array([7.5])), dtype=float)
    np.testing.assert_allclose(found, heavy.gravity([0.3, -0.4]), rtol=1e-12)


def test_refusals_name_what_is_wrong():
    robot = appell.load("puma560")
    with pytest.raises(appell.QuestionError, match="no language `fortran`; languages are c, rust"):
        robot.generate("gravity", "fortran")
    with pytest.raises(appell.QuestionError, match="no question `torques`"):
        robot.generate("torques")
    with pytest.raises(appell.QuestionError, match="keep_symbolic"):
        robot.generate("gravity", keep_symbolic=["mass"])
    with pytest.raises(appell.QuestionError, match="of a parallel robot.*robot.generates lists them"):
        appell.load("delta").generate("frames")
    with pytest.raises(appell.QuestionError, match="with_output"):
        appell.load("four-bar").generate("jacobian")
    with pytest.raises(appell.QuestionError, match="6 bodies"):
        robot.generate("gravity", keep_symbolic="m9")
    assert "inverse-dynamics" in robot.generates and "frames" not in appell.load("delta").generates


@needs_compiler
@pytest.mark.parametrize(
    "question", ["inverse-dynamics", "forward-dynamics", "inertia-matrix", "gravity", "jacobian", "inverse-dynamics-derivatives"]
)
def test_compiled_arm_answers_as_its_method(question, cache):
    robot = appell.load("puma560")
    fast = robot.compile(question, cache=cache)
    q, v, a = states(robot, 300)
    reads = {"forward-dynamics": (q, v, a), "inertia-matrix": (q,), "gravity": (q,), "jacobian": (q,)}.get(question, (q, v, a))
    keywords = {"tau": a} if question == "forward-dynamics" else {}
    expected = robot.ask(question, *reads[: 2 if keywords else 3], **keywords)
    one = fast(*(rows[7] for rows in reads))
    many = fast(*reads)
    if not isinstance(expected, tuple):
        expected, one, many = (expected,), (one,), (many,)
    assert len(many) == len(expected)
    for found, single, wanted in zip(many, one, expected):
        assert found.shape == wanted.shape and single.shape == wanted.shape[1:]
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())
        np.testing.assert_array_equal(found[7], single)


@needs_compiler
@pytest.mark.parametrize("name", ["gough-stewart", "delta"])
def test_compiled_platform_answers_as_its_method(name, cache):
    robot = appell.load(name)
    fast = robot.compile("inverse-dynamics", cache=cache)
    rng = np.random.default_rng(2)
    poses = np.repeat(robot.home[None], 20, axis=0)
    poses[:, :3, 3] += rng.uniform(-0.03, 0.03, (20, 3))
    twists, rates = rng.uniform(-1, 1, (2, 20, len(robot.freedoms)))
    expected = robot.inverse_dynamics(poses, twists, rates)
    np.testing.assert_allclose(fast(poses, twists, rates), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    # At rest, in another form of the same pose.
    pose = (poses[3][:3, 3], [0.0, 0.0, 0.0, 1.0])
    np.testing.assert_allclose(fast(pose), robot.inverse_dynamics(poses[3]), rtol=1e-9)


@needs_compiler
@pytest.mark.parametrize("name", ["exechon", "palletizer", "four-bar"])
def test_compiled_robots_without_closed_forms_take_all_joints(name, cache):
    robot = appell.load(name)
    fast = robot.compile("inverse-dynamics", cache=cache)
    assert [argument.name for argument in fast.generated.arguments if argument.name != "pose"] == ["q", "r", "rdot"]
    at = robot.assemble(robot.home_positions)[0]
    place = (at.q,) if at.pose is None else (at.q, at.pose)
    wanted = robot.inverse_dynamics(robot.home_positions)
    np.testing.assert_allclose(fast(*place), wanted, rtol=1e-7, atol=1e-7 * np.abs(wanted).max())
    many = fast(*(np.stack([vector] * 3) for vector in place))
    assert many.shape == (3, robot.nv) and (many[2] == fast(*place)).all()


@needs_compiler
def test_a_compiled_function_behaves(cache):
    robot = appell.load("puma560")
    fast = robot.compile("inverse-dynamics", cache=cache)
    q, v, a = states(robot, 20_000)
    alone = fast(q, v, a, threads=1)
    np.testing.assert_array_equal(fast(q, v, a), alone)
    # One vector serves all states; columns in any order; single precision.
    np.testing.assert_array_equal(fast(q[0], v[:5], np.zeros(6)), fast(np.repeat(q[:1], 5, 0), v[:5]))
    np.testing.assert_array_equal(fast(np.asfortranarray(q[:50]), v[:50], a[:50]), alone[:50])
    single = fast(q[0].astype("f4"), v[0].astype("f4"), a[0].astype("f4"))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, alone[0], rtol=1e-4, atol=1e-3)
    with pytest.raises(appell.NumberError, match="beyond float32"):
        fast(q[0].astype("f4"), np.full(6, 1e25, dtype="f4"), a[0].astype("f4"))
    assert np.isnan(fast(np.full(6, np.nan, dtype="f4"), v[0].astype("f4"), a[0].astype("f4"))).any(), "NaN in is NaN out"
    out = np.zeros(6)
    assert fast(q[0], v[0], a[0], out=out) is out and (out == alone[0]).all()
    with pytest.raises(appell.ShapeError, match=r"`v` has shape \(5,\); expected \(6,\)"):
        fast(q[0], v[0, :5], a[0])
    with pytest.raises(appell.ShapeError, match="batches of 3 and 4"):
        fast(q[:3], v[:4], a[:3])
    with pytest.raises(TypeError, match="reads q, v, a"):
        fast(q[0], v[0], a[0], a[0])
    # Four threads at once.
    wrong: list = []

    def work(k: int) -> None:
        for i in range(k, 2000, 4):
            if not (fast(q[i], v[i], a[i]) == alone[i]).all():
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
    again = pickle.loads(pickle.dumps(robot.compile("gravity", cache=cache)))
    np.testing.assert_allclose(again(q[0]), robot.gravity(q[0]), rtol=1e-10, atol=1e-12)
    assert fast(np.zeros((0, 6)), np.zeros((0, 6)), np.zeros((0, 6))).shape == (0, 6)


@needs_compiler
def test_the_cache_is_used(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("APPELL_CACHE", raising=False)
    robot = appell.load("two-link")
    first = robot.compile("gravity")
    assert first.library.parent == tmp_path / "appell"
    written = first.library.stat().st_mtime_ns
    assert robot.compile("gravity").library.stat().st_mtime_ns == written
    heavier = robot.with_masses_scaled(2.0).compile("gravity")
    assert heavier.library != first.library
    np.testing.assert_allclose(heavier([0.3, 0.2]), 2.0 * first([0.3, 0.2]), rtol=1e-12)
    assert sorted(path.suffix for path in (tmp_path / "appell").iterdir()) == [".length", ".length", ".so", ".so"]


def test_a_library_that_was_cut_off_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("APPELL_CACHE", str(tmp_path))
    library = appell.load("two-link").compile("gravity").library
    whole = library.stat().st_size
    cut = library.read_bytes()[: whole // 2]
    library.unlink()  # loaded libraries keep their memory
    library.write_bytes(cut)
    again = appell.load("two-link").compile("gravity")
    assert again.library.stat().st_size == whole
    np.testing.assert_allclose(again([0.3, 0.2]), appell.load("two-link").gravity([0.3, 0.2]), rtol=1e-12)


@needs_compiler
def test_compiled_with_kept_parameters(cache):
    robot = appell.load("two-link")
    fast = robot.compile("inverse-dynamics", keep_symbolic=["m2"], cache=cache)
    found = fast([0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [[1.0], [7.5]])
    for row, mass in zip(found, (1.0, 7.5)):
        wanted = robot.with_body("long", mass=mass).inverse_dynamics([0.1, 0.2], [0.3, 0.4], [0.5, 0.6])
        np.testing.assert_allclose(row, wanted, rtol=1e-12)
    with pytest.raises(TypeError, match="needs `p`"):
        fast([0.1, 0.2])


def test_no_compiler(monkeypatch, tmp_path):
    robot = appell.load("two-link")
    with pytest.raises(appell.CompilerError, match="no compiler `nonesuch`"):
        robot.compile("gravity", compiler="nonesuch", cache=tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(appell.CompilerError, match="tried cc, gcc and clang"):
        robot.compile("gravity", cache=tmp_path)


@needs_compiler
def test_a_compiler_that_fails(tmp_path):
    with pytest.raises(appell.CompilerError, match="failed with exit code"):
        appell.load("two-link").compile("gravity", flags=["-fno-such-flag"], cache=tmp_path)
    assert list(tmp_path.iterdir()) == []
