"""Replays a log with Isaac Teleop. Prints one row per update: the left hand, the right hand and the head, or null.

Usage: python isaac_replay.py FILE UPDATES"""

import json
import sys

from isaacteleop.deviceio import HandTracker, HeadTracker, McapReplayConfig, ReplaySession


def numbers(pose):
    position, rotation = pose.position, pose.orientation
    return [position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w]


def hand_row(hand):
    """Position, rotation, validity and radius of each joint."""
    if hand is None:
        return None
    joints = [hand.joints.poses(n) for n in range(26)]
    return [[*numbers(joint.pose), joint.is_valid, joint.radius] for joint in joints]


def head_row(head):
    return None if head is None else [*numbers(head.pose), head.is_valid, head.is_tracked]


def main(path, updates):
    hands, head = HandTracker(), HeadTracker()
    rows = []
    with ReplaySession.run(McapReplayConfig(path, [(hands, "hands"), (head, "head")])) as session:
        for _ in range(updates):
            session.update()
            row = [hands.get_left_hand(session), hands.get_right_hand(session), head.get_head(session)]
            rows.append([hand_row(row[0]), hand_row(row[1]), head_row(row[2])])
    print("\n" + json.dumps(rows))


main(sys.argv[1], int(sys.argv[2]))
