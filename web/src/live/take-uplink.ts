/**
 * The way of records to the server: none is lost and none is there twice, however often the connection is. What is not acknowledged is
 * kept and sent again.
 */

import { parseMessage, type Ready, type RecorderMessage } from "./messages";
import { SendBuffer } from "./send-buffer";
import { type Connection, journalName, newTakeId, type Socket, type UplinkListener } from "./uplink-types";

const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 2_000;
/** More than this is not given to the browser at once: what a connection cannot take stays where it can be sent again. */
const MAX_SOCKET_BUFFER_BYTES = 1 << 20;
/** Whoever gets records acknowledges them once a second: one that says nothing for so long is gone, whatever the browser believes. */
const REPLY_TIMEOUT_MS = 5_000;
const TICK_MS = 100;
/** About an hour of frames. A page that keeps more may be ended by the browser, and then all of it is lost. */
export const MAX_BUFFERED_RECORD_BYTES = 1 << 29;

export class TakeUplink {
  private readonly sendBuffer = new SendBuffer();
  private socket: Socket | null = null;
  private take = newTakeId();
  private goal: "record" | "stop" | "discard" | "over" = "record";
  /** The number of the next record to send over this connection; nothing before the server is ready. */
  private next: number | null = null;
  /** How many records the server said to have when it was ready, over this connection. They need not be in its journal. */
  private serverRecords = 0;
  /** Whether any server was ever ready: what it then says is no reason to give up frames that nobody else has. */
  private wasReady = false;
  private hasSentGoal = false;
  /** Whether something is wrong with the server, so that it may have stopped to acknowledge. */
  private hasWarned = false;
  private waitMs = MIN_BACKOFF_MS;
  private reconnectAt: number | null = null;
  private lastReceivedAt = 0;
  private lostAt = 0;
  private readonly timer: ReturnType<typeof setInterval>;
  connection: Connection = "connecting";
  /** What the take will be saved as, once the server has said so. */
  name: string | null = null;

  constructor(
    private readonly open: () => Socket,
    private readonly listener: UplinkListener,
  ) {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.connect();
  }

  get takeId(): string {
    return this.take;
  }

  /** How many records nobody has acknowledged. */
  get unacknowledged(): number {
    return this.sendBuffer.length;
  }

  /** For how long there has been no connection; 0 while there is one. */
  get lostSecs(): number {
    return this.connection === "lost" ? (Date.now() - this.lostAt) / 1000 : 0;
  }

  get bufferedBytes(): number {
    return this.sendBuffer.byteLength;
  }

  /** How many of them are of some kind. */
  countUnacknowledged(isOfKind: (record: Uint8Array) => boolean): number {
    let count = 0;
    for (let number = this.sendBuffer.first; number < this.sendBuffer.end; number++) {
      const record = this.sendBuffer.at(number);
      count += record !== null && isOfKind(record) ? 1 : 0;
    }
    return count;
  }

  /** Takes a record, whose bytes may be used again; whether there was room for it. */
  push(record: Uint8Array): boolean {
    if (this.goal !== "record" || this.sendBuffer.byteLength + record.length > MAX_BUFFERED_RECORD_BYTES) {
      return false;
    }
    this.sendBuffer.push(record);
    this.flush();
    return true;
  }

  /** Saves the take once all records are there. */
  stop(): void {
    this.requestEnd("stop");
  }

  discard(): void {
    this.requestEnd("discard");
  }

  private requestEnd(goal: "stop" | "discard"): void {
    if (this.goal === "record" || (this.goal === "stop" && goal === "discard")) {
      this.goal = goal;
      this.hasSentGoal = false;
      this.flush();
    }
    if (goal === "discard" && (this.name === null || this.connection === "lost")) {
      this.discardLocally();
    }
  }

  /** Nobody waits for a connection only to throw something away. A server that never named the take has nothing of it. */
  private discardLocally(): void {
    this.finish();
    this.listener.discarded(this.name !== null);
  }

  private connect(): void {
    this.reconnectAt = null;
    this.next = null;
    this.hasSentGoal = false;
    this.lastReceivedAt = Date.now();
    const socket = this.open();
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    // One that was given up may still have something to say.
    const isCurrent = () => this.socket === socket && this.goal !== "over";
    socket.onopen = () => isCurrent() && this.hello(socket);
    socket.onmessage = ({ data }) => {
      const message = parseMessage<RecorderMessage>(data);
      if (isCurrent() && message !== null) {
        this.lastReceivedAt = Date.now();
        this.handleMessage(message);
      }
    };
    socket.onclose = () => isCurrent() && this.scheduleReconnect();
  }

  private hello(socket: Socket): void {
    socket.send(JSON.stringify({ type: "hello", take: this.take, records: this.sendBuffer.first }));
  }

  private handleMessage(message: RecorderMessage): void {
    switch (message.type) {
      case "ready":
        this.handleReady(message);
        break;
      case "received":
        this.sendBuffer.dropBefore(message.records);
        break;
      case "warning":
        this.hasWarned = true;
        this.listener.warned(message.warning);
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
        this.handleError(message.code, message.error);
        break;
    }
  }

  private handleReady({ name, records }: Ready): void {
    if (records < this.sendBuffer.first || records > this.sendBuffer.end) {
      this.fail(`holotape says that it has ${records} records, which cannot be: is another page recording this take?`);
      return;
    }
    // What a server has in memory only is gone with it: that is kept here until it is acknowledged.
    this.name = name;
    this.next = records;
    this.serverRecords = records;
    this.wasReady = true;
    this.waitMs = MIN_BACKOFF_MS;
    this.connection = "connected";
    this.flush();
  }

  private handleError(code: string, text: string): void {
    if (code === "unknown-take" || code === "gap") {
      this.continueAsNewTake(text);
    } else if (code === "busy" && this.wasReady) {
      // The connection that was lost is still alive for the server, which will find out; or others record, who will have done so.
      this.scheduleReconnect();
    } else {
      this.fail(text);
    }
  }

  private continueAsNewTake(text: string): void {
    // A server that was ready knows the take, and what it said to have is saved; one that was not was started anew, and nobody knows
    // what has come as far as its journal. Rather there twice than lost.
    const journal = this.next === null ? journalName(this.name) : null;
    if (this.next !== null) {
      this.sendBuffer.dropBefore(this.serverRecords);
    }
    this.sendBuffer.renumber();
    const isAllAcknowledged = this.sendBuffer.length === 0 && this.goal !== "record";
    if (isAllAcknowledged) {
      this.fail(
        journal === null
          ? text
          : `holotape was started anew. The take is in a journal: holotape repair ${journal} take.bin`,
      );
      return;
    }
    this.listener.takeSplit(text, journal);
    this.take = newTakeId();
    this.name = null;
    this.hasWarned = false;
    this.scheduleReconnect();
  }

  /** Sends what there is to send, as far as the connection takes it. */
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
      // Silence counts from when there is something to acknowledge.
      this.lastReceivedAt = Date.now();
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
    this.lastReceivedAt = Date.now();
    socket.send(JSON.stringify({ type: this.goal }));
  }

  private tick(): void {
    const now = Date.now();
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

  /** Making curves of a long take and writing them takes seconds, in which nothing is said; without a journal nothing is at all. */
  private get replyTimeoutMs(): number {
    return this.hasSentGoal || this.hasWarned ? 12 * REPLY_TIMEOUT_MS : REPLY_TIMEOUT_MS;
  }

  /** Connects again after a while: at once would only keep a server busy that has other worries. */
  private scheduleReconnect(): void {
    if (this.goal === "discard") {
      this.discardLocally();
      return;
    }
    this.closeSocket();
    this.lostAt = this.connection === "lost" ? this.lostAt : Date.now();
    this.connection = "lost";
    this.reconnectAt = Date.now() + this.waitMs;
    this.waitMs = Math.min(2 * this.waitMs, MAX_BACKOFF_MS);
  }

  private closeSocket(): void {
    const { socket } = this;
    this.socket = null;
    this.next = null;
    socket?.close();
  }

  private fail(text: string): void {
    this.finish();
    this.listener.failed(text);
  }

  private finish(): void {
    this.goal = "over";
    clearInterval(this.timer);
    this.closeSocket();
  }
}
