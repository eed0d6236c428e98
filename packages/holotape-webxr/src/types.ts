/** What users of the package see. */

export type Handedness = "left" | "right";

export interface RecordingMarker {
  /** Seconds from the start of the recording. */
  readonly time: number;
  readonly name: string;
}

/** What happens in the recording. Times are the recording's own, to the key, not those of frames. */
export type RecordingEvent =
  | { readonly type: "handfound" | "handlost" | "pinchstart"; readonly time: number; readonly hand: Handedness }
  /** Cancelled where the hand was lost in the middle of it: the page gets `selectend` without `select`. */
  | { readonly type: "pinchend"; readonly time: number; readonly hand: Handedness; readonly cancelled: boolean }
  | { readonly type: "marker"; readonly time: number; readonly name: string }
  | { readonly type: "end"; readonly time: number };

export type RecordingEventType = RecordingEvent["type"];

/** The events of a type. */
export type RecordingEventOf<Type extends RecordingEventType> = Extract<RecordingEvent, { readonly type: Type }>;

/** Headsets that the page can be made to believe in, by their names in `iwer`. */
export type DeviceName = "oculusQuest1" | "metaQuest2" | "metaQuest3" | "metaQuestPro";

/** Where the recording's origin is in the page's `local-floor` space. */
export interface RecordingOrigin {
  /** Metres to the right, in the page's axes. */
  readonly x?: number;
  /** Metres backward, in the page's axes. */
  readonly z?: number;
  /** How far the recording is turned to the left about its origin, seen from above. */
  readonly yawDegrees?: number;
  /**
   * How many metres the recording's origin is above the floor. `"auto"`: 1.6 where the head begins less than half a metre above the origin, as
   * on HoloLens, where the origin is the head at the start; otherwise 0.
   */
  readonly floor?: "auto" | number;
}

export interface InstallOptions {
  /** Which headset the page sees; `"metaQuest3"`. */
  readonly device?: DeviceName;
  /** Frames a second of the recording's clock that `step` goes by; 72. */
  readonly rate?: number;
  /** Whether to play as soon as the page takes frames; not unless asked for. */
  readonly autoplay?: boolean;
  /** Whether to replace a WebXR that the browser has by itself, as Chromium has; yes. */
  readonly forceInstall?: boolean;
  readonly origin?: RecordingOrigin;
  /** Whether both eyes are drawn, side by side, which takes twice as long; no. Either way the page gets both views. */
  readonly stereo?: boolean;
}

export interface PlayOptions {
  /** 1 is as it was recorded. */
  readonly speed?: number;
  /** Whether to begin again at the end. */
  readonly loop?: boolean;
}

/**
 * The recording's clock, and what happens as it goes. Time passes only while the page has an immersive session and takes its frames, so that
 * nobody misses the start.
 */
export interface RecordingController {
  /** Seconds into the recording of the last frame; while it plays in another process, of the last frame told of. */
  readonly time: number;
  /** Seconds. */
  readonly duration: number;
  readonly markers: readonly RecordingMarker[];
  /** All events from here on, until `uninstall`. */
  readonly events: AsyncIterable<RecordingEvent>;
  /** Runs frames in real time; from the start if it is at the end. At the end, hands and head stay as they are. */
  play(options?: PlayOptions): Promise<void>;
  /** Holds the page's session: no frame runs until `play` or `step`. It begins like this, unless with `autoplay`. */
  pause(): Promise<void>;
  /** Goes to a time, which the next frame starts from. Holds as `pause` does. */
  seek(seconds: number): Promise<void>;
  /**
   * Advances the clock by exactly so many times 1/rate, and has the page's session run exactly one frame for each. Waits for a session and for
   * the page to ask for a frame; done when the page's callbacks of the last one have run.
   */
  step(frames?: number): Promise<void>;
  /** Calls back for events of a type; what it returns ends that. */
  on<Type extends RecordingEventType>(type: Type, listener: (event: RecordingEventOf<Type>) => void): () => void;
  /** Ends the page's session and gives the browser its own WebXR back. */
  uninstall(): Promise<void>;
}

/** What is used of a Playwright `Page`. */
export interface PageLike {
  addInitScript(script: { readonly content: string }): Promise<unknown>;
  exposeFunction(name: string, callback: (report: string) => void): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
}

/** What is used of a `window`: the one that the code runs in. */
export interface WindowLike {
  readonly window: unknown;
  readonly navigator: unknown;
}

/** Bytes of a `.bin` file of any version; an address; in Node also a path. */
export type RecordingSource = Uint8Array | ArrayBuffer | string | URL;

export type { RecordingErrorKind } from "./read/error";
