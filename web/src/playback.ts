/** Actions on time: playing, seeking, the range, and the window that the timeline shows. */

import { batch } from "@preact/signals";
import type { Span } from "./api";
import { nextFrame } from "./recording/frames";
import { type AppState, toLocalTime } from "./state";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Times closer than this are equal to a user. */
const TIME_TOLERANCE_SECS = 1e-3;
const MIN_WINDOW_SECS = 0.02;

export class Playback {
  constructor(private readonly state: AppState) {}

  seek(time: number): void {
    this.state.time.value = clamp(time, this.state.span.value);
  }

  seekBy(secs: number): void {
    this.seek(this.state.time.value + secs);
  }

  /** Seeks to the active recording's next marker, or to the previous one. */
  seekMarker(direction: 1 | -1): void {
    const time = this.state.time.value;
    const { offsetSecs, info } = this.state.active.value ?? { offsetSecs: 0, info: { markers: [] } };
    const times = info.markers.map((marker) => marker.time + offsetSecs);
    const next =
      direction > 0
        ? Math.min(...times.filter((other) => other > time + TIME_TOLERANCE_SECS))
        : Math.max(...times.filter((other) => other < time - TIME_TOLERANCE_SECS));
    if (Number.isFinite(next)) {
      this.seek(next);
    }
  }

  setPlaying(playing: boolean): void {
    this.state.playing.value = playing;
  }

  togglePlay(): void {
    const { playing, time } = this.state;
    const [from, to] = this.playedSpan();
    if (!playing.value && (time.value >= to || time.value < from)) {
      this.seek(from);
    }
    playing.value = !playing.value;
  }

  /** The range, or everything if there is none. */
  playedSpan(): Span {
    return this.state.range.value ?? this.state.span.value;
  }

  /** Moves time forward while playing: loops or stops at the end of the played span. */
  advance(secs: number): void {
    const [from, to] = this.playedSpan();
    const next = this.state.time.value + secs;
    if (next < to) {
      this.seek(next);
    } else if (this.state.looping.value) {
      this.seek(from + ((next - from) % (to - from)));
    } else {
      this.seek(to);
      this.setPlaying(false);
    }
  }

  /** Pauses and seeks to the active recording's next frame, or to the previous one. */
  step(direction: 1 | -1): void {
    const recording = this.state.active.value;
    this.setPlaying(false);
    if (recording !== null) {
      const local = toLocalTime(recording, this.state.time.value);
      this.seek(nextFrame(recording.curves, local, direction) + recording.offsetSecs);
    }
  }

  setSpeed(speed: number): void {
    this.state.speed.value = speed;
  }

  changeSpeed(direction: 1 | -1): void {
    const { value } = this.state.speed;
    const next = direction > 0 ? SPEEDS.find((speed) => speed > value) : SPEEDS.filter((speed) => speed < value).at(-1);
    this.setSpeed(next ?? value);
  }

  toggleLoop(): void {
    this.state.looping.value = !this.state.looping.value;
  }

  setRange(range: Span | null): void {
    const [a, b] = range ?? [0, 0];
    const start = clamp(Math.min(a, b), this.state.span.value);
    const end = clamp(Math.max(a, b), this.state.span.value);
    this.state.range.value = end - start < TIME_TOLERANCE_SECS ? null : [start, end];
  }

  /** Starts the range at the playhead. */
  startRange(): void {
    const time = this.state.time.value;
    const [, end] = this.playedSpan();
    this.setRange([time, time < end ? end : this.state.span.value[1]]);
  }

  /** Ends the range at the playhead. */
  endRange(): void {
    const time = this.state.time.value;
    const [start] = this.playedSpan();
    this.setRange([time > start ? start : this.state.span.value[0], time]);
  }

  /** Sets the window, limited to the span of the recordings. */
  setWindow(window: Span): void {
    const [from, to] = this.state.span.value;
    const length = Math.min(Math.max(window[1] - window[0], MIN_WINDOW_SECS), to - from);
    const start = Math.min(Math.max(window[0], from), to - length);
    this.state.window.value = [start, start + length];
  }

  pan(secs: number): void {
    const [from, to] = this.state.window.value;
    this.setWindow([from + secs, to + secs]);
  }

  /** Scales the window around a time; factors below 1 zoom in. */
  zoom(factor: number, around: number): void {
    const [from, to] = this.state.window.value;
    this.setWindow([around - (around - from) * factor, around + (to - around) * factor]);
  }

  /** Zooms around the playhead, or around the middle of the window if the playhead is outside. */
  zoomAtPlayhead(factor: number): void {
    const { time, window } = this.state;
    const [from, to] = window.value;
    const isInWindow = time.value >= from && time.value <= to;
    this.zoom(factor, isInWindow ? time.value : (from + to) / 2);
  }

  zoomToAll(): void {
    this.state.window.value = this.state.span.value;
    this.seek(this.state.time.value);
  }

  /** Zooms to the range, or to everything if there is no range or the window shows it already. */
  zoomToRangeOrAll(): void {
    const { range, window } = this.state;
    if (range.value !== null && !isSameSpan(window.value, range.value)) {
      this.setWindow(range.value);
    } else {
      this.zoomToAll();
    }
  }

  /** Runs a change that can alter the span. A window that showed everything still does; otherwise window, range and time are kept. */
  refitAfter(change: () => void): void {
    const { span, window, range, time } = this.state;
    const [from, to] = window.value;
    const showedAll = from <= span.value[0] && to >= span.value[1];
    batch(() => {
      change();
      if (showedAll) {
        window.value = span.value;
      } else {
        this.setWindow(window.value);
      }
      this.setRange(range.value);
      this.seek(time.value);
    });
  }
}

function clamp(value: number, [min, max]: Span): number {
  return Math.min(Math.max(value, min), max);
}

function isSameSpan(a: Span, b: Span): boolean {
  return Math.abs(a[0] - b[0]) < TIME_TOLERANCE_SECS && Math.abs(a[1] - b[1]) < TIME_TOLERANCE_SECS;
}
