"""Mistakes that mypy must report: an unused ``type: ignore`` is an error."""

from __future__ import annotations

import holotape
import holotape.openxr

recording = holotape.demo(seconds=1)
recording.sample(rate=60, times=[1.0])  # type: ignore[call-overload]
recording.save("take.glb", table="rows")  # type: ignore[arg-type]
recording.save("take.glb", colour="red")  # type: ignore[call-arg]
holotape.open(12)  # type: ignore[arg-type]
recording.duration_secs = 3.0  # type: ignore[misc]
recording[1]  # type: ignore[call-overload]
holotape.openxr.replay("take.bin", ["./app"], space="floor")  # type: ignore[arg-type]
holotape.openxr.record("take.bin", ["./app"], step=0.1)  # type: ignore[call-arg]
