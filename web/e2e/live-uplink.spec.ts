/** `TakeUplink` with a fake server: each record arrives once and in order. */

import { expect, test } from "@playwright/test";
import { SendBuffer } from "../src/live/send-buffer";
import { reconnectAdvice, STARTING } from "../src/live/status";
import { MAX_BUFFERED_RECORD_BYTES, TakeUplink } from "../src/live/take-uplink";
import { FakeClock, FakeServer, UplinkEvents } from "./fake-server";

function recordOf(number: number): Uint8Array {
  // Records have different lengths, to detect wrong offsets.
  const bytes = new Uint8Array(4 + (number % 700));
  new DataView(bytes.buffer).setUint32(0, number, true);
  return bytes;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

interface Uplink {
  readonly clock: FakeClock;
  readonly server: FakeServer;
  readonly events: UplinkEvents;
  readonly uplink: TakeUplink;
}

/** Longer than any number of reconnects in these tests. */
const LONG_MS = 20_000;
/** A connection opens after this time. */
const OPEN_MS = 1;
/** Longer than the first delay before a reconnect, and shorter than two of them. */
const RECONNECT_MS = 400;

/** Starts an uplink, which connects when the clock advances. */
function start(configure: (server: FakeServer) => void = () => {}): Uplink {
  const clock = new FakeClock();
  const server = new FakeServer((callback) => clock.after(OPEN_MS, callback));
  configure(server);
  const events = new UplinkEvents();
  return { clock, server, events, uplink: new TakeUplink(server.open, events, null, clock) };
}

function connected(configure: (server: FakeServer) => void = () => {}): Uplink {
  const started = start(configure);
  started.clock.advance(OPEN_MS);
  expect(started.uplink.connection).toBe("connected");
  return started;
}

test("records arrive once and in order across disconnects", () => {
  const { clock, server, events, uplink } = start();
  for (let number = 0; number < 3000; number++) {
    uplink.push(recordOf(number));
    // Some records are unacknowledged at each disconnect.
    server.acknowledges = number % 7 < 4;
    if (number % 500 === 333) {
      server.disconnectAll();
      clock.advance(RECONNECT_MS);
    } else if (number % 50 === 0) {
      clock.advance(1);
    }
  }
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(events.messages).toEqual(["saved"]);
  expect(server.sockets.length).toBeGreaterThan(5);
  expect(server.received).toEqual(upTo(3000));
});

test("acknowledged records are dropped from the buffer", () => {
  const { server, uplink } = connected();
  server.acknowledges = false;
  uplink.push(recordOf(0));
  uplink.push(recordOf(1));
  expect(uplink.unacknowledged).toBe(2);
  server.acknowledges = true;
  uplink.push(recordOf(2));
  expect([uplink.unacknowledged, uplink.bufferedBytes]).toEqual([0, 0]);
  uplink.end("discard");
});

test("a restarted server receives the rest as a new take", () => {
  const { clock, server, events, uplink } = connected();
  for (let number = 0; number < 10; number++) {
    uplink.push(recordOf(number));
  }
  server.isReachable = false;
  server.disconnectAll();
  const first = server.received;
  server.takes.clear();
  uplink.push(recordOf(10));
  clock.advance(300);
  expect(uplink.connection).toBe("lost");
  server.isReachable = true;
  uplink.push(recordOf(11));
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(first).toEqual(upTo(10));
  expect(server.received).toEqual([10, 11]);
  expect(events.messages).toEqual(["split: take.journal", "saved"]);
});

test("unacknowledged records survive a server restart", () => {
  const { clock, server, events, uplink } = connected();
  uplink.push(recordOf(0));
  server.acknowledges = false;
  uplink.push(recordOf(1));
  uplink.push(recordOf(2));
  server.disconnectAll();
  clock.advance(RECONNECT_MS);
  expect(uplink.connection).toBe("connected");
  // The server reported three records, of which only one is acknowledged.
  expect([server.received, uplink.unacknowledged]).toEqual([[0, 1, 2], 2]);
  server.takes.clear();
  server.disconnectAll();
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(server.received).toEqual([1, 2]);
  expect(events.messages).toEqual(["split: take.journal", "saved"]);
});

test("records that the server has saved are not repeated in the next take", () => {
  const { clock, server, events, uplink } = connected();
  server.acknowledges = false;
  uplink.push(recordOf(0));
  uplink.push(recordOf(1));
  server.disconnectAll();
  server.savedTakes.add(uplink.takeId);
  uplink.push(recordOf(2));
  clock.advance(RECONNECT_MS);
  expect(events.messages).toEqual(["split: null"]);
  uplink.push(recordOf(3));
  const isThird = (record: Uint8Array) => record.length === recordOf(2).length;
  expect([uplink.countUnacknowledged(isThird), uplink.countUnacknowledged(() => true)]).toEqual([1, 2]);
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect([...server.takes.values()]).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(events.messages).toEqual(["split: null", "saved"]);
});

test("a continued take retries while the server is busy", () => {
  const { clock, server, events, uplink } = connected();
  uplink.push(recordOf(0));
  server.takes.clear();
  server.disconnectAll();
  uplink.push(recordOf(1));
  clock.advance(RECONNECT_MS);
  expect(events.messages).toEqual(["split: take.journal"]);
  server.helloError = { code: "busy", message: "eight takes are being recorded already" };
  const before = server.sockets.length;
  clock.advance(LONG_MS);
  expect(server.sockets.length).toBeGreaterThan(before + 1);
  server.helloError = null;
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(events.messages).toEqual(["split: take.journal", "saved"]);
  expect(server.received).toEqual([1]);
});

test("an unsaved take is reported when the restarted server does not know it", () => {
  const { clock, server, events, uplink } = connected();
  uplink.push(recordOf(0));
  server.takes.clear();
  server.disconnectAll();
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(events.messages).toEqual(["failed; in take.journal"]);
});

test("stop is repeated if its reply is lost", () => {
  const { clock, server, events, uplink } = connected((server) => {
    server.disconnectsOnSave = true;
  });
  uplink.push(recordOf(0));
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(events.messages).toEqual(["saved"]);
  expect(server.saved).toEqual([uplink.takeId, uplink.takeId]);
  expect(server.received).toEqual([0]);
});

test("stop is repeated if it does not arrive", () => {
  const { clock, server, events, uplink } = connected();
  uplink.push(recordOf(0));
  server.disconnectAll();
  uplink.end("stop");
  expect(server.saved).toEqual([]);
  clock.advance(LONG_MS);
  expect(server.received).toEqual([0]);
  expect(events.messages).toEqual(["saved"]);
});

test("a rejected first hello fails with the server's message", () => {
  const { clock, events } = start((server) => {
    server.helloError = { code: "busy", message: "eight takes are being recorded already" };
  });
  clock.advance(LONG_MS);
  expect(events.messages).toEqual(["failed: eight takes are being recorded already"]);
});

test("a reconnecting uplink retries while the old connection counts as live", () => {
  const { clock, server, events, uplink } = connected();
  uplink.push(recordOf(0));
  server.helloError = { code: "busy", message: "this take is recorded over another connection" };
  server.disconnectAll();
  clock.advance(RECONNECT_MS);
  server.helloError = null;
  uplink.push(recordOf(1));
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect(events.messages).toEqual(["saved"]);
  expect(server.received).toEqual([0, 1]);
});

test("the uplink limits the data in the socket buffer", () => {
  const { clock, server, uplink } = connected();
  const [socket] = server.sockets;
  if (socket !== undefined) {
    socket.bufferedAmount = 1 << 21;
  }
  uplink.push(recordOf(0));
  expect(server.received).toEqual([]);
  if (socket !== undefined) {
    socket.bufferedAmount = 0;
  }
  clock.advance(100);
  expect(server.received).toEqual([0]);
  uplink.end("discard");
});

test("push rejects records when the buffer is full", () => {
  const { server, uplink } = start((server) => {
    server.isReachable = false;
  });
  expect(uplink.push(new Uint8Array(MAX_BUFFERED_RECORD_BYTES + 1))).toBe(false);
  expect(uplink.push(recordOf(0))).toBe(true);
  server.isReachable = true;
  uplink.end("discard");
});

test("a take unknown to the server is discarded immediately", () => {
  const { clock, events, uplink } = start((server) => {
    server.isReachable = false;
  });
  uplink.push(recordOf(0));
  uplink.end("stop");
  clock.advance(300);
  expect(events.messages).toEqual([]);
  uplink.end("discard");
  expect(events.messages).toEqual(["discarded"]);
});

test("a take without a connection is discarded immediately", () => {
  const first = connected();
  first.uplink.push(recordOf(0));
  first.server.isReachable = false;
  first.server.disconnectAll();
  first.uplink.end("discard");
  expect(first.events.messages).toEqual(["discarded offline"]);
  const second = connected((server) => {
    server.disconnectsOnDiscard = true;
  });
  second.uplink.push(recordOf(0));
  second.uplink.end("discard");
  expect(second.events.messages).toEqual(["discarded offline"]);
});

test("a connection without replies is replaced after 5 s", () => {
  const { clock, server, events, uplink } = connected();
  server.acknowledges = false;
  uplink.push(recordOf(0));
  clock.advance(5000);
  expect([uplink.connection, server.sockets.length]).toEqual(["connected", 1]);
  clock.advance(100);
  expect(uplink.connection).toBe("lost");
  uplink.end("stop");
  clock.advance(LONG_MS);
  expect([events.messages, server.sockets.length, server.received]).toEqual([["saved"], 2, [0]]);
});

test("reconnect advice appears after 5 s without a connection over https", () => {
  const lost = { ...STARTING, connection: "lost", lostSecs: 6 } as const;
  expect(reconnectAdvice(lost, true)).toContain("enter the new code");
  expect(reconnectAdvice(lost, false)).toBe("");
  expect(reconnectAdvice({ ...lost, lostSecs: 1 }, true)).toBe("");
  expect(reconnectAdvice({ ...lost, connection: "connected" }, true)).toBe("");
});

test("the lost time counts from the first disconnect until the reconnect", () => {
  const { clock, server, uplink } = connected();
  expect(uplink.lostSecs).toBe(0);
  server.isReachable = false;
  server.disconnectAll();
  clock.advance(2000);
  expect(server.sockets.length).toBeGreaterThan(3);
  expect(uplink.lostSecs).toBe(2);
  server.isReachable = true;
  clock.advance(LONG_MS);
  expect(uplink.lostSecs).toBe(0);
  uplink.end("discard");
});

test("a clock that steps back does not delay reconnecting", async () => {
  const server = new FakeServer((callback) => setTimeout(callback));
  const events = new UplinkEvents();
  const uplink = new TakeUplink(server.open, events);
  await expect.poll(() => uplink.connection).toBe("connected");
  const now = Date.now;
  server.disconnectAll();
  Date.now = () => now() - 3_600_000;
  try {
    while (uplink.connection !== "connected") {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    Date.now = now;
  }
  uplink.end("discard");
  await events.ended;
  expect(events.messages).toEqual(["discarded"]);
});

test("the send buffer returns the records pushed into it", () => {
  const sendBuffer = new SendBuffer();
  const lengths = upTo(5000).map((number) => recordOf(number).length);
  for (const number of upTo(5000)) {
    sendBuffer.push(recordOf(number));
  }
  sendBuffer.dropBefore(1234);
  expect(sendBuffer.at(1233)).toBeNull();
  expect(sendBuffer.at(5000)).toBeNull();
  const differs = (number: number) => Buffer.compare(sendBuffer.at(number) ?? Buffer.of(), recordOf(number)) !== 0;
  expect(upTo(5000).filter((number) => number >= 1234 && differs(number))).toEqual([]);
  expect(sendBuffer.byteLength).toBe(lengths.slice(1234).reduce((sum, length) => sum + length, 0));
  sendBuffer.renumber();
  expect(sendBuffer.at(0)).toEqual(recordOf(1234));
  sendBuffer.push(recordOf(7));
  expect(sendBuffer.at(3766)).toEqual(recordOf(7));
  sendBuffer.dropBefore(1e9);
  expect([sendBuffer.length, sendBuffer.byteLength]).toEqual([0, 0]);
});
