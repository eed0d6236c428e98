"""Decodes every message of a log with the schemas in the file. Prints the message count of each topic, and the positions of
both index finger tips at ten times, by poses and by transforms."""

import json
import sys
from collections import Counter

from mcap.decoder import DecoderFactory
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory as ProtobufFactory


class JsonFactory(DecoderFactory):
    """Decodes JSON objects and checks that they have all required fields."""

    def decoder_for(self, message_encoding, schema):
        if message_encoding != "json" or schema.encoding != "jsonschema":
            return None
        required = set(json.loads(schema.data)["required"])

        def decode(data):
            value = json.loads(data)
            assert set(value) == required, value
            return value

        return decode


def rotated(q, v):
    """The vector v, rotated by the quaternion q."""
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    axis = [q.x, q.y, q.z]
    once = [2 * n for n in cross(axis, v)]
    return [a + q.w * b + c for a, b, c in zip(v, once, cross(axis, once))]


def xyz(vector):
    return [vector.x, vector.y, vector.z]


def position_in_world(transforms, frame_id):
    by_child = {transform.child_frame_id: transform for transform in transforms}
    position = [0.0, 0.0, 0.0]
    while frame_id != "world":
        transform = by_child[frame_id]
        position = [a + b for a, b in zip(xyz(transform.translation), rotated(transform.rotation, position))]
        frame_id = transform.parent_frame_id
    return position


def ten_of(items):
    return [items[n * (len(items) - 1) // 9] for n in range(10)] if items else []


def tips(hand, joint_names, messages):
    """Log time, position by poses, position by transforms."""
    transforms = {log_time: message.transforms for log_time, message in messages["/tf"]}
    rows = []
    for log_time, message in ten_of(messages[f"/{hand}/joints"]):
        assert message.frame_id == "world"
        pose = message.poses[joint_names[hand].index("IndexTip")]
        rows.append([log_time, xyz(pose.position), position_in_world(transforms[log_time], f"{hand}/IndexTip")])
    return rows


def main(path):
    messages, joint_names = {}, {}
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[ProtobufFactory(), JsonFactory()])
        for _, channel, message, value in reader.iter_decoded_messages():
            messages.setdefault(channel.topic, []).append((message.log_time, value))
            if "joints" in channel.metadata:
                joint_names[channel.topic.split("/")[1]] = channel.metadata["joints"].split(",")
        metadata = {record.name: record.metadata for record in reader.iter_metadata()}
        statistics = reader.get_summary().statistics
    counts = Counter({topic: len(values) for topic, values in messages.items()})
    assert statistics.message_count == counts.total()
    pinching = lambda hand: sum(state["pinching"] for _, state in messages.get(f"/{hand}/state", []))
    answer = {
        "counts": counts,
        "metadata": metadata,
        "tips": {hand: tips(hand, joint_names, messages) for hand in joint_names},
        "markers": [[log_time / 1e9, log.message] for log_time, log in messages.get("/markers", [])],
        "pinching": {hand: pinching(hand) for hand in ["left", "right"]},
    }
    print(json.dumps(answer))


main(sys.argv[1])
