"""Reads a tracking file with avp_stream, and prints its frames as JSON: time, head, and the joints of both hands.

Of each matrix, in coordinates with z up, it prints the position and the x and y axes.
"""

import importlib.abc
import importlib.machinery
import json
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "packages-no-deps"))

# avp_stream imports these when it is loaded, but needs them only for streaming.
STREAMING = {"aiortc", "av", "cv2", "google", "grpc", "matplotlib", "requests", "scipy"}
STREAMING |= {"avp_stream.grpc_msg", "avp_stream.mujoco_msg"}


class Placeholder(types.ModuleType):
    """A module that has every name."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class PlaceholderFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds placeholders for the modules that are not installed."""

    def find_spec(self, name, path, target=None):
        if name in STREAMING or name.split(".")[0] in STREAMING:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Placeholder(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, PlaceholderFinder())

from avp_stream import JOINT_NAMES, load_jsonl  # noqa: E402


def axes(matrix):
    return [matrix[:3, 3].tolist(), matrix[:3, 0].tolist(), matrix[:3, 1].tolist()]


def main():
    with open(sys.argv[1]) as file:
        lines = [json.loads(line) for line in file]
    frames = []
    for line, frame in zip(lines, load_jsonl(sys.argv[1]), strict=True):
        sides = {}
        for side in ("left", "right"):
            if f"{side}Hand" in line:
                hand = getattr(frame, side)
                sides[side] = {name: axes(hand[index]) for name, index in JOINT_NAMES.items() if index < 25}
                # The wrist of avp_stream is its own child there.
                sides[side]["wrist"] = axes(frame[f"{side}_wrist"][0])
        frames.append({"time": line["timestamp"], "head": axes(frame.head), "hands": sides})
    print(json.dumps(frames))


main()
