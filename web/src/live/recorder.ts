/** Recording, as people do it: one press starts, one stops, and the take is there. */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type App, errorMessage } from "../app";
import { formatCount } from "../number-format";
import { ActiveTake, type ActiveTakeListener, type EndReason } from "./active-take";
import { HeadsetUi } from "./headset-ui";
import type { PanelButton, PanelText } from "./headset-ui/panel-canvas";
import { type SavedTake, socketAddress } from "./messages";
import { type Phase, panelTextFor, STARTING, type TakeStatus } from "./status";
import { followSupport, startSession, type XrMode, type XrSupport } from "./xr-support";

const REFRESH_MS = 250;
const DISCARDED_LOCALLY =
  "The take was discarded here, without a connection: what holotape has of it, it saves when two minutes are over.";

export class HeadsetRecorder {
  readonly support: ReadonlySignal<XrSupport> = followSupport();
  /** Nothing while nothing is recorded. */
  readonly status: Signal<TakeStatus | null> = signal(null);
  /** Takes that this page records, or has recorded. */
  readonly ownTakes: Signal<ReadonlySet<string>> = signal(new Set());
  /** Counts frames that were sent, for tests. */
  frameCount = 0;
  private readonly currentPanelText: ReadonlySignal<PanelText> = computed(() =>
    panelTextFor(this.status.value ?? STARTING),
  );
  private take: ActiveTake | null = null;
  /** The session of the take, and whether it is still to be ended. */
  private session: XRSession | null = null;
  private isInSession = false;
  private refreshedMs = 0;
  private headsetUi: HeadsetUi | null = null;
  private timer: number | undefined;
  private phase: Phase = "starting";

  constructor(private readonly app: App) {
    window.addEventListener("beforeunload", (event) => {
      if (this.status.value !== null && this.phase !== "discarding") {
        event.preventDefault();
      }
    });
  }

  /** Starts the headset's session and a take; tells why, if that cannot be. */
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
    try {
      await this.begin(support.mode);
    } catch (error) {
      this.app.notify(`Nothing is recorded: ${errorMessage(error)}`, "error");
      this.discard();
      this.finish();
    }
  }

  /** Sets a marker now; one that only has a number if it has no name. */
  addMarker(name = ""): void {
    const message = name.trim();
    this.take?.addMarker(message === "" ? undefined : message);
    this.refresh();
  }

  stop(): void {
    this.end("saving");
    this.take?.uplink.stop();
  }

  discard(): void {
    this.end("discarding");
    this.take?.uplink.discard();
  }

  /** What the headset is shown, for tests. */
  get headsetCanvas(): HTMLCanvasElement | null {
    return this.headsetUi?.canvas ?? null;
  }

  private async begin(mode: XrMode): Promise<void> {
    // Without a graphics card there is nothing to start a session for.
    this.headsetUi ??= new HeadsetUi((button) => this.press(button));
    const session = await startSession(mode);
    this.session = session;
    this.isInSession = true;
    this.frameCount = 0;
    const open = () => new WebSocket(socketAddress("live/record"));
    const take = new ActiveTake(session, this.headsetUi, open, this.listenerOf(session), () => this.panelText());
    this.take = take;
    this.timer = window.setInterval(() => this.refresh(), REFRESH_MS);
    this.refresh();
    await take.start();
    this.phase = this.phase === "starting" ? "recording" : this.phase;
    this.refresh();
  }

  /** What a take tells that was given up is of no interest: its session is not the current one. */
  private listenerOf(session: XRSession): ActiveTakeListener {
    const ifCurrent = (what: () => void) => {
      if (this.session === session) {
        what();
      }
    };
    return {
      saved: (saved) => ifCurrent(() => void this.saved(saved)),
      discarded: (isAway) => ifCurrent(() => this.finish(isAway ? DISCARDED_LOCALLY : "The take was discarded.")),
      takeSplit: (message, journal) => ifCurrent(() => this.takeSplit(message, journal)),
      warned: (message) => ifCurrent(() => this.app.notify(message, "error")),
      failed: (message) => ifCurrent(() => this.failed(message)),
      ended: (why) => ifCurrent(() => this.ended(why)),
    };
  }

  /** For the panel. In a headset, timers of the page may run late; frames do not. */
  private panelText(): PanelText {
    if (performance.now() - this.refreshedMs > REFRESH_MS) {
      this.refresh();
    }
    return this.currentPanelText.value;
  }

  private press(button: PanelButton): void {
    if (button === "marker") {
      this.addMarker();
    } else {
      this.stop();
    }
  }

  private ended(why: EndReason): void {
    if (why === "no room" && this.phase === "recording") {
      const message = "holotape has been away for so long that the browser has no room for more: the take ends here.";
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
      // One that is over already says so.
      void this.session?.end().catch(() => {});
    }
    this.refresh();
  }

  private async saved({ id, name, frames, losses }: SavedTake): Promise<void> {
    const isAsked = this.phase === "saving" || this.phase === "discarding";
    const framesBefore = this.take?.framesInEarlierTakes ?? 0;
    this.end("saving");
    const missing = this.frameCount - framesBefore - frames;
    const { takesFolder } = this.app.state.viewer;
    this.finish(`Saved as ${name}${takesFolder ? ` in ${takesFolder}` : ""}: ${formatCount(frames, "frame")}.`);
    if (!isAsked) {
      // It was ended, or the take became too large for it.
      const rest = missing > 0 ? ` ${formatCount(missing, "frame")} that came later are not in it.` : "";
      this.app.notify(`holotape has ended the take by itself.${rest}`, "error");
    }
    for (const loss of losses) {
      this.app.notify(`${name}: ${loss}`);
    }
    if (id === undefined) {
      this.app.notify(`${name} is saved, but too many recordings are open to show it.`);
    } else {
      await this.app.showSavedTake(id, true);
    }
  }

  private takeSplit(message: string, journal: string | null): void {
    const anew = `holotape was started anew. The first part is in a journal: holotape repair ${journal} part.bin`;
    this.app.notify(`The take goes on as another: ${journal === null ? message : anew}.`, "error");
  }

  private failed(message: string): void {
    this.end("discarding");
    this.finish();
    this.app.notify(`The recording broke off: ${message}`, "error");
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
    };
  }
}
