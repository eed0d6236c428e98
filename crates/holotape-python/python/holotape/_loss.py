"""Losses: data that a conversion could not represent."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import NamedTuple

from holotape._errors import LossError


class Loss(NamedTuple):
    """Data that was lost, or had to be derived."""

    kind: str
    """The kind of data: ``gaze``, ``markers``, ``tangents`` …"""
    message: str
    """What happened to the data, how much of it, and why."""

    def __str__(self) -> str:
        return self.message


class LossWarning(UserWarning):
    """Something was lost while reading or writing a file.

    To raise an error instead, call ``warnings.simplefilter("error", holotape.LossWarning)``, or pass ``strict=True``
    when writing.
    """


def warn_losses(losses: Iterable[tuple[str, str]], *, strict: bool = False, stacklevel: int = 3) -> list[Loss]:
    """Issues losses as warnings, and returns them."""
    all_losses = [Loss(*loss) for loss in losses]
    if strict and all_losses:
        raise LossError(all_losses)
    for loss in all_losses:
        warnings.warn(loss.message, LossWarning, stacklevel=stacklevel)
    return all_losses
