"""Frames to and from holotape over a WebSocket, as docs/stream.md describes them. Needs the package `websockets`.

    holotape record circle.bin --ws 8080        python stream_client.py record ws://127.0.0.1:8080/
    holotape view --port 8080                   python stream_client.py record ws://127.0.0.1:8080/api/live/record
    holotape play circle.bin --ws 8080          python stream_client.py listen ws://127.0.0.1:8080/
"""

import argparse
import asyncio
import json
import math
import secrets
import struct
from collections import deque
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

FRAME, MARKER = 1, 2
CAMERA = 1 << 0
RIGHT_WRIST = 29  # Behind `None`, which is no joint of a hand; there are 26 from here on.
RIGHT_TRACKED = 1 << 57
RATE_HZ = 90


def circle(time_secs: float) -> bytes:
    """A frame: a head that looks ahead, and a right hand that goes round once in two seconds."""
    x, y = 0.1 * math.cos(math.pi * time_secs), 0.1 * math.sin(math.pi * time_secs)
    bits, numbers = CAMERA | RIGHT_TRACKED, [0.0, 1.6, 0.0, 0.0, 0.0, 0.0, 1.0]
    for joint in range(26):
        bits |= 1 << RIGHT_WRIST + joint
        numbers += [0.2 + x, 1.3 + y, 0.4 + 0.005 * joint, 0.0, 0.0, 0.0, 1.0]
    return struct.pack(f"<BdQ{len(numbers)}f", FRAME, time_secs, bits, *numbers)


class Take:
    """A take that is being recorded. What is not acknowledged is kept, and sent again after the connection was lost."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.id = secrets.token_hex(16)
        self.kept: deque[bytes] = deque()
        self.acknowledged = 0
        self.is_complete = False

    async def perform(self, seconds: float) -> None:
        """Makes frames in real time, as a headset would."""
        begun = asyncio.get_running_loop().time()
        self.kept.append(struct.pack("<Bd", MARKER, 0.0) + b"begins")
        for n in range(round(seconds * RATE_HZ)):
            await asyncio.sleep(begun + n / RATE_HZ - asyncio.get_running_loop().time())
            self.kept.append(circle(n / RATE_HZ))
        self.is_complete = True

    async def send(self, socket: ClientConnection, sent: int) -> None:
        """Sends what the server does not have yet, and at last that it is all."""
        while not self.is_complete or sent < self.acknowledged + len(self.kept):
            if sent < self.acknowledged + len(self.kept):
                await socket.send(self.kept[sent - self.acknowledged])
                sent += 1
            else:
                await asyncio.sleep(1 / RATE_HZ)
        await socket.send(json.dumps({"type": "stop"}))

    async def connect(self, url: str) -> dict[str, Any]:
        """Records over one connection. Gives what the server says last."""
        async with connect(url) as socket:
            hello = {"type": "hello", "take": self.id, "records": self.acknowledged, "name": self.name}
            await socket.send(json.dumps(hello))
            if (ready := json.loads(await socket.recv()))["type"] != "ready":
                return dict(ready)
            sending = asyncio.create_task(self.send(socket, ready["records"]))
            try:
                async for text in socket:
                    message: dict[str, Any] = json.loads(text)
                    if message["type"] in ("saved", "error"):
                        return message
                    if message["type"] == "received":
                        while self.acknowledged < message["records"]:
                            self.kept.popleft()
                            self.acknowledged += 1
            finally:
                sending.cancel()
        raise ConnectionError


async def record(url: str, seconds: float, name: str) -> dict[str, Any]:
    take = Take(name)
    _performing = asyncio.create_task(take.perform(seconds))
    while True:
        try:
            return await take.connect(url)
        except (ConnectionClosed, OSError):
            await asyncio.sleep(0.25)  # Then over another connection.


async def listen(url: str) -> None:
    """Prints the time of everything that comes, until it ends."""
    async with connect(url, subprotocols=[Subprotocol("holotape.binary")]) as socket:
        async for data in socket:
            assert isinstance(data, bytes), "records are bytes"
            kind, time_secs = struct.unpack_from("<Bd", data)
            what = f"frame of {len(data)} bytes" if kind == FRAME else data[9:].decode()
            print(f"{time_secs:.6f} {what}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Record a hand that goes round, or listen to a player.")
    parser.add_argument("what", choices=["record", "listen"])
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=5.0)
    args = parser.parse_args()
    if args.what == "listen":
        asyncio.run(listen(args.url))
    else:
        print(json.dumps(asyncio.run(record(args.url, args.seconds, "circle"))))
