"""What a conversion could not keep."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import NamedTuple

from holotape._errors import LossError


class Loss(NamedTuple):
    """One thing that was lost, or made up."""

    kind: str
    """What sort of thing, for programs: ``gaze``, ``markers``, ``tangents`` …"""
    message: str
    """What, how much of it, and why, for people."""

    def __str__(self) -> str:
        return self.message


class LossWarning(UserWarning):
    """Something was lost on the way into or out of a file.

    To make it an error: ``warnings.simplefilter("error", holotape.LossWarning)``, or ``strict=True`` where something is
    written.
    """


def told(losses: Iterable[tuple[str, str]], *, strict: bool = False, stacklevel: int = 3) -> list[Loss]:
    """Warns of losses and gives them back."""
    all_losses = [Loss(*loss) for loss in losses]
    if strict and all_losses:
        raise LossError(all_losses)
    for loss in all_losses:
        warnings.warn(loss.message, LossWarning, stacklevel=stacklevel)
    return all_losses
