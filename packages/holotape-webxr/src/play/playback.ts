/** The recording's clock. It goes by frames: by exact steps, or by what passed in real time. */

import type { Recording } from "../read";
import type { PlayOptions, RecordingEvent } from "../types";
import { type Flags, NO_HANDS, Timeline } from "./timeline";

export class Playback {
  private readonly timeline: Timeline;
  private flags: Flags = NO_HANDS;
  /** Steps are counted from here, so that a thousand of them are exactly a thousand times one. */
  private anchor = { time: 0, stampMs: 0 };
  private steps = 0;
  private isJump = true;
  private hasEnded = false;
  private playing: Required<PlayOptions> | null = null;

  constructor(
    private readonly recording: Recording,
    private readonly rateHz: number,
  ) {
    this.timeline = new Timeline(recording);
  }

  /** Seconds into the recording. */
  get time(): number {
    return Math.min(this.anchor.time + this.steps / this.rateHz, this.recording.durationSecs);
  }

  /** What the page's frames carry: the recording's clock in milliseconds, which goes on where the recording jumps. */
  get stampMs(): number {
    return this.anchor.stampMs + (this.steps * 1000) / this.rateHz;
  }

  get isPlaying(): boolean {
    return this.playing !== null;
  }

  play({ speed = 1, loop = false }: PlayOptions): void {
    if (!(speed > 0 && Number.isFinite(speed))) {
      throw new RangeError(`a speed of ${speed}: it has to be a number above 0`);
    }
    if (this.time >= this.recording.durationSecs) {
      this.jump(0);
    }
    this.playing = { speed, loop };
  }

  /** Somebody new looks on, who has seen no hand yet. */
  resetKnownFlags(): void {
    this.flags = NO_HANDS;
  }

  pause(): void {
    this.playing = null;
  }

  seek(seconds: number): void {
    if (!Number.isFinite(seconds)) {
      throw new RangeError(`cannot seek to ${seconds}: it has to be a number of seconds`);
    }
    this.pause();
    this.jump(Math.min(Math.max(seconds, 0), this.recording.durationSecs));
  }

  /** One step of exactly 1/rate; what happened in it. */
  step(): RecordingEvent[] {
    const from = this.time;
    this.steps += 1;
    return this.eventsSince(from);
  }

  /** So many seconds of real time, while it plays; what happened in it. */
  advanceRealTime(realSecs: number): RecordingEvent[] {
    const { speed, loop } = this.playing ?? { speed: 0, loop: false };
    const { durationSecs } = this.recording;
    const [from, to] = [this.time, this.time + realSecs * speed];
    const stampMs = this.stampMs + realSecs * speed * 1000;
    this.steps = 0;
    this.anchor = { time: Math.min(to, durationSecs), stampMs };
    if (!loop || to < durationSecs || durationSecs === 0) {
      return this.eventsSince(from);
    }
    const lastLap = this.collectEvents(from, durationSecs);
    this.anchor.time = to % durationSecs;
    this.isJump = true;
    return [...lastLap, ...this.collectEvents(0, this.time)];
  }

  private jump(to: number): void {
    // The page's time goes on, by no more than a frame.
    this.anchor = { time: to, stampMs: this.stampMs };
    this.steps = 0;
    this.isJump = true;
    this.hasEnded = false;
  }

  private eventsSince(from: number): RecordingEvent[] {
    const events = this.collectEvents(from, this.time);
    if (this.time < this.recording.durationSecs || this.hasEnded) {
      return events;
    }
    this.hasEnded = true;
    return [...events, { type: "end", time: this.time }];
  }

  private collectEvents(from: number, to: number): RecordingEvent[] {
    const events = this.timeline.between(from, to, this.flags, this.isJump);
    this.flags = this.timeline.flagsAt(to);
    this.isJump = false;
    return events;
  }
}
