"""Source code of a question of one robot: as texts, or compiled to a function that Python calls."""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _out, _poses
from ._errors import AppellWarning, CompilerError, NumberError, QuestionError, ShapeError
from ._html import escape
from ._numpy import ArrayLike, Numbers, np

#: Files of more bytes take compilers minutes, and are compiled with fewer optimisations.
HUGE = 2_000_000

#: States that one call of a compiled function answers, before Python may look for Ctrl-C.
BLOCK = 1 << 16

#: Fewer states than this are not worth a thread.
WORTH_A_THREAD = 1 << 12


class Argument(NamedTuple):
    """A vector or matrix that a generated function reads or writes."""

    name: str
    meaning: str
    entries: tuple[str, ...]

    @property
    def length(self) -> int:
        """How many numbers it has."""
        return len(self.entries)


class Operations(NamedTuple):
    """Multiplications and additions of one evaluation."""

    multiplications: int
    additions: int

    def __str__(self) -> str:
        return f"{self.multiplications} × and {self.additions} +"


@dataclass(frozen=True, repr=False)
class Generated:
    """Source code of one question of one robot; see :meth:`appell.Robot.generate`.

    >>> code = appell.load("puma560").generate("inverse-dynamics", "c")
    >>> code
    <appell.Generated inverse-dynamics of PUMA 560 in c: puma_560_inverse_dynamics, 152 × and 115 +>
    >>> list(code.files)
    ['puma_560_inverse_dynamics.c', 'puma_560_inverse_dynamics.h']
    """

    #: The robot's name.
    robot: str
    #: The question's name.
    question: str
    #: "c", "rust", "cuda", "python", "julia" or "latex".
    language: str
    #: The name of the function.
    function: str
    #: Texts of the files by their names.
    files: dict[str, str]
    #: What the function reads, in order.
    arguments: tuple[Argument, ...]
    #: What it writes.
    answer: Argument
    #: The arrays of the answer, one after the other: names and shapes.
    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    #: Operations on the way to the code: "general" algorithm, "specialised" to the robot's numbers, bodies "regrouped", "generated".
    report: dict[str, Operations]
    #: Angles that it takes sine or cosine of.
    angles: int
    #: What else to know who uses it.
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of the first file, which computes; a header is beside it in :attr:`files`."""
        return next(iter(self.files.values()))

    def __repr__(self) -> str:
        where = f"{self.question} of {self.robot} in {self.language}"
        return f"<appell.Generated {where}: {self.function}, {self.report['generated']}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{step}</td><td>{count.multiplications}</td><td>{count.additions}</td></tr>"
            for step, count in self.report.items()
        )
        arguments = ", ".join(f"{argument.name}[{argument.length}]" for argument in (*self.arguments, self.answer))
        text = escape(self.text if len(self.text) < 20_000 else self.text[:20_000] + "\n…")
        return (
            f"<b>{escape(self.question)}</b> of {escape(self.robot)} in {self.language}: "
            f"<code>{self.function}({arguments})</code>"
            f"<table><tr><th>operations</th><th>×</th><th>+</th></tr>{rows}</table>"
            f"<details><summary>{escape(', '.join(self.files))}</summary><pre>{text}</pre></details>"
        )

    def save(self, folder: Union[str, PathLike[str]] = ".", *, overwrite: bool = False) -> list[Path]:
        """Writes the files into a folder, which is made where it is missing: all of them or none. Returns their paths.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     [path.name for path in appell.load("two-link").generate("gravity", "rust").save(folder)]
        ['two_link_arm_gravity.rs']
        """
        import tempfile

        into = Path(fspath(folder))
        into.mkdir(parents=True, exist_ok=True)
        paths = [into / name for name in self.files]
        for path in paths:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder; remove it, or write to another folder")
            if path.exists() and not overwrite:
                raise FileExistsError(f"{path} exists; overwrite=True replaces it")
        with tempfile.TemporaryDirectory(dir=into, prefix=".appell") as beside:
            for name, text in self.files.items():
                (Path(beside) / name).write_text(text, encoding="utf-8")
            for path in paths:
                (Path(beside) / path.name).replace(path)
        return paths


class Compiled:
    """A question of one robot, generated, compiled and loaded; see :meth:`appell.Robot.compile`.

    Called as the question's method is: vectors of one state, or of N of them; `out=` writes into an array of the user's. Nothing is
    checked but shapes: NaN in is NaN out, and out of a parallel robot's reach the answer is NaN.

    >>> fast = appell.load("puma560").compile("gravity")                # doctest: +SKIP
    >>> fast(np.zeros((1000, 6))).shape                                 # doctest: +SKIP
    (1000, 6)
    """

    def __init__(self, generated: Generated, library: Path, robot: Any, options: dict[str, Any]) -> None:
        #: The code.
        self.generated = generated
        #: The shared library.
        self.library = library
        self._robot = robot
        self._options = options
        self._packed, self._many = _functions(generated, library)
        self._free: list[_Memory] = []
        self._double = np.dtype(np.float64)
        # Of vectors that are numbers as they are: a pose has many forms.
        self._plain = [None if argument.name == "pose" else (argument.length,) for argument in generated.arguments]

    def __repr__(self) -> str:
        arguments = ", ".join(f"{argument.name}[{argument.length}]" for argument in self.generated.arguments)
        return f"<appell.Compiled {self.generated.function}({arguments}), {self.generated.report['generated']}>"

    def _repr_html_(self) -> str:
        return f"<p>compiled: <code>{escape(str(self.library))}</code></p>{self.generated._repr_html_()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._robot, self.generated.question, self._options)

    def __call__(self, *vectors: ArrayLike, out: Any = None, threads: Optional[int] = None) -> Any:
        """Answers for one state, or for N of them on `threads` threads: all cores if not given."""
        # Vectors that are as the code wants them, which is the way of a control loop: none of the rest is asked.
        if out is None and len(vectors) == len(self._plain):
            for vector, shape in zip(vectors, self._plain):
                if type(vector) is not np.ndarray or vector.shape != shape or vector.dtype is not self._double:
                    break
            else:
                return self._single(vectors)
        answer = self._answer(vectors, threads)
        if out is None:
            return answer
        _out.write(answer, out)
        return out

    def _answer(self, vectors: Sequence[ArrayLike], threads: Optional[int]) -> Any:
        arguments = self.generated.arguments
        if len(vectors) > len(arguments):
            names = ", ".join(argument.name for argument in arguments)
            raise TypeError(f"{len(vectors)} vectors; {self.generated.function} reads {names}")
        given = [self._numbers(argument, vector) for argument, vector in zip(arguments, vectors)]
        # What is not given is zero, but for positions and kept parameters.
        for argument in arguments[len(vectors) :]:
            if argument.name in ("q", "pose", "p"):
                raise TypeError(f"{self.generated.function} needs `{argument.name}`: {argument.meaning}")
            given.append(np.zeros(argument.length))
        counts = {len(vector) for vector in given if vector.ndim == 2}
        if len(counts) > 1:
            raise ShapeError(f"batches of {' and '.join(map(str, sorted(counts)))} states; give as many, or one vector for all")
        answer = self._batch(given, counts.pop(), threads) if counts else self._single(given)
        if not vectors or not all(getattr(vector, "dtype", None) == np.float32 for vector in vectors):
            return answer
        return tuple(map(_single, answer)) if isinstance(answer, tuple) else _single(answer)

    def _numbers(self, argument: Argument, vector: ArrayLike) -> Numbers:
        if argument.name == "pose":
            pose = _poses.numbers(vector, self._robot.home_numbers[:3], 0, "platform")
            assert pose is not None
            return pose
        numbers = np.asarray(vector, dtype=np.float64)
        places = self._robot.freedoms
        is_twist = argument.name in ("twist", "acceleration")
        if is_twist and len(places) < 6 and numbers.shape[-1:] == (len(places),):
            wide = np.zeros((*numbers.shape[:-1], 6))
            wide[..., [_TWIST.index(place) for place in places]] = numbers
            numbers = wide
        if numbers.ndim not in (1, 2) or numbers.shape[-1] != argument.length:
            width = argument.length
            raise ShapeError(
                f"`{argument.name}` has shape {np.shape(vector)}; expected ({width},) for one state or (N, {width}) for N of them"
            )
        return numbers

    def _single(self, vectors: Sequence[Any]) -> Any:
        # Another thread finds no memory free, and makes its own.
        try:
            memory = self._free.pop()
        except IndexError:
            memory = _Memory(self.generated)
        np.concatenate(vectors, out=memory.inputs)
        self._packed(memory.address)
        arrays = memory.arrays
        answer = arrays[0].copy() if len(arrays) == 1 else tuple([array.copy() for array in arrays])
        self._free.append(memory)
        return answer

    def _batch(self, given: Sequence[Numbers], count: int, threads: Optional[int]) -> Any:
        tables = [np.ascontiguousarray(numbers) for numbers in given]
        answer = np.empty((count, self.generated.answer.length))

        def block(start: int, size: int) -> None:
            places: list[int] = []
            for table in tables:
                step = table.shape[-1] if table.ndim == 2 else 0
                places += [table.ctypes.data + 8 * step * start, step]
            self._many(size, *places, answer.ctypes.data + 8 * answer.shape[1] * start)

        workers = max(1, min(threads or os.cpu_count() or 1, count // WORTH_A_THREAD))
        size = min(BLOCK, -(-count // workers)) if count else 1
        starts = range(0, count, size)
        if workers == 1:
            for start in starts:
                block(start, min(size, count - start))
            return _shaped(self.generated, answer)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(workers) as pool:
            try:
                list(pool.map(lambda start: block(start, min(size, count - start)), starts))
            except BaseException:  # Ctrl-C, too
                pool.shutdown(cancel_futures=True)
                raise
        return _shaped(self.generated, answer)


class _Memory:
    """Where a single call reads and writes: its address is known, which spares most of a call."""

    def __init__(self, generated: Generated) -> None:
        width = sum(argument.length for argument in generated.arguments)
        numbers = np.zeros(width + generated.answer.length)
        self.inputs = numbers[:width]
        found = _shaped(generated, numbers[width:])
        self.arrays: tuple[Numbers, ...] = found if isinstance(found, tuple) else (found,)
        self.address = numbers.ctypes.data


def _single(numbers: Numbers) -> Any:
    """The same in single precision, if that can hold them."""
    large = np.abs(numbers) > np.finfo(np.float32).max
    if (large & np.isfinite(numbers)).any():
        raise NumberError(f"{numbers[large][0]:g} is beyond float32, in which the arguments are; give them in float64")
    return numbers.astype(np.float32)


def _shaped(generated: Generated, row: Numbers) -> Any:
    """The numbers of an answer as its arrays: one, or a tuple of them; views where memory allows."""
    arrays, start = [], 0
    for _name, shape in generated.shapes:
        end = start + int(np.prod(shape))
        arrays.append(row[..., start:end].reshape(*row.shape[:-1], *shape))
        start = end
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


_TWIST = ("vx", "vy", "vz", "wx", "wy", "wz")


class CodegenMixin:
    """What a robot's code can be had by."""

    def generate(
        self,
        question: str,
        language: str = "c",
        *,
        keep_symbolic: Sequence[str] = (),
        regroup: bool = True,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
    ) -> Generated:
        """Source code of a question of this robot: a function without a loop, with the robot's numbers put in.

        Languages are "c" (C99 with a header), "rust", "cuda", "python", "julia" and "latex". Parameters named in `keep_symbolic`
        stay inputs, in a further argument p: "m2" is the mass of the second body, "cx3" the x of the third's centre of mass, "Ixy1" an
        entry of the first's inertia about it; "mP" the mass of a platform. `regroup=False` leaves bodies as they are. `frame` and
        `axes` are those of a Jacobian. :attr:`generates` lists the questions that have code.

        >>> code = appell.load("puma560").generate("inverse-dynamics", "python")
        >>> code.function
        'puma_560_inverse_dynamics'
        >>> [(argument.name, argument.length) for argument in code.arguments]
        [('q', 6), ('v', 6), ('a', 6)]
        """
        keep = [keep_symbolic] if isinstance(keep_symbolic, str) else list(keep_symbolic)
        robot: Any = self
        found = robot._generate(question, language, keep, regroup, frame, axes)
        for name, text in found["files"].items():
            if len(text) > HUGE:
                count = sum(found["operations"]["generated"])
                warnings.warn(
                    f"{name} has {1e-6 * len(text):.1f} MB, which compilers take minutes for; {count} operations without a loop may run "
                    "slower than the library",
                    AppellWarning,
                    stacklevel=2,
                )
        return Generated(
            robot=robot.name,
            question=found["question"],
            language=found["language"],
            function=found["function"],
            files=found["files"],
            arguments=tuple(_argument(row) for row in found["arguments"]),
            answer=_argument(found["answer"]),
            shapes=tuple((name, tuple(shape)) for name, shape in found["shapes"]),
            report={step: Operations(*count) for step, count in found["operations"].items()},
            angles=found["angles"],
            notes=tuple(found["notes"]),
        )

    def compile(
        self,
        question: str,
        *,
        compiler: Optional[str] = None,
        flags: Sequence[str] = (),
        keep_symbolic: Sequence[str] = (),
        regroup: bool = True,
        frame: Optional[str] = None,
        axes: Optional[str] = None,
        cache: Union[str, PathLike[str], None] = None,
    ) -> Compiled:
        """The question's code in C, compiled and loaded: a function with the arguments and shapes of the question's method.

        Vectors of shape (n,) are one state, (N, n) are N of them. Of a parallel robot they are pose, twist and acceleration of the
        platform; of one whose legs have no closed forms those that ``.generated.arguments`` says. The library is kept in a cache, in
        ``$APPELL_CACHE``, or ``$XDG_CACHE_HOME/appell``, or ``~/.cache/appell``, so that it is compiled once.

        `compiler` is a command such as "gcc" or "ccache clang", $CC or cc if not given; `flags` are added to its own.

        >>> robot = appell.load("puma560")
        >>> fast = robot.compile("inverse-dynamics")                # doctest: +SKIP
        >>> fast(np.zeros(6), np.ones(6), np.ones(6)).shape         # doctest: +SKIP
        (6,)
        """
        keep = (keep_symbolic,) if isinstance(keep_symbolic, str) else tuple(keep_symbolic)
        options: dict[str, Any] = {
            "compiler": compiler,
            "flags": tuple(flags),
            "keep_symbolic": keep,
            "regroup": regroup,
            "frame": frame,
            "axes": axes,
        }
        generated = self.generate(question, "c", keep_symbolic=keep, regroup=regroup, frame=frame, axes=axes)
        size = sum(int(np.prod(shape)) for _, shape in generated.shapes)
        if size != generated.answer.length:
            raise QuestionError(f"{question} has code whose answer is not shaped as the method's; use generate")
        library = _built(generated, compiler, flags, Path(fspath(cache)) if cache is not None else cache_folder())
        return Compiled(generated, library, self, options)


def _argument(row: tuple[str, str, list[str]]) -> Argument:
    name, meaning, entries = row
    return Argument(name, meaning, tuple(entries))


def _again(robot: Any, question: str, options: dict[str, Any]) -> Any:
    return robot.compile(question, **options)


def cache_folder() -> Path:
    """Where compiled code is kept."""
    own = os.environ.get("APPELL_CACHE")
    if own:
        return Path(own)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "appell"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "appell"


def _driver(generated: Generated) -> str:
    """C for calls from Python: of one state whose numbers lie one after the other, and of many states, of each argument where it
    begins and how far it is to the next state."""
    name = generated.function
    arguments = generated.arguments
    parameters = "".join(f"const double *{argument.name}, size_t {argument.name}_step, " for argument in arguments)
    passed = "".join(f"{argument.name} + k * {argument.name}_step, " for argument in arguments)
    starts = [sum(argument.length for argument in arguments[:k]) for k in range(len(arguments) + 1)]
    packed = ", ".join(f"numbers + {start}" for start in starts)
    return (
        f'#include <stddef.h>\n#include "{name}.c"\n\n'
        f"void {name}_packed(double *numbers)\n{{\n    {name}({packed});\n}}\n\n"
        f"void {name}_many(size_t count, {parameters}double *answer)\n{{\n"
        f"    for (size_t k = 0; k < count; ++k) {name}({passed}answer + {generated.answer.length} * k);\n}}\n"
    )


def _command(compiler: Optional[str]) -> list[str]:
    """The compiler, as a list of words."""
    import shlex
    import shutil

    asked = compiler or os.environ.get("CC")
    if asked:
        words = shlex.split(asked)
        if not words or shutil.which(words[0]) is None:
            raise CompilerError(f"no compiler `{asked}`; install it, or name another: compiler=\"gcc\"")
        return words
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise CompilerError(
        "no C compiler found: tried cc, gcc and clang; install one, or name one by compiler= or $CC. "
        "robot.generate gives the source without it"
    )


def _built(generated: Generated, compiler: Optional[str], flags: Sequence[str], cache: Path) -> Path:
    """The shared library of some code, from the cache or from the compiler."""
    size = sum(len(text) for text in generated.files.values())
    level = "-O1" if size > HUGE else "-O2"
    options = [level, "-march=native", "-fno-math-errno", "-ffp-contract=fast", *flags]
    return shared_library(generated.function, {**generated.files, "driver.c": _driver(generated)}, "driver.c", compiler, options, cache)


def shared_library(
    called: str, sources: Mapping[str, str], entry: str, compiler: Optional[str], options: Sequence[str], cache: Path
) -> Path:
    """The library of some C files, of which `entry` includes the others: from the cache, or from the compiler."""
    # Here, because they would be a good part of `import appell`.
    import hashlib
    import platform
    import shlex
    import subprocess
    import tempfile

    words = _command(compiler)
    options = ["-std=c99", *options, "-fPIC", "-shared"]
    version = subprocess.run([*words, "--version"], capture_output=True, text=True, errors="replace")
    # Code for this processor must not reach another one that shares the folder.
    said = [*words, version.stdout, *options, platform.node(), platform.machine(), *(part for file in sources.items() for part in file)]
    key = hashlib.sha256("\0".join(said).encode()).hexdigest()[:32]
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CompilerError(f"the cache {cache} cannot be made: {error.strerror}; name another: cache=, or $APPELL_CACHE") from error
    library = cache / f"{called}-{key}.so"
    # How long it is stands beside it: loading one that was cut off would end Python.
    length = library.with_suffix(".length")
    try:
        if length.read_text(encoding="ascii") == str(library.stat().st_size):
            return library
    except OSError:
        pass  # there is none, or none that is whole
    try:
        folder = tempfile.TemporaryDirectory(dir=cache, prefix=".building")
    except OSError as error:
        raise CompilerError(f"the cache {cache} cannot be written: {error.strerror}; name another: cache=, or $APPELL_CACHE") from error
    with folder as building:
        for name, text in sources.items():
            (Path(building) / name).write_text(text, encoding="utf-8")
        made = Path(building) / library.name
        command = [*words, *options, entry, "-o", made.name, "-lm"]
        ran = subprocess.run(command, cwd=building, capture_output=True, text=True, errors="replace")
        if ran.returncode != 0 and "-march=native" in ran.stderr:
            command.remove("-march=native")  # a compiler that does not know this processor by itself
            ran = subprocess.run(command, cwd=building, capture_output=True, text=True, errors="replace")
        if ran.returncode != 0:
            raise CompilerError(f"{shlex.join(command)} failed with exit code {ran.returncode}:\n{ran.stderr[-2000:]}")
        # Whole or not at all, whoever else compiles the same.
        (Path(building) / "length").write_text(str(made.stat().st_size), encoding="ascii")
        made.replace(library)
        (Path(building) / "length").replace(length)
    return library


def _functions(generated: Generated, library: Path) -> tuple[Any, Any]:
    """The functions of one state and of many, from a library that passes its self-test."""
    import ctypes

    try:
        # A single call is shorter than letting other threads of Python run; a batch is not.
        holding, releasing = ctypes.PyDLL(str(library)), ctypes.CDLL(str(library))
    except OSError as error:
        raise CompilerError(f"{library} cannot be loaded: {error}; delete it, and it is compiled again") from error
    one, many = getattr(holding, f"{generated.function}_packed"), getattr(releasing, f"{generated.function}_many")
    one.restype = many.restype = None
    one.argtypes = [ctypes.c_void_p]
    many.argtypes = [ctypes.c_size_t] + [ctypes.c_void_p, ctypes.c_size_t] * len(generated.arguments) + [ctypes.c_void_p]
    if not getattr(releasing, f"{generated.function}_self_test")():
        raise CompilerError(f"{library} does not compute what was recorded: its self-test fails; try other flags or another compiler")
    return one, many
