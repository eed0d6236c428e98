"""What can go wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holotape._loss import Loss


class HolotapeError(Exception):
    """What all errors of this package are.

    >>> import holotape
    >>> try:
    ...     holotape.open(b"GIF89a, not hands")
    ... except holotape.HolotapeError as error:
    ...     print(error.kind, error.place, error.offset)
    not_a_recording header 0
    """

    kind: str = "error"
    """What sort of failure this is, in one word."""
    offset: int | None = None
    """The byte of the file that shows the fault."""
    place: str | None = None
    """The part of the recording that the fault is in: ``left IndexTip rotation.w, key 41``."""
    path: str | None = None
    """The file, where the error is known to be about one."""

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: getattr(self, name) for name in ("kind", "offset", "place", "path")}
        return _restore, (type(self), self.args, state)


class NotARecordingError(HolotapeError):
    """The bytes do not begin like anything that holds a recording."""

    kind = "not_a_recording"


class UnsupportedVersionError(HolotapeError):
    """An input animation of a version that nobody knows."""

    kind = "unsupported_version"


class TruncatedError(HolotapeError):
    """The file ends before its contents do."""

    kind = "truncated"


class InvalidError(HolotapeError, ValueError):
    """The contents contradict the format, or a value makes no sense."""

    kind = "invalid"


class LimitExceededError(HolotapeError):
    """More data than the format, or the memory, allows."""

    kind = "limit_exceeded"


class RecordingIOError(HolotapeError, OSError):
    """The operating system could not read or write. It is also the error that Python has for it:

    >>> import holotape
    >>> try:
    ...     holotape.open("nowhere.bin")
    ... except FileNotFoundError as error:
    ...     print(type(error).__mro__[1].__name__, error.filename)
    RecordingIOError nowhere.bin
    """

    kind = "io"

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        base = next(base for base in type(self).__mro__ if not issubclass(base, HolotapeError))
        return make, (self.kind, str(self), self.offset, self.place, self.path, base, self.errno)


class LossError(HolotapeError):
    """Something would be lost that must not be. Nothing was written."""

    kind = "loss"
    losses: Sequence[Loss]
    """What would be lost."""

    def __init__(self, losses: Sequence[Loss]) -> None:
        super().__init__("; ".join(loss.message for loss in losses))
        self.losses = list(losses)

    def __reduce__(self) -> tuple[Any, ...]:
        return LossError, (self.losses,)


_CLASSES: dict[str, type[HolotapeError]] = {
    error.kind: error
    for error in (NotARecordingError, UnsupportedVersionError, TruncatedError, InvalidError, LimitExceededError)
}


_IO_CLASSES: dict[type[OSError], type[RecordingIOError]] = {OSError: RecordingIOError}


def _io_class(base: type[OSError]) -> type[RecordingIOError]:
    if base not in _IO_CLASSES:
        _IO_CLASSES[base] = type(base.__name__, (RecordingIOError, base), {})
    return _IO_CLASSES[base]


def make(
    kind: str,
    message: str,
    offset: int | None,
    place: str | None,
    path: str | os.PathLike[str] | None,
    os_error: type[OSError] | None,
    errno: int | None,
) -> HolotapeError:
    """The exception for an error of the library."""
    error = _io_class(os_error or OSError)(message) if kind == "io" else _CLASSES[kind](message)
    error.offset, error.place = offset, place
    error.path = None if path is None else os.fspath(path)
    if isinstance(error, RecordingIOError):
        error.errno, error.filename = errno, error.path
        error.strerror = None if errno is None else os.strerror(errno)
    return error


def _restore(error: type[HolotapeError], args: tuple[Any, ...], state: dict[str, Any]) -> HolotapeError:
    restored = error(*args)
    restored.__dict__.update(state)
    return restored
