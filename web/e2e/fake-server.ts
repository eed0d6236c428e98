/** An in-memory server and a clock for `TakeUplink`, and a listener that records events. */

import type { ErrorCode, ServerMessage } from "../src/api";
import type { Clock, Socket, UplinkListener } from "../src/live/uplink-types";

interface Timer {
  atMs: number;
  readonly periodMs: number | null;
  readonly callback: () => void;
}

/** A clock that only `advance` moves. */
export class FakeClock implements Clock {
  private readonly timers = new Set<Timer>();
  private nowMs = 0;

  now(): number {
    return this.nowMs;
  }

  every(periodMs: number, callback: () => void): () => void {
    return this.add({ atMs: this.nowMs + periodMs, periodMs, callback });
  }

  after(delayMs: number, callback: () => void): void {
    this.add({ atMs: this.nowMs + delayMs, periodMs: null, callback });
  }

  /** Moves the clock and runs all timers in order. */
  advance(byMs: number): void {
    const endMs = this.nowMs + byMs;
    for (let timer = this.nextTimer(endMs); timer !== undefined; timer = this.nextTimer(endMs)) {
      this.nowMs = timer.atMs;
      if (timer.periodMs === null) {
        this.timers.delete(timer);
      } else {
        timer.atMs += timer.periodMs;
      }
      timer.callback();
    }
    this.nowMs = endMs;
  }

  private add(timer: Timer): () => void {
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  private nextTimer(endMs: number): Timer | undefined {
    const [next] = [...this.timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
    return next;
  }
}

/** Implements the recording protocol of `docs/stream.md`. */
export class FakeServer {
  readonly takes = new Map<string, number[]>();
  readonly sockets: FakeSocket[] = [];
  readonly saved: string[] = [];
  /** Takes that the server ended and saved; it rejects more records for them. */
  readonly savedTakes = new Set<string>();
  isReachable = true;
  /** Whether records are acknowledged when received. */
  acknowledges = true;
  /** Disconnects once after saving a take, before it replies. */
  disconnectsOnSave = false;
  /** Disconnects before it discards a take. */
  disconnectsOnDiscard = false;
  /** The error that rejects `hello` messages, if set. */
  helloError: { readonly code: ErrorCode; readonly message: string } | null = null;

  /** `defer` calls a function later. */
  constructor(private readonly defer: (callback: () => void) => void) {}

  open = (): Socket => {
    const socket = new FakeSocket(this);
    this.sockets.push(socket);
    this.defer(() => (this.isReachable ? socket.onopen?.(new Event("open")) : socket.disconnect()));
    return socket;
  };

  /** All received records, take by take. */
  get received(): number[] {
    return [...this.takes.values()].flat();
  }

  disconnectAll(): void {
    for (const socket of this.sockets) {
      socket.disconnect();
    }
  }
}

class FakeSocket implements Socket {
  binaryType: BinaryType = "blob";
  bufferedAmount = 0;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  private take = "";
  private isOpen = true;

  constructor(private readonly server: FakeServer) {}

  send(data: string | ArrayBufferView<ArrayBuffer>): void {
    if (!this.isOpen) {
      return;
    }
    if (typeof data === "string") {
      this.receive(JSON.parse(data));
    } else if (this.server.savedTakes.has(this.take)) {
      this.reply({ type: "error", code: "unknown-take", message: "the take has ended and is saved as take.bin" });
      this.disconnect();
    } else {
      const records = this.server.takes.get(this.take) ?? [];
      records.push(new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0, true));
      if (this.server.acknowledges) {
        this.reply({ type: "ack", record_count: records.length });
      }
    }
  }

  close(): void {
    this.isOpen = false;
  }

  disconnect(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.onclose?.(new Event("close") as CloseEvent);
    }
  }

  private receive(message: { type: string; take_id: string; acked_records: number }): void {
    const { takes, helloError, saved } = this.server;
    if (message.type === "hello") {
      this.take = message.take_id;
      const known = takes.get(message.take_id);
      if (helloError !== null || (known === undefined && message.acked_records > 0)) {
        const unknown = { code: "unknown-take", message: "no such take" } as const;
        this.reply({ type: "error", ...(helloError ?? unknown) });
        this.disconnect();
        return;
      }
      takes.set(message.take_id, known ?? []);
      this.reply({ type: "ready", take_id: message.take_id, name: "take.bin", record_count: known?.length ?? 0 });
    } else if (message.type === "stop") {
      saved.push(this.take);
      const { take } = this;
      if (this.server.disconnectsOnSave) {
        this.server.disconnectsOnSave = false;
        this.disconnect();
        return;
      }
      const frames = takes.get(take)?.length ?? 0;
      this.reply({
        type: "saved",
        take_id: take,
        name: "take.bin",
        frame_count: frames,
        marker_count: 0,
        duration_secs: 1,
        losses: [],
        recording_id: 1,
      });
    } else if (this.server.disconnectsOnDiscard) {
      this.disconnect();
    } else {
      takes.delete(this.take);
      this.reply({ type: "discarded", take_id: this.take });
    }
  }

  private reply(message: ServerMessage): void {
    if (this.isOpen) {
      this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(message) }));
    }
  }
}

/** Records the events of an uplink. */
export class UplinkEvents implements UplinkListener {
  readonly messages: string[] = [];
  readonly ended: Promise<void>;
  private end = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  saved(): void {
    this.record("saved");
  }

  discarded(isOffline: boolean): void {
    this.record(isOffline ? "discarded offline" : "discarded");
  }

  failed(message: string, journal: string | null): void {
    this.record(journal === null ? `failed: ${message}` : `failed; in ${journal}`);
  }

  takeSplit(_: string, journal: string | null): void {
    this.messages.push(`split: ${journal}`);
  }

  warned(message: string): void {
    this.messages.push(message);
  }

  private record(message: string): void {
    this.messages.push(message);
    this.end();
  }
}
