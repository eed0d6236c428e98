/** The way of records to the server: whatever happens to connections, each record arrives once, in order. */

import { expect, test } from "@playwright/test";
import { SendBuffer } from "../src/live/send-buffer";
import { reconnectAdvice, STARTING } from "../src/live/status";
import { MAX_BUFFERED_RECORD_BYTES, TakeUplink } from "../src/live/take-uplink";
import { FakeServer, Told } from "./fake-server";

function recordOf(number: number): Uint8Array {
  // Of different lengths, so that none can be taken for another's place.
  const bytes = new Uint8Array(4 + (number % 700));
  new DataView(bytes.buffer).setUint32(0, number, true);
  return bytes;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function connected(): Promise<{ server: FakeServer; told: Told; link: TakeUplink }> {
  const server = new FakeServer();
  const told = new Told();
  const link = new TakeUplink(server.open, told);
  await expect.poll(() => link.connection).toBe("connected");
  return { server, told, link };
}

test("records arrive once and in order across disconnects", async () => {
  const server = new FakeServer();
  const told = new Told();
  const link = new TakeUplink(server.open, told);
  for (let number = 0; number < 3000; number++) {
    link.push(recordOf(number));
    // Some are acknowledged and some are not when it breaks.
    server.acknowledges = number % 7 < 4;
    if (number % 500 === 333) {
      server.cutAll();
      await pause(400);
    } else if (number % 50 === 0) {
      await pause(1);
    }
  }
  link.stop();
  await told.over;
  expect(told.words).toEqual(["saved"]);
  expect(server.sockets.length).toBeGreaterThan(5);
  expect(server.received).toEqual(upTo(3000));
});

test("acknowledged records are dropped from the buffer", async () => {
  const { server, link } = await connected();
  server.acknowledges = false;
  link.push(recordOf(0));
  link.push(recordOf(1));
  expect(link.unacknowledged).toBe(2);
  server.acknowledges = true;
  link.push(recordOf(2));
  expect([link.unacknowledged, link.bufferedBytes]).toEqual([0, 0]);
  link.discard();
});

test("a restarted server receives the rest as a new take", async () => {
  const { server, told, link } = await connected();
  for (let number = 0; number < 10; number++) {
    link.push(recordOf(number));
  }
  server.isReachable = false;
  server.cutAll();
  const first = server.received;
  server.takes.clear();
  link.push(recordOf(10));
  await pause(300);
  expect(link.connection).toBe("lost");
  server.isReachable = true;
  link.push(recordOf(11));
  link.stop();
  await told.over;
  expect(first).toEqual(upTo(10));
  expect(server.received).toEqual([10, 11]);
  expect(told.words).toEqual(["broken off: take.journal", "saved"]);
});

test("unacknowledged records survive a server restart", async () => {
  const { server, told, link } = await connected();
  link.push(recordOf(0));
  server.acknowledges = false;
  link.push(recordOf(1));
  link.push(recordOf(2));
  server.cutAll();
  await expect.poll(() => link.connection).toBe("connected");
  // It said that it has three, of which a journal has one.
  expect([server.received, link.unacknowledged]).toEqual([[0, 1, 2], 2]);
  server.takes.clear();
  server.cutAll();
  link.stop();
  await told.over;
  expect(server.received).toEqual([1, 2]);
  expect(told.words).toEqual(["broken off: take.journal", "saved"]);
});

test("records that the server has saved are not repeated in the next take", async () => {
  const { server, told, link } = await connected();
  server.acknowledges = false;
  link.push(recordOf(0));
  link.push(recordOf(1));
  server.cutAll();
  server.ended.add(link.takeId);
  link.push(recordOf(2));
  await expect.poll(() => told.words).toEqual(["broken off: null"]);
  link.push(recordOf(3));
  const isThird = (record: Uint8Array) => record.length === recordOf(2).length;
  expect([link.countUnacknowledged(isThird), link.countUnacknowledged(() => true)]).toEqual([1, 2]);
  link.stop();
  await told.over;
  expect([...server.takes.values()]).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(told.words).toEqual(["broken off: null", "saved"]);
});

test("a continued take retries while the server is busy", async () => {
  const { server, told, link } = await connected();
  link.push(recordOf(0));
  server.takes.clear();
  server.cutAll();
  link.push(recordOf(1));
  await expect.poll(() => told.words).toEqual(["broken off: take.journal"]);
  server.refusal = { code: "busy", error: "eight takes are being recorded already" };
  const before = server.sockets.length;
  await expect.poll(() => server.sockets.length).toBeGreaterThan(before + 1);
  server.refusal = null;
  link.stop();
  await told.over;
  expect(told.words).toEqual(["broken off: take.journal", "saved"]);
  expect(server.received).toEqual([1]);
});

test("an unsaved take is reported when the restarted server does not know it", async () => {
  const { server, told, link } = await connected();
  link.push(recordOf(0));
  server.takes.clear();
  server.cutAll();
  link.stop();
  await told.over;
  expect(told.words).toEqual([expect.stringContaining("holotape repair take.journal")]);
});

test("stop is repeated if its reply is lost", async () => {
  const server = new FakeServer();
  server.breaksWhenSaved = true;
  const told = new Told();
  const link = new TakeUplink(server.open, told);
  await pause(5);
  link.push(recordOf(0));
  link.stop();
  await told.over;
  expect(server.saved).toEqual([link.takeId, link.takeId]);
  expect(server.received).toEqual([0]);
});

test("stop is repeated if it does not arrive", async () => {
  const { server, told, link } = await connected();
  link.push(recordOf(0));
  server.cutAll();
  link.stop();
  expect(server.saved).toEqual([]);
  await told.over;
  expect(server.received).toEqual([0]);
  expect(told.words).toEqual(["saved"]);
});

test("a rejected first hello fails with the server's message", async () => {
  const server = new FakeServer();
  server.refusal = { code: "busy", error: "eight takes are being recorded already" };
  const told = new Told();
  new TakeUplink(server.open, told);
  await told.over;
  expect(told.words).toEqual(["failed: eight takes are being recorded already"]);
});

test("a reconnecting uplink retries while the old connection counts as live", async () => {
  const { server, told, link } = await connected();
  link.push(recordOf(0));
  server.refusal = { code: "busy", error: "this take is recorded over another connection" };
  server.cutAll();
  await pause(400);
  server.refusal = null;
  link.push(recordOf(1));
  link.stop();
  await told.over;
  expect(told.words).toEqual(["saved"]);
  expect(server.received).toEqual([0, 1]);
});

test("the uplink limits the data in the socket buffer", async () => {
  const { server, link } = await connected();
  const [socket] = server.sockets;
  if (socket !== undefined) {
    socket.bufferedAmount = 1 << 21;
  }
  link.push(recordOf(0));
  expect(server.received).toEqual([]);
  if (socket !== undefined) {
    socket.bufferedAmount = 0;
  }
  await expect.poll(() => server.received).toEqual([0]);
  link.discard();
});

test("push rejects records when the buffer is full", async () => {
  const server = new FakeServer();
  server.isReachable = false;
  const link = new TakeUplink(server.open, new Told());
  expect(link.push(new Uint8Array(MAX_BUFFERED_RECORD_BYTES + 1))).toBe(false);
  expect(link.push(recordOf(0))).toBe(true);
  server.isReachable = true;
  link.discard();
});

test("a take unknown to the server is discarded immediately", async () => {
  const server = new FakeServer();
  server.isReachable = false;
  const told = new Told();
  const link = new TakeUplink(server.open, told);
  link.push(recordOf(0));
  link.stop();
  await pause(300);
  expect(told.words).toEqual([]);
  link.discard();
  expect(told.words).toEqual(["discarded"]);
});

test("a take without a connection is discarded immediately", async () => {
  const server = new FakeServer();
  const [before, after] = [new Told(), new Told()];
  const link = new TakeUplink(server.open, before);
  await pause(5);
  link.push(recordOf(0));
  server.isReachable = false;
  server.cutAll();
  link.discard();
  expect(before.words).toEqual(["discarded here"]);
  server.isReachable = true;
  server.breaksWhenDiscarded = true;
  const other = new TakeUplink(server.open, after);
  await pause(5);
  other.push(recordOf(0));
  other.discard();
  expect(after.words).toEqual(["discarded here"]);
});

test("reconnect advice appears after 5 s without a connection over https", () => {
  const lost = { ...STARTING, connection: "lost", lostSecs: 6 } as const;
  expect(reconnectAdvice(lost, true)).toContain("type the new code");
  expect(reconnectAdvice(lost, false)).toBe("");
  expect(reconnectAdvice({ ...lost, lostSecs: 1 }, true)).toBe("");
  expect(reconnectAdvice({ ...lost, connection: "connected" }, true)).toBe("");
});

test("the lost time counts from the first disconnect until the reconnect", async () => {
  const { server, link } = await connected();
  expect(link.lostSecs).toBe(0);
  server.isReachable = false;
  server.cutAll();
  await expect.poll(() => server.sockets.length).toBeGreaterThan(3);
  expect(link.lostSecs).toBeGreaterThan(1.5);
  server.isReachable = true;
  await expect.poll(() => link.lostSecs).toBe(0);
  link.discard();
});

test("the send buffer returns the records pushed into it", () => {
  const backlog = new SendBuffer();
  const lengths = upTo(5000).map((number) => recordOf(number).length);
  for (const number of upTo(5000)) {
    backlog.push(recordOf(number));
  }
  backlog.dropBefore(1234);
  expect(backlog.at(1233)).toBeNull();
  expect(backlog.at(5000)).toBeNull();
  const isOther = (number: number) => Buffer.compare(backlog.at(number) ?? Buffer.of(), recordOf(number)) !== 0;
  expect(upTo(5000).filter((number) => number >= 1234 && isOther(number))).toEqual([]);
  expect(backlog.byteLength).toBe(lengths.slice(1234).reduce((sum, length) => sum + length, 0));
  backlog.renumber();
  expect(backlog.at(0)).toEqual(recordOf(1234));
  backlog.push(recordOf(7));
  expect(backlog.at(3766)).toEqual(recordOf(7));
  backlog.dropBefore(1e9);
  expect([backlog.length, backlog.byteLength]).toEqual([0, 0]);
});
