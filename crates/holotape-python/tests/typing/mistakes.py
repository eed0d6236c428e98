"""Mistakes that mypy has to find: an ignored error that is none is an error itself."""

from __future__ import annotations

import holotape

take = holotape.demo(seconds=1)
take.sample(rate=60, times=[1.0])  # type: ignore[call-overload]
take.save("take.glb", table="rows")  # type: ignore[arg-type]
take.save("take.glb", colour="red")  # type: ignore[call-arg]
holotape.open(12)  # type: ignore[arg-type]
take.duration = 3.0  # type: ignore[misc]
take[1]  # type: ignore[call-overload]
