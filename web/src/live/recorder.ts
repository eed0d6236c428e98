/** Records takes with the headset: starts the XR session, follows the take, and shows the saved recording. */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { SavedTake } from "../api";
import type { App } from "../app";
import { errorMessage } from "../error-message";
import { formatCount } from "../number-format";
import { ActiveTake, type ActiveTakeListener, type EndReason } from "./active-take";
import { HeadsetUi } from "./headset-ui";
import type { PanelText } from "./headset-ui/panel-canvas";
import { recoverCommand } from "./journal";
import { socketAddress } from "./messages";
import { type Phase, panelTextFor, STARTING, type TakeStatus } from "./status";
import { followSupport, startSession, type XrMode, type XrSupport } from "./xr-support";

const REFRESH_MS = 250;
const DISCARDED_LOCALLY =
  "Take discarded without a connection. The server saves the part that it received after 2 minutes.";

export class HeadsetRecorder {
  readonly support: ReadonlySignal<XrSupport> = followSupport();
  /** `null` while not recording. */
  readonly status: Signal<TakeStatus | null> = signal(null);
  /** Ids of takes that this page records or has recorded. */
  readonly ownTakes: Signal<ReadonlySet<string>> = signal(new Set());
  /** The name of the next take; empty for one that the server chooses. */
  readonly takeName = signal("");
  /** For tests. */
  frameCount = 0;
  private readonly currentPanelText: ReadonlySignal<PanelText> = computed(() =>
    panelTextFor(this.status.value ?? STARTING),
  );
  private take: ActiveTake | null = null;
  /** The XR session of the take. */
  private session: XRSession | null = null;
  private isInSession = false;
  private refreshedMs = 0;
  private headsetUi: HeadsetUi | null = null;
  private timer: number | undefined;
  private phase: Phase = "starting";
  private warning: string | null = null;

  constructor(private readonly app: App) {
    window.addEventListener("beforeunload", (event) => {
      if (this.status.value !== null && this.phase !== "discarding") {
        event.preventDefault();
      }
    });
  }

  /** Starts the XR session and a take, or reports why it cannot. */
  async start(): Promise<void> {
    const support = this.support.value;
    if (this.status.value !== null) {
      return;
    }
    if (support.mode === null) {
      this.app.notify(support.reason, "error");
      return;
    }
    this.status.value = STARTING;
    this.phase = "starting";
    this.warning = null;
    try {
      await this.begin(support.mode);
    } catch (error) {
      this.app.notify(`Recording failed to start: ${errorMessage(error)}`, "error");
      this.discard();
      this.finish();
    }
  }

  /** Adds a marker now. Without a name, the marker gets a number. */
  addMarker(name = ""): void {
    const message = name.trim();
    this.take?.addMarker(message === "" ? undefined : message);
    this.refresh();
  }

  stop(): void {
    this.end("saving");
    this.take?.uplink.end("stop");
  }

  discard(): void {
    this.end("discarding");
    this.take?.uplink.end("discard");
  }

  /** For tests. */
  get headsetCanvas(): HTMLCanvasElement | null {
    return this.headsetUi?.canvas ?? null;
  }

  private async begin(mode: XrMode): Promise<void> {
    // Throws without WebGL, before the headset starts a session.
    this.headsetUi ??= new HeadsetUi((button) => (button === "marker" ? this.addMarker() : this.stop()));
    const session = await startSession(mode);
    this.session = session;
    this.isInSession = true;
    this.frameCount = 0;
    const open = () => new WebSocket(socketAddress("live/record"));
    const panelText = () => this.panelText();
    const name = this.takeName.value.trim() || null;
    const take = new ActiveTake(session, this.headsetUi, open, this.listenerOf(session), panelText, name);
    this.take = take;
    this.timer = window.setInterval(() => this.refresh(), REFRESH_MS);
    this.refresh();
    await take.start();
    this.phase = this.phase === "starting" ? "recording" : this.phase;
    this.refresh();
  }

  /** Ignores events of a take whose session is no longer the current one. */
  private listenerOf(session: XRSession): ActiveTakeListener {
    const ifCurrent = (what: () => void) => {
      if (this.session === session) {
        what();
      }
    };
    return {
      saved: (saved) => ifCurrent(() => void this.saved(saved)),
      discarded: (isOffline) => ifCurrent(() => this.finish(isOffline ? DISCARDED_LOCALLY : "Take discarded.")),
      takeSplit: (message, journal) => ifCurrent(() => this.takeSplit(message, journal)),
      warned: (message) => ifCurrent(() => this.warned(message)),
      failed: (message, journal) => ifCurrent(() => this.failed(message, journal)),
      ended: (reason) => ifCurrent(() => this.ended(reason)),
    };
  }

  /** In a headset, timers of the page can be late, so frames refresh the status as well. */
  private panelText(): PanelText {
    if (performance.now() - this.refreshedMs > REFRESH_MS) {
      this.refresh();
    }
    return this.currentPanelText.value;
  }

  private ended(reason: EndReason): void {
    if (reason === "buffer full" && this.phase === "recording") {
      const message = "Recording stopped: the server was unreachable and the browser's buffer is full.";
      this.app.notify(message, "error");
    }
    if (this.phase !== "discarding") {
      this.stop();
    }
  }

  private end(phase: Phase): void {
    if (this.take === null) {
      return;
    }
    this.phase = phase;
    if (this.isInSession) {
      this.isInSession = false;
      // Fails if the session has already ended.
      void this.session?.end().catch(() => {});
    }
    this.refresh();
  }

  private async saved({ recording_id: id, name, frame_count: frames, losses }: SavedTake): Promise<void> {
    const isRequested = this.phase === "saving" || this.phase === "discarding";
    const framesBefore = this.take?.framesInEarlierTakes ?? 0;
    this.end("saving");
    const missing = this.frameCount - framesBefore - frames;
    const { record_dir } = this.app.state.viewer;
    this.finish(`Saved as ${name}${record_dir ? ` in ${record_dir}` : ""}: ${formatCount(frames, "frame")}.`);
    if (!isRequested) {
      // The server was stopped, or the take reached its maximum size.
      const note = missing > 0 ? ` ${formatCount(missing, "frame")} recorded later are missing.` : "";
      this.app.notify(`The server ended the take.${note}`, "error");
    }
    for (const loss of losses) {
      this.app.notify(`${name}: ${loss}`);
    }
    if (id === undefined || id === null) {
      this.app.notify(`${name} is saved but not shown: too many recordings are open.`);
    } else {
      await this.app.showSavedTake(id, true);
    }
  }

  /** Notices of the page are not visible in the headset. */
  private warned(message: string): void {
    this.warning = message;
    this.app.notify(message, "error");
    this.refresh();
  }

  private takeSplit(message: string, journal: string | null): void {
    const reason = journal === null ? message : this.restartedMessage("the first part", journal, "part.bin");
    this.app.notify(`Recording continues as a new take: ${reason}`, "error");
  }

  private failed(message: string, journal: string | null): void {
    this.end("discarding");
    this.finish();
    const reason = journal === null ? message : this.restartedMessage("the take", journal, "take.bin");
    this.app.notify(`Recording failed: ${reason}`, "error");
  }

  private restartedMessage(part: string, journal: string, out: string): string {
    const command = recoverCommand(this.app.state.viewer.record_dir, journal, out);
    return `the server was restarted; recover ${part} with ${command}`;
  }

  private finish(message?: string): void {
    clearInterval(this.timer);
    this.take = null;
    this.session = null;
    this.status.value = null;
    if (message !== undefined) {
      this.app.notify(message);
    }
  }

  private refresh(): void {
    const { take } = this;
    if (take === null) {
      return;
    }
    const { uplink } = take;
    this.refreshedMs = performance.now();
    this.frameCount = take.frames;
    if (!this.ownTakes.value.has(uplink.takeId)) {
      this.ownTakes.value = new Set([...this.ownTakes.value, uplink.takeId]);
    }
    this.status.value = {
      phase: this.phase === "recording" && take.isPaused ? "paused" : this.phase,
      name: uplink.name,
      secs: take.secs,
      frames: take.frames,
      connection: uplink.connection,
      lostSecs: uplink.lostSecs,
      unacknowledged: uplink.unacknowledged,
      bufferedBytes: uplink.bufferedBytes,
      lastMarker: take.lastMarker,
      warning: this.warning,
    };
  }
}
