#!/usr/bin/env python3
"""Moves the head and hands of Monado's remote driver while a command runs.

    remote.py --log FILE [--rate HZ] COMMAND [ARGUMENT]...

The log has one JSON line per packet: {"clock", "head", "left", "right", "pinching"}. `clock` is CLOCK_MONOTONIC in
nanoseconds. `head` is [px, py, pz, qx, qy, qz, qw]; each hand is {"wrist": the same, "index_tip": [px, py, pz]} as
Monado's hand model places them. Coordinates are right-handed, y up, -z forward, in STAGE.

The driver uses the newest packet, whatever time an application asks for. So every pose that an application sees is that
of a packet, however late the packets are.
"""
import argparse, json, math, socket, struct, subprocess, sys, threading, time

PORT = 4242
PINCH_PERIOD_SECS, PINCH_SECS = 1.5, 0.6
PINCH_CURLS = (1.0, 0.94)      # of index finger and thumb: 6.5 mm between the tips
HAND_SIZE_M = 0.095            # of Monado's hand model
INDEX_ROOT, INDEX_BONES = (0.16926, 0.0, -0.34437), (0.66, 0.365719, 0.231581, 0.201790)  # in hand sizes


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw*bx + ax*bw + ay*bz - az*by, aw*by + ay*bw + az*bx - ax*bz,
            aw*bz + az*bw + ax*by - ay*bx, aw*bw - ax*bx - ay*by - az*bz)


def rotate(q, v):
    return multiply(multiply(q, (*v, 0.0)), (-q[0], -q[1], -q[2], q[3]))[:3]


def turn(x=0.0, y=0.0, z=0.0):
    """The rotation about the vector (x, y, z) by its length in radians."""
    angle = math.sqrt(x*x + y*y + z*z)
    s = math.sin(angle / 2) / angle if angle > 1e-9 else 0.5
    return (x*s, y*s, z*s, math.cos(angle / 2))


def add(a, b):
    return tuple(p + q for p, q in zip(a, b))


def wave(t, amplitude, period, phase=0.0):
    return amplitude * math.sin(2 * math.pi * t / period + phase)


def motion(t):
    """The head's pose, and the pose, five curls (little, ring, middle, index, thumb) and trigger of each hand."""
    head = ((wave(t, .06, 11), 1.6 + wave(t, .02, 7.3), wave(t, .05, 13.7)),
            multiply(turn(y=wave(t, .25, 9.1)), turn(x=wave(t, .12, 12.3))))
    left = ((-.2 + wave(t, .04, 8.3), 1.25 + wave(t, .03, 10.1, 1), -.4 + wave(t, .03, 12.9, 2)),
            turn(y=wave(t, .15, 10.7), z=.2))
    right = ((.2 + wave(t, .04, 9.7, .5), 1.25 + wave(t, .03, 8.9, 2), -.4 + wave(t, .03, 11.3)),
             turn(x=wave(t, .15, 11.9), z=-.2))
    is_pinching = t % PINCH_PERIOD_SECS < PINCH_SECS
    curl = .25 + wave(t, .25, 14.3)
    right_curls = (0.0, 0.0, 0.0, *PINCH_CURLS) if is_pinching else (0.0,)*5
    return dict(head=head, left=(*left, (curl,)*5, 0.0), right=(*right, right_curls, float(is_pinching)))


def index_tip(hand, position, rotation, curls):
    """The position of the tip of the index finger in Monado's hand model."""
    side = -1.0 if hand == "right" else 1.0  # the model is a left hand; the right one is mirrored
    bend = -1.1 * curls[3]
    place, q = INDEX_ROOT, turn(y=-.19)
    for bone, then in zip(INDEX_BONES, (turn(x=1.3*bend, y=-.01), turn(x=bend), turn(x=bend), turn())):
        place = add(place, rotate(q, (0.0, 0.0, -bone)))
        q = multiply(q, then)
    place = (side*place[0]*HAND_SIZE_M, place[1]*HAND_SIZE_M, place[2]*HAND_SIZE_M)
    return add(position, rotate(rotation, place))


def packet(m):
    """The driver's packet: 376 bytes, little-endian."""
    def pose(p, q):
        return struct.pack("<7f", *q, *p)

    def controller(position, rotation, curls, trigger):
        # Linear and angular velocity, curls, trigger, squeeze, thumbstick, trackpad.
        analog = struct.pack("<3f3f5f8f", *(0,)*6, *curls, trigger, *(0,)*7)
        # Hand tracking, active, system, a and b buttons, trigger click and touch, thumbstick, trackpad, padding.
        return pose(position, rotation) + analog + bytes([1, 1, 0, 0, 0, 0, 0, 0, trigger > .5, trigger > 0, *(0,)*6])

    views = (struct.pack("<4f", -.8, .8, .8, -.8) + pose((0, 0, 0), (0, 0, 0, 1)) + bytes(4)) * 2  # not used
    return b"mndrmt3\0" + views + pose(*m["head"]) + bytes(4) + controller(*m["left"]) + controller(*m["right"])


def log_line(clock, m):
    hands = {hand: dict(wrist=[*m[hand][0], *m[hand][1]], index_tip=index_tip(hand, *m[hand][:3])) for hand in ("left", "right")}
    head = [*m["head"][0], *m["head"][1]]
    return json.dumps(dict(clock=clock, head=head, pinching=m["right"][3] > 0, **hands), separators=(",", ":"))


def connect():
    for _ in range(300):  # the driver may not listen yet
        try:
            return socket.create_connection(("127.0.0.1", PORT))
        except OSError:
            time.sleep(.1)
    raise SystemExit(f"remote.py: cannot connect to port {PORT}")


def send(link, log, rate, has_started, has_ended):
    count = 0
    while not has_ended.is_set():
        clock = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        m = motion(clock * 1e-9)
        log.write(log_line(clock, m) + "\n")
        link.sendall(packet(m))
        count += 1
        if count == 50:
            has_started.set()
        time.sleep(1 / rate)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--log", required=True, help="the file for the packets")
    parser.add_argument("--rate", type=float, default=250, help="packets per second (default 250)")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    link, has_started, has_ended = connect(), threading.Event(), threading.Event()
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with open(args.log, "w") as log:
        sender = threading.Thread(target=send, args=(link, log, args.rate, has_started, has_ended))
        sender.start()
        has_started.wait()
        try:
            status = subprocess.run(args.command).returncode
        finally:
            has_ended.set()
            sender.join()
    sys.exit(status if status >= 0 else 128 - status)  # killed by a signal, as shells report it


if __name__ == "__main__":
    main()
