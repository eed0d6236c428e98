"""Exceptions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holotape._loss import Loss


class HolotapeError(Exception):
    """The base class of all errors of this package.

    >>> import holotape
    >>> try:
    ...     holotape.open(b"GIF89a, not hands")
    ... except holotape.HolotapeError as error:
    ...     print(error.kind, error.location, error.offset)
    not-a-recording header 0
    """

    kind: str = "error"
    """The kind of error."""
    offset: int | None = None
    """The offset in the file, in bytes."""
    location: str | None = None
    """The location in the recording: ``left IndexTip rotation.w, key 41``."""
    path: str | None = None
    """The path of the file."""

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: getattr(self, name) for name in ("kind", "offset", "location", "path")}
        return _restore, (type(self), self.args, state)


class NotARecordingError(HolotapeError):
    """The data is not in a known format."""

    kind = "not-a-recording"


class UnsupportedVersionError(HolotapeError):
    """An input animation of an unknown version."""

    kind = "unsupported-version"


class TruncatedError(HolotapeError):
    """The file ends before its contents do."""

    kind = "truncated"


class InvalidError(HolotapeError, ValueError):
    """The contents violate the format."""

    kind = "invalid"


class InvalidArgumentError(InvalidError):
    """An argument is invalid: a negative rate, an empty span."""

    kind = "invalid-argument"


class LimitExceededError(HolotapeError):
    """The data exceeds a limit of the format or of memory."""

    kind = "limit-exceeded"


class RecordingIOError(HolotapeError, OSError):
    """The operating system reported an error. It is also the matching class of Python:

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
        return make, (self.kind, str(self), self.offset, self.location, self.path, base, self.errno)


class LossError(HolotapeError):
    """Something would be lost with ``strict=True``. Nothing was written."""

    kind = "loss"
    losses: Sequence[Loss]
    """The losses."""

    def __init__(self, losses: Sequence[Loss]) -> None:
        super().__init__("; ".join(loss.message for loss in losses))
        self.losses = list(losses)

    def __reduce__(self) -> tuple[Any, ...]:
        return LossError, (self.losses,)


_CLASSES: dict[str, type[HolotapeError]] = {
    error.kind: error
    for error in (
        NotARecordingError,
        UnsupportedVersionError,
        TruncatedError,
        InvalidError,
        InvalidArgumentError,
        LimitExceededError,
    )
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
    location: str | None,
    path: str | os.PathLike[str] | None,
    os_error: type[OSError] | None,
    errno: int | None,
) -> HolotapeError:
    """Creates the exception for an error of the library."""
    error = _io_class(os_error or OSError)(message) if kind == "io" else _CLASSES[kind](message)
    error.offset, error.location = offset, location
    error.path = None if path is None else os.fspath(path)
    if isinstance(error, RecordingIOError):
        error.errno, error.filename = errno, error.path
        error.strerror = None if errno is None else os.strerror(errno)
    return error


def _restore(error: type[HolotapeError], args: tuple[Any, ...], state: dict[str, Any]) -> HolotapeError:
    restored = error(*args)
    restored.__dict__.update(state)
    return restored
