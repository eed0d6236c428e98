/** The difference lane of the timeline: the distance between the joints of two recordings, computed while the browser is idle. */

import { type Signal, signal } from "@preact/signals";
import type { Span } from "../api";
import { distancesBetween, type JointPositionFn, meanMmOf } from "../recording/differences";
import { nearestBy } from "../search";
import { type ComparedPair, type OpenRecording, playbackPhase, toLocalTime } from "../state";
import { colour } from "../theme";
import type { Box, PaintContext } from "./bands";
import { EDGE } from "./scale";

export interface Column {
  /** Page time. */
  readonly time: number;
  /** `null` if no joint is tracked in both. */
  readonly millimetres: number | null;
}

const COLUMNS = 400;
/** Limits for one slice of computation, to keep the page responsive. */
const MIN_SLICE_MS = 6;
const MAX_SLICE_MS = 20;
const MAX_CACHED_COLUMNS = 20_000;
/** Fixed scales, so that the scale does not change with every zoom step. */
const SCALES_MM = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** The mean distance of all joints tracked in both recordings; `null` if the time is outside either of them. */
function meanDistanceMm({ a, b }: ComparedPair, time: number): number | null {
  if (playbackPhase(a, time) !== "playing" || playbackPhase(b, time) !== "playing") {
    return null;
  }
  return meanMmOf(distancesBetween(jointPositionsAt(a, time), jointPositionsAt(b, time)));
}

function jointPositionsAt(recording: OpenRecording, time: number): JointPositionFn {
  const localTime = toLocalTime(recording, time);
  return (hand, joint) => recording.sampler.jointAt(hand, joint, localTime);
}

/** A cache of distances. Columns are at multiples of a power of two seconds, so that they can be reused when the window moves. */
export class DifferenceSeries {
  /** Changes whenever more columns are computed. */
  readonly progress: Signal<number> = signal(0);
  /** Whether columns are missing. */
  readonly isComputing: Signal<boolean> = signal(false);
  private pair: ComparedPair | null = null;
  private pairKey = "";
  private step = 1;
  private pending: number[] = [];
  private readonly cache = new Map<string, number | null>();
  private isScheduled = false;

  /** Requests the columns of a span; missing ones are computed later. */
  show(pair: ComparedPair, span: Span): void {
    const pairKey = keyOfPair(pair);
    if (pairKey !== this.pairKey || this.cache.size > MAX_CACHED_COLUMNS) {
      this.cache.clear();
    }
    this.pair = pair;
    this.pairKey = pairKey;
    this.step = 2 ** Math.ceil(Math.log2((span[1] - span[0]) / COLUMNS));
    this.pending = this.indicesOf(span).filter((index) => !this.cache.has(this.keyOf(index)));
    this.isComputing.value = this.pending.length > 0;
    this.schedule();
  }

  /** Releases the recordings, which can be large. */
  clear(): void {
    this.pair = null;
    this.pairKey = "";
    this.pending = [];
    this.isComputing.value = false;
    this.cache.clear();
  }

  columns(span: Span): readonly Column[] {
    const { pair } = this;
    return pair === null
      ? []
      : this.indicesOf(span).map((index) => ({
          time: this.timeOf(pair, index),
          millimetres: this.cache.get(this.keyOf(index)) ?? null,
        }));
  }

  private keyOf(index: number): string {
    return `${this.step} ${index}`;
  }

  /** Columns are in the time of the reference, so that moving both recordings keeps them valid. */
  private timeOf(pair: ComparedPair, index: number): number {
    return index * this.step + pair.a.offsetSecs;
  }

  private indicesOf(span: Span): number[] {
    const offset = this.pair?.a.offsetSecs ?? 0;
    const first = Math.floor((span[0] - offset) / this.step);
    const count = Math.min(Math.ceil((span[1] - span[0]) / this.step) + 2, 2 * COLUMNS);
    return Array.from({ length: Math.max(count, 0) }, (_, n) => first + n);
  }

  private schedule(): void {
    if (this.isScheduled || this.pending.length === 0) {
      return;
    }
    this.isScheduled = true;
    whenIdle((spareMs) => {
      this.isScheduled = false;
      this.computeFor(Math.min(Math.max(spareMs, MIN_SLICE_MS), MAX_SLICE_MS));
      this.progress.value += 1;
      this.isComputing.value = this.pending.length > 0;
      this.schedule();
    });
  }

  private computeFor(milliseconds: number): void {
    const { pair } = this;
    const end = performance.now() + milliseconds;
    while (pair !== null && this.pending.length > 0 && performance.now() < end) {
      const index = this.pending.shift() as number;
      this.cache.set(this.keyOf(index), meanDistanceMm(pair, this.timeOf(pair, index)));
    }
  }
}

/** Everything that the distances depend on. */
function keyOfPair({ a, b }: ComparedPair): string {
  const keyOfRecording = ({ info, hasAllKeys }: ComparedPair["a"]) =>
    `${info.id} ${info.curves_revision} ${hasAllKeys}`;
  return `${keyOfRecording(a)} ${keyOfRecording(b)} ${b.offsetSecs - a.offsetSecs}`;
}

/** `requestIdleCallback` is missing in some browsers. */
function whenIdle(schedule: (spareMs: number) => void): void {
  if ("requestIdleCallback" in window) {
    window.requestIdleCallback((deadline) => schedule(deadline.timeRemaining()), { timeout: 60 });
  } else {
    setTimeout(() => schedule(0), 16);
  }
}

export function paintDifference(paint: PaintContext, series: DifferenceSeries, box: Box): void {
  const columns = series.columns(paint.scale.drawn);
  const max = columns.reduce((max, { millimetres }) => Math.max(max, millimetres ?? 0), 0);
  const scaleMm = SCALES_MM.find((height) => height >= max) ?? max;
  for (const run of knownRuns(columns)) {
    paintRun(paint, run, box, scaleMm);
  }
  paintFrame(paint, box, max > 0 ? `${scaleMm} mm` : "");
}

/** Runs of columns without a gap. */
function knownRuns(columns: readonly Column[]): Column[][] {
  const runs: Column[][] = [[]];
  for (const column of columns) {
    if (column.millimetres === null) {
      runs.push([]);
    } else {
      runs.at(-1)?.push(column);
    }
  }
  return runs.filter((run) => run.length > 0);
}

function paintRun({ context, scale }: PaintContext, run: readonly Column[], box: Box, scaleMm: number): void {
  const bottom = box.top + box.height;
  const [first, last] = [scale.x(run[0]?.time ?? 0), scale.x(run.at(-1)?.time ?? 0)];
  const line = new Path2D();
  for (const { time, millimetres } of run) {
    line.lineTo(scale.x(time), bottom - ((millimetres ?? 0) / scaleMm) * (box.height - 2));
  }
  const area = new Path2D(line);
  area.lineTo(last, bottom);
  area.lineTo(first, bottom);
  context.fillStyle = colour("accent");
  context.globalAlpha = 0.2;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = colour("accent");
  context.lineWidth = 1.25;
  context.stroke(line);
}

function paintFrame({ context, scale }: PaintContext, { top, height }: Box, label: string): void {
  context.fillStyle = colour("line");
  context.fillRect(0, top, scale.width, 1);
  context.fillRect(0, top + height - 1, scale.width, 1);
  context.textAlign = "right";
  context.textBaseline = "top";
  // An outline, because the line can be drawn behind the label.
  context.strokeStyle = colour("surface");
  context.lineWidth = 4;
  context.strokeText(label, scale.width - EDGE - 4, top + 3);
  context.fillStyle = colour("muted");
  context.fillText(label, scale.width - EDGE - 4, top + 3);
}

/** The distance at the column nearest to a time. */
export function distanceAt(series: DifferenceSeries, time: number, slackSecs: number): number | null {
  const near = series.columns([time - slackSecs, time + slackSecs]);
  return nearestBy(near, (column) => Math.abs(column.time - time))?.millimetres ?? null;
}
