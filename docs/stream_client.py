"""Sends frames to holotape, or receives them, over a WebSocket (docs/stream.md). Requires the package `websockets`.

    holotape record circle.bin --ws 8080        python stream_client.py record ws://127.0.0.1:8080/
    holotape view --port 8080                   python stream_client.py record 'ws://127.0.0.1:8080/api/live/record?token=TOKEN'
    holotape play circle.bin --ws 8080          python stream_client.py listen ws://127.0.0.1:8080/
"""

import argparse
import asyncio
import json
import math
import secrets
import struct
import sys
from collections import deque
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

FRAME, MARKER = 1, 2
CAMERA = 1 << 0
RIGHT_WRIST = 29  # Bit 28 is the unused slot `None`; 26 joints follow it.
RIGHT_TRACKED = 1 << 57
RATE_HZ = 90


def circle(time_secs: float) -> bytes:
    """Encodes a frame: a head that looks forward, and a right hand that moves in a circle once every 2 s."""
    x, y = 0.1 * math.cos(math.pi * time_secs), 0.1 * math.sin(math.pi * time_secs)
    mask, values = CAMERA | RIGHT_TRACKED, [0.0, 1.6, 0.0, 0.0, 0.0, 0.0, 1.0]
    for joint in range(26):
        mask |= 1 << RIGHT_WRIST + joint
        values += [0.2 + x, 1.3 + y, 0.4 + 0.005 * joint, 0.0, 0.0, 0.0, 1.0]
    return struct.pack(f"<BdQ{len(values)}f", FRAME, time_secs, mask, *values)


class Take:
    """A live take. Keeps records until the server acknowledges them, and sends them again after a lost connection."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.take_id = secrets.token_hex(16)
        self.pending: deque[bytes] = deque()
        self.acked_records = 0
        self.is_complete = False

    async def generate(self, seconds: float) -> None:
        """Generates frames in real time, as a headset would."""
        start = asyncio.get_running_loop().time()
        self.pending.append(struct.pack("<Bd", MARKER, 0.0) + b"begins")
        for n in range(round(seconds * RATE_HZ)):
            await asyncio.sleep(start + n / RATE_HZ - asyncio.get_running_loop().time())
            self.pending.append(circle(n / RATE_HZ))
        self.is_complete = True

    async def send(self, socket: ClientConnection, sent: int) -> None:
        """Sends all records that the server does not have yet, then `stop`."""
        while not self.is_complete or sent < self.acked_records + len(self.pending):
            if sent < self.acked_records + len(self.pending):
                await socket.send(self.pending[sent - self.acked_records])
                sent += 1
            else:
                await asyncio.sleep(1 / RATE_HZ)
        await socket.send(json.dumps({"type": "stop"}))

    async def connect(self, url: str) -> dict[str, Any]:
        """Records over one connection. Returns the last message of the server."""
        async with connect(url) as socket:
            hello = {"type": "hello", "take_id": self.take_id, "acked_records": self.acked_records, "name": self.name}
            await socket.send(json.dumps(hello))
            if (ready := json.loads(await socket.recv()))["type"] != "ready":
                return dict(ready)
            sending = asyncio.create_task(self.send(socket, ready["record_count"]))
            try:
                async for text in socket:
                    message: dict[str, Any] = json.loads(text)
                    if message["type"] in ("saved", "error"):
                        return message
                    if message["type"] == "ack":
                        while self.acked_records < message["record_count"]:
                            self.pending.popleft()
                            self.acked_records += 1
            finally:
                sending.cancel()
        raise ConnectionError


async def record(url: str, seconds: float, name: str) -> dict[str, Any]:
    take = Take(name)
    _generating = asyncio.create_task(take.generate(seconds))
    while True:
        try:
            return await take.connect(url)
        except (ConnectionClosed, OSError) as error:
            print(f"reconnecting: {error}", file=sys.stderr, flush=True)
            await asyncio.sleep(0.25)


async def listen(url: str) -> None:
    """Prints the time of every record until the stream ends."""
    async with connect(url, subprotocols=[Subprotocol("holotape.binary")]) as socket:
        async for data in socket:
            assert isinstance(data, bytes), "records are bytes"
            kind, time_secs = struct.unpack_from("<Bd", data)
            description = f"frame of {len(data)} bytes" if kind == FRAME else data[9:].decode()
            print(f"{time_secs:.6f} {description}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Record a hand that moves in a circle, or listen to a player.")
    parser.add_argument("command", choices=["record", "listen"])
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=5.0)
    args = parser.parse_args()
    if args.command == "listen":
        asyncio.run(listen(args.url))
    else:
        print(json.dumps(asyncio.run(record(args.url, args.seconds, "circle"))))
