"""Writes an EgoDex file with h5py from the frames of a Vision Pro tracking file.

Prints the position of the right index finger's tip in the last frame as JSON, read back with h5py.
"""

import json
import sys

import h5py
import numpy as np

FINGERS = ("index", "middle", "ring", "little")
IMAGE_AXES = np.diag([1.0, -1.0, -1.0, 1.0])


def matrix(numbers):
    return np.array(numbers, dtype=np.float64).reshape(4, 4).T


def dataset_name(side, joint):
    if joint == "wrist":
        return f"{side}Hand"
    for finger in FINGERS:
        if joint.startswith(finger):
            joint = f"{finger}Finger{joint.removeprefix(finger)}"
    return side + joint[0].upper() + joint[1:]


def main():
    source, target = sys.argv[1:]
    with open(source) as lines:
        frames = [json.loads(line) for line in lines]
    transforms = {"camera": [matrix(frame["headMatrix"]) @ IMAGE_AXES for frame in frames]}
    transforms["leftForearm"] = [np.eye(4)] * len(frames)
    confidences = {}
    for side in ("left", "right"):
        hands = [frame.get(f"{side}Hand") for frame in frames]
        names = next(hand for hand in hands if hand)
        for joint in names:
            poses = []
            for hand in hands:
                wrist = matrix(hand["wrist"]) if hand else np.eye(4)
                poses.append(wrist if joint == "wrist" or not hand else wrist @ matrix(hand[joint]))
            transforms[dataset_name(side, joint)] = poses
        confidences[f"{side}Hand"] = [0.9 if hand else 0.0 for hand in hands]
    with h5py.File(target, "w") as file:
        file.attrs["llm_description"] = "Reach for the cup."
        file.attrs["environment"] = "table"
        for name, poses in transforms.items():
            file.create_dataset(f"transforms/{name}", data=np.array(poses, dtype=np.float32))
        for name, numbers in confidences.items():
            file.create_dataset(f"confidences/{name}", data=np.array(numbers, dtype=np.float32))
        file.create_dataset("camera/intrinsic", data=np.eye(3, dtype=np.float32))
    with h5py.File(target) as file:
        tip = file["transforms/rightIndexFingerTip"][-1, :3, 3]
        print(json.dumps([float(number) for number in tip]))


main()
