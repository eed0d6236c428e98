/** `TakeUplink` with a fake server: each record arrives once and in order. */

import { expect, test } from "@playwright/test";
import { SendBuffer } from "../src/live/send-buffer";
import { reconnectAdvice, STARTING } from "../src/live/status";
import { MAX_BUFFERED_RECORD_BYTES, TakeUplink } from "../src/live/take-uplink";
import { FakeServer, UplinkEvents } from "./fake-server";

function recordOf(number: number): Uint8Array {
  // Records have different lengths, to detect wrong offsets.
  const bytes = new Uint8Array(4 + (number % 700));
  new DataView(bytes.buffer).setUint32(0, number, true);
  return bytes;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function connected(): Promise<{ server: FakeServer; events: UplinkEvents; uplink: TakeUplink }> {
  const server = new FakeServer();
  const events = new UplinkEvents();
  const uplink = new TakeUplink(server.open, events);
  await expect.poll(() => uplink.connection).toBe("connected");
  return { server, events, uplink };
}

test("records arrive once and in order across disconnects", async () => {
  const server = new FakeServer();
  const events = new UplinkEvents();
  const uplink = new TakeUplink(server.open, events);
  for (let number = 0; number < 3000; number++) {
    uplink.push(recordOf(number));
    // Some records are unacknowledged at each disconnect.
    server.acknowledges = number % 7 < 4;
    if (number % 500 === 333) {
      server.disconnectAll();
      await sleep(400);
    } else if (number % 50 === 0) {
      await sleep(1);
    }
  }
  uplink.end("stop");
  await events.ended;
  expect(events.messages).toEqual(["saved"]);
  expect(server.sockets.length).toBeGreaterThan(5);
  expect(server.received).toEqual(upTo(3000));
});

test("acknowledged records are dropped from the buffer", async () => {
  const { server, uplink } = await connected();
  server.acknowledges = false;
  uplink.push(recordOf(0));
  uplink.push(recordOf(1));
  expect(uplink.unacknowledged).toBe(2);
  server.acknowledges = true;
  uplink.push(recordOf(2));
  expect([uplink.unacknowledged, uplink.bufferedBytes]).toEqual([0, 0]);
  uplink.end("discard");
});

test("a restarted server receives the rest as a new take", async () => {
  const { server, events, uplink } = await connected();
  for (let number = 0; number < 10; number++) {
    uplink.push(recordOf(number));
  }
  server.isReachable = false;
  server.disconnectAll();
  const first = server.received;
  server.takes.clear();
  uplink.push(recordOf(10));
  await sleep(300);
  expect(uplink.connection).toBe("lost");
  server.isReachable = true;
  uplink.push(recordOf(11));
  uplink.end("stop");
  await events.ended;
  expect(first).toEqual(upTo(10));
  expect(server.received).toEqual([10, 11]);
  expect(events.messages).toEqual(["split: take.journal", "saved"]);
});

test("unacknowledged records survive a server restart", async () => {
  const { server, events, uplink } = await connected();
  uplink.push(recordOf(0));
  server.acknowledges = false;
  uplink.push(recordOf(1));
  uplink.push(recordOf(2));
  server.disconnectAll();
  await expect.poll(() => uplink.connection).toBe("connected");
  // The server reported three records, of which only one is acknowledged.
  expect([server.received, uplink.unacknowledged]).toEqual([[0, 1, 2], 2]);
  server.takes.clear();
  server.disconnectAll();
  uplink.end("stop");
  await events.ended;
  expect(server.received).toEqual([1, 2]);
  expect(events.messages).toEqual(["split: take.journal", "saved"]);
});

test("records that the server has saved are not repeated in the next take", async () => {
  const { server, events, uplink } = await connected();
  server.acknowledges = false;
  uplink.push(recordOf(0));
  uplink.push(recordOf(1));
  server.disconnectAll();
  server.savedTakes.add(uplink.takeId);
  uplink.push(recordOf(2));
  await expect.poll(() => events.messages).toEqual(["split: null"]);
  uplink.push(recordOf(3));
  const isThird = (record: Uint8Array) => record.length === recordOf(2).length;
  expect([uplink.countUnacknowledged(isThird), uplink.countUnacknowledged(() => true)]).toEqual([1, 2]);
  uplink.end("stop");
  await events.ended;
  expect([...server.takes.values()]).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(events.messages).toEqual(["split: null", "saved"]);
});

test("a continued take retries while the server is busy", async () => {
  const { server, events, uplink } = await connected();
  uplink.push(recordOf(0));
  server.takes.clear();
  server.disconnectAll();
  uplink.push(recordOf(1));
  await expect.poll(() => events.messages).toEqual(["split: take.journal"]);
  server.helloError = { code: "busy", message: "eight takes are being recorded already" };
  const before = server.sockets.length;
  await expect.poll(() => server.sockets.length).toBeGreaterThan(before + 1);
  server.helloError = null;
  uplink.end("stop");
  await events.ended;
  expect(events.messages).toEqual(["split: take.journal", "saved"]);
  expect(server.received).toEqual([1]);
});

test("an unsaved take is reported when the restarted server does not know it", async () => {
  const { server, events, uplink } = await connected();
  uplink.push(recordOf(0));
  server.takes.clear();
  server.disconnectAll();
  uplink.end("stop");
  await events.ended;
  expect(events.messages).toEqual([expect.stringContaining("holotape repair take.journal")]);
});

test("stop is repeated if its reply is lost", async () => {
  const server = new FakeServer();
  server.disconnectsOnSave = true;
  const events = new UplinkEvents();
  const uplink = new TakeUplink(server.open, events);
  await sleep(5);
  uplink.push(recordOf(0));
  uplink.end("stop");
  await events.ended;
  expect(server.saved).toEqual([uplink.takeId, uplink.takeId]);
  expect(server.received).toEqual([0]);
});

test("stop is repeated if it does not arrive", async () => {
  const { server, events, uplink } = await connected();
  uplink.push(recordOf(0));
  server.disconnectAll();
  uplink.end("stop");
  expect(server.saved).toEqual([]);
  await events.ended;
  expect(server.received).toEqual([0]);
  expect(events.messages).toEqual(["saved"]);
});

test("a rejected first hello fails with the server's message", async () => {
  const server = new FakeServer();
  server.helloError = { code: "busy", message: "eight takes are being recorded already" };
  const events = new UplinkEvents();
  new TakeUplink(server.open, events);
  await events.ended;
  expect(events.messages).toEqual(["failed: eight takes are being recorded already"]);
});

test("a reconnecting uplink retries while the old connection counts as live", async () => {
  const { server, events, uplink } = await connected();
  uplink.push(recordOf(0));
  server.helloError = { code: "busy", message: "this take is recorded over another connection" };
  server.disconnectAll();
  await sleep(400);
  server.helloError = null;
  uplink.push(recordOf(1));
  uplink.end("stop");
  await events.ended;
  expect(events.messages).toEqual(["saved"]);
  expect(server.received).toEqual([0, 1]);
});

test("the uplink limits the data in the socket buffer", async () => {
  const { server, uplink } = await connected();
  const [socket] = server.sockets;
  if (socket !== undefined) {
    socket.bufferedAmount = 1 << 21;
  }
  uplink.push(recordOf(0));
  expect(server.received).toEqual([]);
  if (socket !== undefined) {
    socket.bufferedAmount = 0;
  }
  await expect.poll(() => server.received).toEqual([0]);
  uplink.end("discard");
});

test("push rejects records when the buffer is full", async () => {
  const server = new FakeServer();
  server.isReachable = false;
  const uplink = new TakeUplink(server.open, new UplinkEvents());
  expect(uplink.push(new Uint8Array(MAX_BUFFERED_RECORD_BYTES + 1))).toBe(false);
  expect(uplink.push(recordOf(0))).toBe(true);
  server.isReachable = true;
  uplink.end("discard");
});

test("a take unknown to the server is discarded immediately", async () => {
  const server = new FakeServer();
  server.isReachable = false;
  const events = new UplinkEvents();
  const uplink = new TakeUplink(server.open, events);
  uplink.push(recordOf(0));
  uplink.end("stop");
  await sleep(300);
  expect(events.messages).toEqual([]);
  uplink.end("discard");
  expect(events.messages).toEqual(["discarded"]);
});

test("a take without a connection is discarded immediately", async () => {
  const server = new FakeServer();
  const [before, after] = [new UplinkEvents(), new UplinkEvents()];
  const uplink = new TakeUplink(server.open, before);
  await sleep(5);
  uplink.push(recordOf(0));
  server.isReachable = false;
  server.disconnectAll();
  uplink.end("discard");
  expect(before.messages).toEqual(["discarded offline"]);
  server.isReachable = true;
  server.disconnectsOnDiscard = true;
  const other = new TakeUplink(server.open, after);
  await sleep(5);
  other.push(recordOf(0));
  other.end("discard");
  expect(after.messages).toEqual(["discarded offline"]);
});

test("reconnect advice appears after 5 s without a connection over https", () => {
  const lost = { ...STARTING, connection: "lost", lostSecs: 6 } as const;
  expect(reconnectAdvice(lost, true)).toContain("enter the new code");
  expect(reconnectAdvice(lost, false)).toBe("");
  expect(reconnectAdvice({ ...lost, lostSecs: 1 }, true)).toBe("");
  expect(reconnectAdvice({ ...lost, connection: "connected" }, true)).toBe("");
});

test("the lost time counts from the first disconnect until the reconnect", async () => {
  const { server, uplink } = await connected();
  expect(uplink.lostSecs).toBe(0);
  server.isReachable = false;
  server.disconnectAll();
  await expect.poll(() => server.sockets.length).toBeGreaterThan(3);
  expect(uplink.lostSecs).toBeGreaterThan(1.5);
  server.isReachable = true;
  await expect.poll(() => uplink.lostSecs).toBe(0);
  uplink.end("discard");
});

test("a clock that steps back does not delay reconnecting", async () => {
  const { server, events, uplink } = await connected();
  const now = Date.now;
  server.disconnectAll();
  Date.now = () => now() - 3_600_000;
  try {
    while (uplink.connection !== "connected") {
      await sleep(10);
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
