"""Who computes the chunks of a sweep: threads, processes, or the machines of a Ray cluster. Which of them it is changes no bit of an answer."""

from __future__ import annotations

import importlib
import numbers
import os
from concurrent import futures
from typing import Any, Callable, Iterable, Iterator, Optional, TypeVar

from ._errors import SweepError
from ._progress import Progress

Task = tuple[str, Any]
Work = Callable[[str, Any], Any]
Done = tuple[str, Any]
T = TypeVar("T")

#: Chunks that wait or run, for each worker: enough that none stands still, few enough that a sweep of any size needs little memory.
IN_FLIGHT = 2

#: How often a chunk may be lost with a machine before a sweep is given up.
MOST_LOSSES = 100


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(backend: str, work: Work, tasks: Iterable[Task], workers: Optional[int], options: dict[str, Any]) -> Iterator[Done]:
    """Answers of tasks as they come, in any order."""
    if workers is not None and (not isinstance(workers, numbers.Integral) or workers < 1):
        raise SweepError(f"workers={workers}; expected at least 1, or None for all cores")
    if backend == "ray":
        return _ray(work, tasks, workers, options)
    if options:
        raise TypeError(f"the backend {backend} takes no options; it was given {', '.join(options)}")
    count = workers or cores()
    if backend == "local":
        return _here(work, tasks) if count == 1 else _pool(futures.ThreadPoolExecutor(count, "appell-sweep"), work, tasks, count)
    if backend == "processes":
        import multiprocessing

        # Of a fork the threads of the parent would be missing.
        _expect_to_travel(work)
        context = multiprocessing.get_context("spawn")
        return _pool(futures.ProcessPoolExecutor(count, mp_context=context), work, tasks, count)
    raise SweepError(f'no backend "{backend}"; backends are "local", "processes", "ray"')


def _expect_to_travel(work: Work) -> None:
    """Refuses what other processes cannot be sent, before any of them is made."""
    import pickle

    try:
        pickle.dumps(work)
    except Exception as error:
        raise SweepError(
            f"what is computed cannot be sent to other processes: {error}; give a function of a module, by its name, or take the backend local"
        ) from error


def _here(work: Work, tasks: Iterable[Task]) -> Iterator[Done]:
    for name, piece in tasks:
        yield name, work(name, piece)


def _pool(pool: futures.Executor, work: Work, tasks: Iterable[Task], count: int) -> Iterator[Done]:
    """Answers of a pool of threads or processes."""
    waiting = iter(tasks)
    running: dict[futures.Future[Any], str] = {}
    try:
        while True:
            while len(running) < IN_FLIGHT * count and (task := next(waiting, None)) is not None:
                running[pool.submit(work, *task)] = task[0]
            if not running:
                return
            done, _ = futures.wait(running, return_when=futures.FIRST_COMPLETED)
            for one in done:
                yield running.pop(one), one.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ray(work: Work, tasks: Iterable[Task], workers: Optional[int], options: dict[str, Any]) -> Iterator[Done]:
    """Answers of a Ray cluster: the one this process is connected to, the one that RAY_ADDRESS names, or one of this machine's own."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise ImportError("backend=\"ray\" needs the package ray: pip install 'appell[cluster]'") from None
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(log_to_driver=False, num_cpus=None if "RAY_ADDRESS" in os.environ else workers)
    try:
        # What was lost with a machine is computed again from the same points, and gives the same bits.
        remote = ray.remote(max_retries=-1, **options)(_answered)
        shared = ray.put(work)
        waiting = iter(tasks)
        running: dict[Any, Task] = {}
        losses = 0
        while True:
            most = IN_FLIGHT * (workers or max(1, int(ray.cluster_resources().get("CPU", 1))))
            while len(running) < most and (task := next(waiting, None)) is not None:
                running[remote.remote(shared, *task)] = task
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            for one in done:
                task = running.pop(one)
                try:
                    answer, error = ray.get(one)
                except ray.exceptions.RayError as lost:
                    if _is_of_task(ray, lost):
                        raise SweepError(
                            f"{task[0]} cannot be computed on the cluster: {lost}; modules that the function is from have to be installed on all machines, "
                            "or the function has to be in the main program"
                        ) from lost
                    losses += 1
                    if losses > MOST_LOSSES:
                        raise SweepError(f"the cluster lost {losses} chunks, the last of them {task[0]}: {lost}") from lost
                    running[remote.remote(shared, *task)] = task
                    continue
                if error is not None:
                    raise error
                yield task[0], answer
    finally:
        if is_ours:
            ray.shutdown()


def _is_of_task(ray: Any, error: Any) -> bool:
    """Whether a chunk failed by itself, as where a module is missing, and not by the loss of a machine or of what was on it."""
    return isinstance(error, ray.exceptions.RayTaskError) and not isinstance(getattr(error, "cause", None), ray.exceptions.ObjectLostError)


def _answered(work: Work, name: str, piece: Any) -> tuple[Any, Optional[BaseException]]:
    """An answer, or the error of the function, which another machine would not mend."""
    try:
        return work(name, piece), None
    except Exception as error:
        return None, error


def watched(done: Iterator[T], of: int, *, shown: bool) -> Iterator[T]:
    """The same, with a bar of how far it is."""
    with Progress("chunks", shown=shown) as bar:
        for k, one in enumerate(done):
            if bar.pulse is not None:
                bar.pulse(k + 1, of)
            yield one
