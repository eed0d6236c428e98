/** A recording in this page: `navigator.xr` is an emulated headset that replays it. */

import {
  isGazeTrackingFeature,
  metaQuest2,
  metaQuest3,
  metaQuestPro,
  oculusQuest1,
  P_DEVICE,
  P_FRAME,
  P_SESSION,
  XRDevice,
  type XRFrame,
  type XRSession,
} from "iwer";
import { resolveOptions } from "../options";
import { EventEmitter } from "../play/events";
import { Playback } from "../play/playback";
import type { Recording } from "../read";
import type { InstallOptions, PlayOptions, RecordingController, RecordingEvent, RecordingMarker } from "../types";
import { RecordedFrame } from "./frame";
import { FrameLoop } from "./loop";
import { RecordedSession } from "./session";
import { RecordedUser } from "./user";

type Profile = ConstructorParameters<typeof XRDevice>[0];

const PROFILES = { oculusQuest1, metaQuest2, metaQuest3, metaQuestPro };

export class PageReplay implements RecordingController {
  readonly duration: number;
  readonly markers: readonly RecordingMarker[];
  readonly events = new EventEmitter();
  /** Called after each frame with its events. */
  onframe: (events: readonly RecordingEvent[]) => void = () => {};
  private readonly device: XRDevice;
  private readonly playback: Playback;
  private readonly user: RecordedUser;
  private readonly loop: FrameLoop;
  private readonly hadUserAgent = Object.hasOwn(navigator, "userAgent");
  /** Steps run one after the other. */
  private queue: Promise<void> = Promise.resolve();
  time = 0;
  private isRemoved = false;

  constructor(recording: Recording, options: InstallOptions) {
    const { rate, device, stereo, forceInstall, autoplay, origin } = resolveOptions(options);
    const profile = profileOf(PROFILES[device], rate, recording.curves.channels.gaze);
    this.device = new XRDevice(profile, { stereoEnabled: stereo });
    if (this.device.isNativeXRAvailable() && !forceInstall) {
      throw new Error("the browser has its own WebXR; set forceInstall to replace it");
    }
    this.duration = recording.durationSecs;
    this.markers = recording.markers;
    this.playback = new Playback(recording, rate);
    this.user = new RecordedUser(this.device, recording, origin);
    this.device.primaryInputMode = "hand";
    this.device.installRuntime({ forceInstall: true });
    this.loop = this.patchIwer();
    if (autoplay) {
      this.playback.play({});
    }
  }

  on: RecordingController["on"] = (type, listener) => this.events.on(type, listener);

  async play(options: PlayOptions = {}): Promise<void> {
    this.playback.play(options);
  }

  async pause(): Promise<void> {
    this.playback.pause();
  }

  async seek(seconds: number): Promise<void> {
    this.playback.seek(seconds);
    this.time = this.playback.time;
  }

  async step(frames = 1): Promise<void> {
    if (!Number.isInteger(frames) || frames < 0) {
      throw new RangeError(`invalid frame count: ${frames}; must be an integer, 0 or more`);
    }
    this.playback.pause();
    const steps = this.queue.then(async () => {
      for (let n = 0; n < frames; n++) {
        await this.loop.ready();
        this.frame(this.playback.step());
      }
    });
    this.queue = steps.catch(() => {});
    await steps;
  }

  async uninstall(): Promise<void> {
    this.uninstallNow();
  }

  /** Synchronous, so that another recording can replace it. */
  uninstallNow(): void {
    if (this.isRemoved) {
      return;
    }
    this.isRemoved = true;
    this.playback.pause();
    this.loop.stop();
    void this.device.activeSession?.end();
    this.device.uninstallRuntime();
    if (!this.hadUserAgent) {
      // `iwer` overrides these properties and does not restore them.
      Reflect.deleteProperty(navigator, "userAgent");
    }
    this.events.close();
  }

  /** Replaces the parts of `iwer` that generate frames, poses and input. */
  private patchIwer(): FrameLoop {
    const { playback, user, device } = this;
    const sessionHost = {
      start: user.start,
      get stampMs() {
        return playback.stampMs;
      },
    };
    return new FrameLoop(device, {
      get isPlaying() {
        return playback.isPlaying;
      },
      attachSession: (session: XRSession) => {
        RecordedSession.of(session, sessionHost);
        user.attachSession(session);
        playback.resetKnownFlags();
      },
      onRealTime: (realSecs) => this.frame(playback.advanceRealTime(realSecs)),
    });
  }

  /** Runs one frame of the page with its events. */
  private frame(events: readonly RecordingEvent[]): void {
    const { device, playback } = this;
    device[P_DEVICE].onFrameStart = (frame: XRFrame) => {
      RecordedFrame.of(frame);
      frame[P_FRAME].predictedDisplayTime = playback.stampMs;
      this.user.show(playback.time, events, frame);
      frame.session[P_SESSION].updateActiveInputSources();
    };
    this.loop.run();
    this.time = playback.time;
    for (const event of events) {
      this.events.emit(event);
    }
    this.onframe(events);
  }
}

/** A headset that runs at the rate of the recording, which the page cannot change. It supports eye tracking if the recording has gaze. */
function profileOf(profile: Profile, rateHz: number, hasGaze: boolean): Profile {
  const features = profile.supportedFeatures.filter((feature) => !isGazeTrackingFeature(feature));
  return {
    ...profile,
    supportedFeatures: hasGaze ? [...features, "gaze-tracking", "eye-tracking"] : features,
    supportedFrameRates: [rateHz],
    internalNominalFrameRate: rateHz,
  };
}
