/** Takes of other clients: listed, watched live, and opened once saved. */

import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { LiveTakeInfo } from "../api";
import type { App } from "../app";
import type { SceneRecording } from "../state";
import { parseMessage, socketAddress } from "./messages";
import { LiveMotion } from "./motion";
import { decodeFrame } from "./records";

const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 10_000;

/** Live takes have no spans yet. */
const UNTRACKED = { tracked: [] };

export class Watcher {
  /** Live takes of other clients. */
  readonly takes: ReadonlySignal<readonly LiveTakeInfo[]>;
  /** Ids of takes that the user does not watch. */
  readonly hidden: Signal<ReadonlySet<string>> = signal(new Set());
  private readonly allTakes: Signal<readonly LiveTakeInfo[]> = signal([]);
  /** Functions that stop watching, by take id. */
  private readonly watched = new Map<string, () => void>();
  private count = 0;

  /** `ownTakes` are the ids of takes that this page records. */
  constructor(
    private readonly app: App,
    private readonly ownTakes: ReadonlySignal<ReadonlySet<string>>,
  ) {
    this.takes = computed(() => this.allTakes.value.filter(({ take_id }) => !this.ownTakes.value.has(take_id)));
    connectWithRetry("live", undefined, (socket) => this.listen(socket));
    effect(() => this.setWatched(this.takes.value.filter(({ take_id }) => !this.hidden.value.has(take_id))));
  }

  setHidden(take: string, isHidden: boolean): void {
    const others = [...this.hidden.value].filter((other) => other !== take);
    this.hidden.value = new Set(isHidden ? [...others, take] : others);
  }

  private listen(socket: WebSocket): void {
    socket.onmessage = ({ data }) => {
      const message = parseMessage("LiveMessage", data);
      if (message?.type === "live") {
        this.allTakes.value = message.takes;
      } else if (message?.type === "saved" && message.recording_id !== null) {
        this.showSaved(message.take_id, message.recording_id);
      }
    };
    socket.addEventListener("close", () => {
      this.allTakes.value = [];
    });
  }

  /** Opens a saved take. If it was watched, shows it instead of the other recordings. */
  private showSaved(take: string, id: number): void {
    void this.app.showSavedTake(id, this.watched.has(take));
  }

  private setWatched(wanted: readonly LiveTakeInfo[]): void {
    for (const [take, stop] of this.watched) {
      if (!wanted.some((info) => info.take_id === take)) {
        stop();
        this.watched.delete(take);
      }
    }
    for (const info of wanted) {
      if (!this.watched.has(info.take_id)) {
        this.watched.set(info.take_id, this.watch(info));
      }
    }
  }

  /** Watches a take: adds it to the scene with its first frame. Returns a function that stops. */
  private watch({ take_id, name, duration_secs }: LiveTakeInfo): () => void {
    const motion = new LiveMotion();
    this.count += 1;
    const sceneTake: SceneRecording = {
      // Negative, because open recordings have positive ids.
      info: { id: -this.count, name, duration_secs, left: UNTRACKED, right: UNTRACKED },
      sampler: motion,
      colorIndex: this.count - 1,
      offsetSecs: 0,
      live: motion,
    };
    const disconnect = connectWithRetry(`live/${take_id}`, "holotape.binary", (socket) => {
      socket.onmessage = ({ data }) => {
        const frame = data instanceof ArrayBuffer ? decodeFrame(data) : null;
        if (frame !== null) {
          motion.push(frame);
          this.app.showLiveFrame(sceneTake);
        }
      };
    });
    return () => {
      disconnect();
      this.app.removeLiveTake(sceneTake);
    };
  }
}

/** Keeps a WebSocket connected, with exponential back-off. Returns a function that closes it. */
function connectWithRetry(path: string, protocol: string | undefined, listen: (socket: WebSocket) => void): () => void {
  let waitMs = MIN_BACKOFF_MS;
  let timer: number | undefined;
  let socket: WebSocket | null = null;
  const connect = () => {
    socket = new WebSocket(socketAddress(path), protocol);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      waitMs = MIN_BACKOFF_MS;
    });
    listen(socket);
    socket.addEventListener("close", reconnect);
  };
  const reconnect = () => {
    timer = window.setTimeout(connect, waitMs);
    waitMs = Math.min(2 * waitMs, MAX_BACKOFF_MS);
  };
  connect();
  return () => {
    clearTimeout(timer);
    socket?.removeEventListener("close", reconnect);
    socket?.close();
  };
}
