/** A take that is being recorded: its XR session, the capture of frames, and the uplink to the server. */

import { FrameCapture } from "./capture";
import type { HeadsetUi } from "./headset-ui";
import type { PanelText } from "./headset-ui/panel-canvas";
import { encodeMarker, isFrame } from "./records";
import { preferredSpaceType, StableReferenceSpace } from "./space";
import { TakeUplink } from "./take-uplink";
import type { Socket, UplinkListener } from "./uplink-types";

export interface LastMarker {
  readonly name: string;
  readonly secs: number;
}

/** Why a take ended without the user stopping it. */
export type EndReason = "session ended" | "buffer full";

export interface ActiveTakeListener extends UplinkListener {
  /** The XR session has ended, or the buffer is full; the take is to be saved. */
  ended(reason: EndReason): void;
}

export class ActiveTake {
  readonly uplink: TakeUplink;
  frames = 0;
  /** Frames that the server saved as an earlier part, after a split. */
  framesInEarlierTakes = 0;
  markers = 0;
  lastMarker: LastMarker | null = null;
  private readonly capture: FrameCapture;
  private space: StableReferenceSpace | null = null;
  private firstSecs: number | null = null;
  private lastSecs = 0;

  /** `panelText` returns the current text of the panel. */
  constructor(
    private readonly session: XRSession,
    private readonly headsetUi: HeadsetUi,
    open: () => Socket,
    private readonly listener: ActiveTakeListener,
    private readonly panelText: () => PanelText,
    requestedName: string | null,
  ) {
    const takeSplit: UplinkListener["takeSplit"] = (message, journal) => this.takeSplit(message, journal);
    this.uplink = new TakeUplink(open, { ...listener, takeSplit }, requestedName);
    this.capture = new FrameCapture(session);
    session.addEventListener("end", () => listener.ended("session ended"));
    session.addEventListener("visibilitychange", () => this.onVisibilityChange());
    session.addEventListener("select", ({ frame, inputSource }) => {
      if (this.space !== null) {
        headsetUi.panel.select(frame, this.space.current, inputSource, this.lastSecs);
      }
    });
  }

  async start(): Promise<void> {
    const type = await preferredSpaceType(this.session);
    const base = await this.headsetUi.enter(this.session, type, (timeSecs, frame) => this.frame(timeSecs, frame));
    this.space = new StableReferenceSpace(base, (isMadeUp) => this.onOriginReset(isMadeUp));
  }

  get secs(): number {
    return this.firstSecs === null ? 0 : this.lastSecs - this.firstSecs;
  }

  /** Whether the headset shows something else and delivers no frames. */
  get isPaused(): boolean {
    return this.session.visibilityState === "hidden";
  }

  /** Adds a marker at the time of the last frame. */
  addMarker(name?: string): void {
    if (this.firstSecs === null) {
      return;
    }
    this.markers += 1;
    const markerName = name ?? `marker ${this.markers}`;
    this.lastMarker = { name: markerName, secs: this.secs };
    this.push(encodeMarker(this.lastSecs, markerName));
  }

  private frame(timeSecs: number, frame: XRFrame): void {
    const space = this.space?.current;
    const record = space === undefined ? null : this.capture.frame(timeSecs, frame, space);
    if (space === undefined || record === null) {
      return;
    }
    this.firstSecs ??= timeSecs;
    this.lastSecs = timeSecs;
    this.frames += this.push(record) ? 1 : 0;
    if (this.capture.isMarkerRequested) {
      this.addMarker();
    }
    this.headsetUi.show(timeSecs, frame, space, this.capture, this.panelText());
  }

  /** Frames that are still buffered go into the next take. */
  private takeSplit(message: string, journal: string | null): void {
    this.framesInEarlierTakes = this.frames - this.uplink.countUnacknowledged(isFrame);
    this.listener.takeSplit(message, journal);
  }

  private onVisibilityChange(): void {
    const record = this.isPaused ? this.capture.untrackedFrame() : null;
    if (record !== null) {
      this.frames += this.push(record) ? 1 : 0;
    }
  }

  private onOriginReset(isMadeUp: boolean): void {
    if (this.space !== null && isMadeUp) {
      this.headsetUi.moveTo(this.space.current);
    } else {
      // The poses jump by an unknown amount: the marker explains it.
      this.addMarker("view recentred");
    }
  }

  private push(record: Uint8Array): boolean {
    const isKept = this.uplink.push(record);
    if (!isKept) {
      this.listener.ended("buffer full");
    }
    return isKept;
  }
}
