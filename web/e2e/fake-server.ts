/** The other side of a link, in memory, and what the link told. */

import type { RecorderMessage } from "../src/live/messages";
import type { Socket, UplinkListener } from "../src/live/uplink-types";

/** The other side, in memory: takes by id, as `docs/stream.md` wants them. */
export class FakeServer {
  readonly takes = new Map<string, number[]>();
  readonly sockets: FakeSocket[] = [];
  readonly saved: string[] = [];
  /** Takes that it saved by itself: nothing more comes into them. */
  readonly ended = new Set<string>();
  isReachable = true;
  /** Whether records are acknowledged when they come. */
  acknowledges = true;
  /** Whether the connection breaks before anybody hears that a take is saved. */
  breaksWhenSaved = false;
  /** Whether it breaks before a take is discarded. */
  breaksWhenDiscarded = false;
  /** What is said to a hello, if it is to be refused. */
  refusal: { readonly code: string; readonly error: string } | null = null;

  open = (): Socket => {
    const socket = new FakeSocket(this);
    this.sockets.push(socket);
    setTimeout(() => (this.isReachable ? socket.onopen?.(new Event("open")) : socket.cut()), 1);
    return socket;
  };

  /** Everything that was received, over all takes, in the order of the takes. */
  get received(): number[] {
    return [...this.takes.values()].flat();
  }

  cutAll(): void {
    for (const socket of this.sockets) {
      socket.cut();
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
      this.hear(JSON.parse(data));
    } else if (this.server.ended.has(this.take)) {
      this.say({ type: "error", code: "unknown-take", error: "the take has ended, and is saved as take.bin" });
      this.cut();
    } else {
      const records = this.server.takes.get(this.take) ?? [];
      records.push(new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0, true));
      if (this.server.acknowledges) {
        this.say({ type: "received", records: records.length });
      }
    }
  }

  close(): void {
    this.isOpen = false;
  }

  cut(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.onclose?.(new Event("close") as CloseEvent);
    }
  }

  private hear(message: { type: string; take: string; records: number }): void {
    const { takes, refusal, saved } = this.server;
    if (message.type === "hello") {
      this.take = message.take;
      const known = takes.get(message.take);
      if (refusal !== null || (known === undefined && message.records > 0)) {
        const unknown = { code: "unknown-take", error: "no such take" };
        this.say({ type: "error", ...(refusal ?? unknown) });
        this.cut();
        return;
      }
      takes.set(message.take, known ?? []);
      this.say({ type: "ready", take: message.take, name: "take.bin", records: known?.length ?? 0 });
    } else if (message.type === "stop") {
      saved.push(this.take);
      const { take } = this;
      if (this.server.breaksWhenSaved) {
        this.server.breaksWhenSaved = false;
        this.cut();
        return;
      }
      const frames = takes.get(take)?.length ?? 0;
      this.say({ type: "saved", take, name: "take.bin", frames, markers: 0, durationSecs: 1, losses: [], id: 1 });
    } else if (this.server.breaksWhenDiscarded) {
      this.cut();
    } else {
      takes.delete(this.take);
      this.say({ type: "discarded", take: this.take });
    }
  }

  private say(message: RecorderMessage): void {
    if (this.isOpen) {
      this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(message) }));
    }
  }
}

/** What a link told. */
export class Told implements UplinkListener {
  readonly words: string[] = [];
  readonly over: Promise<void>;
  private end = () => {};

  constructor() {
    this.over = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  saved(): void {
    this.tell("saved");
  }

  discarded(isAway: boolean): void {
    this.tell(isAway ? "discarded here" : "discarded");
  }

  failed(words: string): void {
    this.tell(`failed: ${words}`);
  }

  takeSplit(_: string, journal: string | null): void {
    this.words.push(`broken off: ${journal}`);
  }

  warned(words: string): void {
    this.words.push(words);
  }

  private tell(words: string): void {
    this.words.push(words);
    this.end();
  }
}
