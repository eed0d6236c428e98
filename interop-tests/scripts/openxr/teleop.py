#!/usr/bin/env python3
"""Reads head and hands with NVIDIA's isaacteleop, and prints one JSON line per update: {"head", "left", "right"}.

    teleop.py [--updates N] [--rate HZ]

head    [px, py, pz, qx, qy, qz, qw], or null while it is not valid
left    26 x the same in OpenXR's order, or null while the hand is not tracked

isaacteleop has a headless session of its own, and reads poses in the STAGE space.
"""
import argparse, json, os, time

# The package checks for NVIDIA's own runtime unless this is set.
os.environ["ISAAC_TELEOP_DISABLE_CXR_ENV_CHECKS"] = "1"
from isaacteleop.deviceio_session import DeviceIOSession
from isaacteleop.deviceio_trackers import NUM_JOINTS, HandTracker, HeadTracker
from isaacteleop.oxr import OpenXRSession


def numbers(pose):
    p, q = pose.position, pose.orientation
    return [p.x, p.y, p.z, q.x, q.y, q.z, q.w]


def joints(hand):
    if hand is None:
        return None
    poses = [hand.joints.poses(index) for index in range(NUM_JOINTS)]
    return [numbers(joint.pose) if joint.is_valid else None for joint in poses]


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--updates", type=int, default=60, help="updates of the trackers (default 60)")
parser.add_argument("--rate", type=float, default=60, help="updates per second (default 60)")
args = parser.parse_args()

head, hands = HeadTracker(), HandTracker()
trackers = [head, hands]
with OpenXRSession("teleop", DeviceIOSession.get_required_extensions(trackers)) as session, \
        DeviceIOSession.run(trackers, session.get_handles()) as device:
    for _ in range(args.updates):
        device.update()
        pose = head.get_head(device)
        line = dict(head=numbers(pose.pose) if pose and pose.is_valid else None,
                    left=joints(hands.get_left_hand(device)), right=joints(hands.get_right_hand(device)))
        print(json.dumps(line, separators=(",", ":")), flush=True)
        time.sleep(1 / args.rate)
