/**
 * Sends the records of a take to the server. Each record arrives exactly once, whatever happens to the connection: records are buffered
 * until the server acknowledges them, and sent again after a reconnect.
 */

import type { ClientMessage, ErrorCode, ServerMessage } from "../api";
import { journalName } from "./journal";
import { parseMessage, type Ready } from "./messages";
import { SendBuffer } from "./send-buffer";
import { type Clock, type Connection, newTakeId, type Socket, SYSTEM_CLOCK, type UplinkListener } from "./uplink-types";

const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 2_000;
/** The limit for data in the socket's own buffer, which cannot be sent again after a reconnect. */
const MAX_SOCKET_BUFFER_BYTES = 1 << 20;
/** The server acknowledges records every second. Without any message for this long, the connection is treated as lost. */
const REPLY_TIMEOUT_MS = 5_000;
const TICK_MS = 100;
/** About one hour of frames. If a page used more memory, the browser might end it and lose everything. */
export const MAX_BUFFERED_RECORD_BYTES = 1 << 29;

export class TakeUplink {
  private readonly sendBuffer = new SendBuffer();
  private socket: Socket | null = null;
  private take = newTakeId();
  private goal: "record" | "stop" | "discard" | "ended" = "record";
  /** The number of the next record to send; `null` until the server is ready. */
  private next: number | null = null;
  /** The record count that the server reported when it became ready. These records may not be in its journal yet. */
  private serverRecords = 0;
  /** Whether a server has ever been ready. From then on, `busy` errors do not end the take, whose frames exist only here. */
  private wasReady = false;
  private hasSentGoal = false;
  /** Whether the server has sent a warning, after which acknowledgements can stop. */
  private hasWarned = false;
  private waitMs = MIN_BACKOFF_MS;
  private reconnectAt: number | null = null;
  private lastReceivedAt = 0;
  private lostAt = 0;
  private readonly stopTimer: () => void;
  connection: Connection = "connecting";
  /** The name that the take will be saved as, once the server has sent it. */
  name: string | null = null;

  /** Without a requested name, the server chooses one. */
  constructor(
    private readonly open: () => Socket,
    private readonly listener: UplinkListener,
    private readonly requestedName: string | null = null,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    this.stopTimer = clock.every(TICK_MS, () => this.tick());
    this.connect();
  }

  get takeId(): string {
    return this.take;
  }

  get unacknowledged(): number {
    return this.sendBuffer.length;
  }

  /** How long the connection has been lost; 0 while connected. */
  get lostSecs(): number {
    return this.connection === "lost" ? (this.clock.now() - this.lostAt) / 1000 : 0;
  }

  get bufferedBytes(): number {
    return this.sendBuffer.byteLength;
  }

  /** Counts unacknowledged records that match a predicate. */
  countUnacknowledged(isOfKind: (record: Uint8Array) => boolean): number {
    let count = 0;
    for (let number = this.sendBuffer.first; number < this.sendBuffer.end; number++) {
      const record = this.sendBuffer.at(number);
      count += record !== null && isOfKind(record) ? 1 : 0;
    }
    return count;
  }

  /** Buffers a copy of a record. Returns false if the take has ended or the buffer is full. */
  push(record: Uint8Array): boolean {
    if (this.goal !== "record" || this.sendBuffer.byteLength + record.length > MAX_BUFFERED_RECORD_BYTES) {
      return false;
    }
    this.sendBuffer.push(record);
    this.flush();
    return true;
  }

  /** Saves the take once all records are sent, or discards it. */
  end(goal: "stop" | "discard"): void {
    if (this.goal === "record" || (this.goal === "stop" && goal === "discard")) {
      this.goal = goal;
      this.hasSentGoal = false;
      this.flush();
    }
    if (goal === "discard" && (this.name === null || this.connection === "lost")) {
      this.discardLocally();
    }
  }

  /** Discards without a connection: a server that has not named the take has no records of it. */
  private discardLocally(): void {
    this.finish();
    this.listener.discarded(this.name !== null);
  }

  private connect(): void {
    this.reconnectAt = null;
    this.next = null;
    this.hasSentGoal = false;
    this.lastReceivedAt = this.clock.now();
    const socket = this.open();
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    // A replaced socket can still deliver events.
    const isCurrent = () => this.socket === socket && this.goal !== "ended";
    socket.onopen = () => isCurrent() && this.hello(socket);
    socket.onmessage = ({ data }) => {
      const message = parseMessage("ServerMessage", data);
      if (isCurrent() && message !== null) {
        this.lastReceivedAt = this.clock.now();
        this.handleMessage(message);
      }
    };
    socket.onclose = () => isCurrent() && this.scheduleReconnect();
  }

  private hello(socket: Socket): void {
    const { take: take_id, requestedName: name } = this;
    const hello: ClientMessage = { type: "hello", take_id, acked_records: this.sendBuffer.first, name };
    socket.send(JSON.stringify(hello));
  }

  private handleMessage(message: ServerMessage): void {
    switch (message.type) {
      case "ready":
        this.handleReady(message);
        break;
      case "ack":
        this.sendBuffer.dropBefore(message.record_count);
        break;
      case "warning":
        this.hasWarned = true;
        this.listener.warned(message.message);
        break;
      case "saved":
        this.finish();
        this.listener.saved(message);
        break;
      case "discarded":
        this.finish();
        this.listener.discarded(false);
        break;
      case "error":
        this.handleError(message.code, message.message);
        break;
    }
  }

  private handleReady({ name, record_count: records }: Ready): void {
    if (records < this.sendBuffer.first || records > this.sendBuffer.end) {
      this.fail(
        `server reports ${records} records, which does not match this take; check that no other page records it`,
      );
      return;
    }
    // Acknowledged records only: others are lost if the server crashes.
    this.name = name;
    this.next = records;
    this.serverRecords = records;
    this.wasReady = true;
    this.waitMs = MIN_BACKOFF_MS;
    this.connection = "connected";
    this.flush();
  }

  private handleError(code: ErrorCode, message: string): void {
    if (code === "unknown-take" || code === "missing-records") {
      this.continueAsNewTake(message);
    } else if (code === "busy" && this.wasReady) {
      // The server has not noticed yet that the old connection is lost, or another client is recording.
      this.scheduleReconnect();
    } else {
      this.fail(message);
    }
  }

  private continueAsNewTake(message: string): void {
    // A server that was ready knows the take and saves the records it reported. One that was not has been restarted, and its journal is
    // unknown: send everything again, because a duplicate is better than a loss.
    const journal = this.next === null ? journalName(this.name) : null;
    if (this.next !== null) {
      this.sendBuffer.dropBefore(this.serverRecords);
    }
    this.sendBuffer.renumber();
    const isAllAcknowledged = this.sendBuffer.length === 0 && this.goal !== "record";
    if (isAllAcknowledged) {
      this.fail(message, journal);
      return;
    }
    this.listener.takeSplit(message, journal);
    this.take = newTakeId();
    this.name = null;
    this.hasWarned = false;
    this.scheduleReconnect();
  }

  /** Sends as much as the socket's buffer takes. */
  private flush(): void {
    const { socket, sendBuffer } = this;
    if (socket === null || this.next === null || this.hasSentGoal) {
      return;
    }
    if (this.goal === "discard") {
      this.sendGoal(socket);
      return;
    }
    if (this.next === sendBuffer.first) {
      // The timeout starts when there is something to acknowledge.
      this.lastReceivedAt = this.clock.now();
    }
    while (this.next < sendBuffer.end && socket.bufferedAmount < MAX_SOCKET_BUFFER_BYTES) {
      const record = sendBuffer.at(this.next);
      if (record !== null) {
        socket.send(record as Uint8Array<ArrayBuffer>);
      }
      this.next += 1;
    }
    if (this.goal === "stop" && this.next === sendBuffer.end) {
      this.sendGoal(socket);
    }
  }

  private sendGoal(socket: Socket): void {
    this.hasSentGoal = true;
    this.lastReceivedAt = this.clock.now();
    socket.send(JSON.stringify({ type: this.goal }));
  }

  private tick(): void {
    const now = this.clock.now();
    const isAwaitingReply = this.next === null || this.next > this.sendBuffer.first || this.hasSentGoal;
    if (this.reconnectAt !== null) {
      if (now >= this.reconnectAt) {
        this.connect();
      }
    } else if (isAwaitingReply && now - this.lastReceivedAt > this.replyTimeoutMs) {
      this.scheduleReconnect();
    } else {
      this.flush();
    }
  }

  /** Saving a long take takes seconds without messages, and without a journal the server does not acknowledge at all. */
  private get replyTimeoutMs(): number {
    return this.hasSentGoal || this.hasWarned ? 12 * REPLY_TIMEOUT_MS : REPLY_TIMEOUT_MS;
  }

  /** Closes the connection and schedules another one with exponential back-off. */
  private scheduleReconnect(): void {
    if (this.goal === "discard") {
      this.discardLocally();
      return;
    }
    this.closeSocket();
    this.lostAt = this.connection === "lost" ? this.lostAt : this.clock.now();
    this.connection = "lost";
    this.reconnectAt = this.clock.now() + this.waitMs;
    this.waitMs = Math.min(2 * this.waitMs, MAX_BACKOFF_MS);
  }

  private closeSocket(): void {
    const { socket } = this;
    this.socket = null;
    this.next = null;
    socket?.close();
  }

  private fail(message: string, journal: string | null = null): void {
    this.finish();
    this.listener.failed(message, journal);
  }

  private finish(): void {
    this.goal = "ended";
    this.stopTimer();
    this.closeSocket();
  }
}
