/** The recording's clock. It advances by exact steps, or by elapsed real time. */

import type { Recording } from "../read";
import type { PlayOptions, RecordingEvent } from "../types";
import { type Flags, NO_HANDS, Timeline } from "./timeline";

export class Playback {
  private readonly timeline: Timeline;
  private flags: Flags = NO_HANDS;
  /** Steps are counted from here, so that a thousand steps have no accumulated rounding error. */
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

  /** Seconds from the start of the recording. */
  get time(): number {
    return Math.min(this.anchor.time + this.steps / this.rateHz, this.recording.durationSecs);
  }

  /** The timestamp of the page's frames in milliseconds; it keeps increasing when the recording jumps. */
  get stampMs(): number {
    return this.anchor.stampMs + (this.steps * 1000) / this.rateHz;
  }

  get isPlaying(): boolean {
    return this.playing !== null;
  }

  play({ speed = 1, loop = false }: PlayOptions): void {
    if (!(speed > 0 && Number.isFinite(speed))) {
      throw new RangeError(`invalid speed: ${speed}; must be finite and greater than 0`);
    }
    if (this.time >= this.recording.durationSecs) {
      this.jump(0);
    }
    this.playing = { speed, loop };
  }

  /** For a new session, which knows of no hands. */
  resetKnownFlags(): void {
    this.flags = NO_HANDS;
  }

  pause(): void {
    this.playing = null;
  }

  seek(seconds: number): void {
    if (!Number.isFinite(seconds)) {
      throw new RangeError(`invalid time: ${seconds}; must be a finite number of seconds`);
    }
    this.pause();
    this.jump(Math.min(Math.max(seconds, 0), this.recording.durationSecs));
  }

  /** Advances by exactly 1/rate. Returns the events of the step. */
  step(): RecordingEvent[] {
    const from = this.time;
    this.steps += 1;
    return this.eventsSince(from);
  }

  /** Advances by elapsed real time while playing. Returns the events. */
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
    // The page's time continues, by at most one frame.
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
