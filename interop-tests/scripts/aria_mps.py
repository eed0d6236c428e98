"""Reads the tables of a folder with projectaria_tools, and prints them as JSON.

Landmarks are in the world, at the times of the hands; directions of the gaze are in the central pupil frame.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "packages-no-deps"))

from projectaria_tools.core import mps  # noqa: E402


def micros(time):
    return round(time.total_seconds() * 1e6)


def main():
    folder = Path(sys.argv[1])
    trajectory = mps.read_closed_loop_trajectory(str(folder / "slam/closed_loop_trajectory.csv"))
    poses = {micros(pose.tracking_timestamp): pose.transform_world_device for pose in trajectory}
    hands = []
    for row in mps.hand_tracking.read_hand_tracking_results(
        str(folder / "hand_tracking/hand_tracking_results.csv")
    ):
        time = micros(row.tracking_timestamp)
        sides = {}
        for side, hand in (("left", row.left_hand), ("right", row.right_hand)):
            if hand is not None:
                points = [poses[time] @ point for point in hand.landmark_positions_device]
                sides[side] = [point.reshape(3).tolist() for point in points]
        hands.append({"time_us": time, "hands": sides})
    gaze = []
    for row in mps.read_eyegaze(str(folder / "eye_gaze/general_eye_gaze.csv")):
        point = mps.get_eyegaze_point_at_depth(row.yaw, row.pitch, 1.0)
        gaze.append({"time_us": micros(row.tracking_timestamp), "direction": point.reshape(3).tolist()})
    print(json.dumps({"hands": hands, "gaze": gaze}))


main()
