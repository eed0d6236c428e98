"""Compares exports with the libraries that people would use otherwise, for a recording of 60 s with a key per frame.

The package starts from a recording in memory. The other libraries start from finished data: pyarrow from the table, mcap from the
encoded messages, and pygltflib from the arrays of the animation. All write to memory, alternating in one run. Run by
``cargo xtask bench exports``.
"""

from __future__ import annotations

import functools
import io
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import holotape
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pygltflib
from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer

SECONDS, RUNS = 60, 15
Export = Callable[[], Any]


def write_parquet(table: pa.Table, *, use_dictionary: bool) -> Any:
    """Writes with the compression of the package, which has no dictionaries for curves. By default, pyarrow has them."""
    out = pa.BufferOutputStream()
    pyarrow.parquet.write_table(table, out, compression="zstd", use_dictionary=use_dictionary)
    return out.getvalue()


def write_csv(table: pa.Table) -> Any:
    out = pa.BufferOutputStream()
    pyarrow.csv.write_csv(table, out)
    return out.getvalue()


class Log:
    """The schemas, channels and encoded messages of a log."""

    def __init__(self, data: bytes) -> None:
        reader = make_reader(io.BytesIO(data))
        self.messages = list(reader.iter_messages())

    def write(self) -> bytes:
        out = io.BytesIO()
        writer = Writer(out, compression=CompressionType.ZSTD)
        writer.start()
        schemas: dict[int, int] = {}
        channels: dict[int, int] = {}
        for schema, channel, message in self.messages:
            if channel.id not in channels:
                if schema is not None and schema.id not in schemas:
                    schemas[schema.id] = writer.register_schema(schema.name, schema.encoding, schema.data)
                schema_id = 0 if schema is None else schemas[schema.id]
                channels[channel.id] = writer.register_channel(channel.topic, channel.message_encoding, schema_id)
            writer.add_message(channels[channel.id], message.log_time, message.data, message.publish_time)
        writer.finish()
        return out.getvalue()


class Animation:
    """The arrays of the animation in a `.glb`: for each channel, its node and path, times and values."""

    def __init__(self, data: bytes) -> None:
        self.source = pygltflib.GLTF2.load_from_bytes(data)
        animation = self.source.animations[0]
        self.channels = [
            (channel.target.node, channel.target.path, self._array(sampler.input), self._array(sampler.output))
            for channel in animation.channels
            for sampler in [animation.samplers[channel.sampler]]
        ]

    def _array(self, index: int) -> np.ndarray:
        accessor = self.source.accessors[index]
        view = self.source.bufferViews[accessor.bufferView]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        blob = self.source.binary_blob()
        return np.frombuffer(blob, np.float32, accessor.count * width, start).reshape(accessor.count, width)

    def write(self) -> bytes:
        gltf = pygltflib.GLTF2(nodes=self.source.nodes, scenes=self.source.scenes, scene=0)
        animation = pygltflib.Animation(name="recording")
        parts: list[bytes] = []
        at = 0
        for node, path, times, values in self.channels:
            for array, kind in ((times, "SCALAR"), (values, f"VEC{values.shape[1]}")):
                limits = {"min": [float(array.min())], "max": [float(array.max())]} if kind == "SCALAR" else {}
                data = array.tobytes()
                gltf.accessors.append(
                    pygltflib.Accessor(
                        bufferView=len(gltf.bufferViews),
                        componentType=pygltflib.FLOAT,
                        count=len(array),
                        type=kind,
                        **limits,
                    )
                )
                gltf.bufferViews.append(pygltflib.BufferView(buffer=0, byteOffset=at, byteLength=len(data)))
                parts.append(data)
                at += len(data)
            sampler = pygltflib.AnimationSampler(input=len(gltf.accessors) - 2, output=len(gltf.accessors) - 1)
            target = pygltflib.AnimationChannelTarget(node=node, path=path)
            animation.channels.append(pygltflib.AnimationChannel(sampler=len(animation.samplers), target=target))
            animation.samplers.append(sampler)
        gltf.animations.append(animation)
        gltf.buffers.append(pygltflib.Buffer(byteLength=at))
        gltf.set_binary_blob(b"".join(parts))
        return b"".join(gltf.save_to_bytes())


def compare(name: str, limit: float, package: Export, other: Export) -> bool:
    """Prints the medians of alternating runs and their ratio. Returns whether it is within the limit."""
    durations: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for export, times in zip((package, other), durations, strict=True):
            start = time.perf_counter()
            assert len(export()) > 0
            times.append(time.perf_counter() - start)
    ours, theirs = (1e3 * statistics.median(times) for times in durations)
    print(f"{name:<26} {ours:7.1f} ms {theirs:8.1f} ms    {ours / theirs:5.2f}, limit {limit}", flush=True)
    return ours / theirs <= limit


def main() -> None:
    warnings.simplefilter("ignore", holotape.LossWarning)
    recording = holotape.demo(seconds=SECONDS)
    table = recording.to_arrow("frames").combine_chunks()
    log = Log(recording.to_bytes(to="mcap"))
    animation = Animation(recording.to_bytes(to="glb"))
    print(f"{SECONDS} s, a key per frame         package       other     ratio")
    to_parquet = functools.partial(recording.to_bytes, to="parquet")
    with_dictionaries, without = (functools.partial(write_parquet, table, use_dictionary=it) for it in (True, False))
    within_limits = [
        compare("Parquet, pyarrow", 0.7, to_parquet, with_dictionaries),
        compare("  without dictionaries", 1.0, to_parquet, without),
        compare("CSV, pyarrow", 1.0, lambda: recording.to_bytes(to="csv"), lambda: write_csv(table)),
        compare("MCAP, mcap", 1.0, lambda: recording.to_bytes(to="mcap"), log.write),
        compare("glTF, pygltflib", 1.0, lambda: recording.to_bytes(to="glb"), animation.write),
    ]
    if not all(within_limits):
        raise SystemExit("an export exceeds its limit")


if __name__ == "__main__":
    main()
