"""Reading many files in parallel."""

from __future__ import annotations

import glob
import os
import sys
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

from holotape import _holotape
from holotape._errors import HolotapeError
from holotape._loss import Loss, LossWarning
from holotape._options import PathLike, Space
from holotape._recording import Recording


class UnreadableFileWarning(UserWarning):
    """An unreadable file was skipped."""


class RecordingReader(Iterator[tuple[Path, Recording]]):
    """An iterator over paths and recordings, returned by :func:`read_many`."""

    def __init__(self, paths: list[Path], errors: str, jobs: int | None, space: str, bar: Any) -> None:
        self.failed: dict[Path, HolotapeError] = {}
        """The errors of unreadable files. Complete after the last file."""
        self._paths = iter(paths)
        self._count = len(paths)
        self._skips = errors == "skip"
        self._space = space
        self._bar = bar
        workers = jobs or os.cpu_count() or 1
        # Enough to keep all threads busy, without reading thousands of recordings into memory.
        self._ahead = 2 * workers
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="holotape")
        self._waiting: deque[tuple[Path, Future[Recording]]] = deque()

    def __iter__(self) -> RecordingReader:
        return self

    def __length_hint__(self) -> int:
        return self._count

    def __next__(self) -> tuple[Path, Recording]:
        while True:
            self._fill()
            if not self._waiting:
                self.close()
                raise StopIteration
            path, future = self._waiting.popleft()
            try:
                recording = future.result()
            except HolotapeError as error:
                self._fail(path, error)
                continue
            self._step()
            for loss in recording.losses:
                warnings.warn(f"{path}: {loss}", LossWarning, stacklevel=2)
            return path, recording

    def close(self) -> None:
        """Stops reading. Called automatically at the end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._bar.close()

    def _fill(self) -> None:
        while len(self._waiting) < self._ahead and (path := next(self._paths, None)) is not None:
            self._waiting.append((path, self._pool.submit(_read, path, self._space)))

    def _fail(self, path: Path, error: HolotapeError) -> None:
        self.failed[path] = error
        self._step()
        if not self._skips:
            self.close()
            raise error
        warnings.warn(str(error), UnreadableFileWarning, stacklevel=3)

    def _step(self) -> None:
        self._bar.update(1)


def read_many(
    paths: PathLike | Iterable[PathLike],
    *,
    errors: Literal["raise", "skip"] = "raise",
    progress: bool | None = None,
    jobs: int | None = None,
    space: Space = "unity",
) -> RecordingReader:
    """Reads many files in parallel, and yields paths and recordings in order. Reads only a few files ahead, to limit
    memory.

    ``paths`` is a pattern such as ``study/**/*.bin``, or any number of paths. With ``errors="skip"``, unreadable files
    are skipped with an :class:`UnreadableFileWarning`, and are listed in ``failed``. ``jobs`` is the number of files to
    read in parallel. ``progress`` shows a progress bar, which needs tqdm; by default in terminals and notebooks.

    >>> import holotape
    >>> for seed in range(3):
    ...     _ = holotape.demo(seconds=1, seed=seed).save(f"take{seed}.bin")
    >>> {path.name: recording.duration_secs for path, recording in holotape.read_many("take?.bin")}
    {'take0.bin': 1.0, 'take1.bin': 1.0, 'take2.bin': 1.0}
    """
    if errors not in ("raise", "skip"):
        raise ValueError(f"errors must be 'raise' or 'skip', not {errors!r}")
    found = _paths(paths)
    return RecordingReader(found, errors, jobs, space, progress_bar(len(found), progress, "file"))


def _paths(paths: PathLike | Iterable[PathLike]) -> list[Path]:
    if not isinstance(paths, (str, os.PathLike)):
        return [Path(path) for path in paths]
    pattern = os.fspath(paths)
    if not glob.has_magic(pattern):
        return [Path(pattern)]
    return [Path(path) for path in sorted(glob.glob(pattern, recursive=True))]


def _read(path: Path, space: str) -> Recording:
    native, _, losses = _holotape.open_path(path, space)
    return Recording(native, [Loss(*loss) for loss in losses])


class _NullProgress:
    def update(self, _: int) -> None: ...

    def close(self) -> None: ...


def progress_bar(count: int, progress: bool | None, unit: str) -> Any:
    """Returns a progress bar; one without output if it is not wanted, or if tqdm is missing."""
    if not (progress if progress is not None else sys.stderr.isatty() or _is_notebook()):
        return _NullProgress()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _NullProgress()
    return tqdm(total=count, unit=unit)


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
