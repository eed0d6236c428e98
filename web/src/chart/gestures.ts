/**
 * Gestures on the chart: press or drag to seek, wheel or pinch to zoom, horizontal wheel to pan. Dragging the time axis, or with Shift or
 * the middle button, pans as well.
 */

import type { App } from "../app";
import { pausedDuring } from "../timeline/drags";
import { type Drag, followWheel, type Point, pointOf } from "../timeline/pointer";
import type { Chart } from "./chart";
import { ChartScale } from "./scale";

const MIDDLE_BUTTON = 1;

/** A position on the chart and the time that was there when the pointer went down. */
interface GrabPoint {
  readonly x: number;
  readonly time: number;
}

export function followGestures(host: HTMLElement, chart: Chart, app: App): void {
  const gestures = new Gestures(host, chart, app);
  followWheel(host, app, () => gestures.scale);
  host.addEventListener("pointerdown", (event) => {
    if (gestures.press(event)) {
      host.setPointerCapture(event.pointerId);
    }
  });
  host.addEventListener("pointermove", (event) => gestures.move(event));
  host.addEventListener("pointerup", (event) => gestures.release(event, (drag) => drag.drop()));
  host.addEventListener("pointercancel", (event) => gestures.release(event, (drag) => drag.cancel()));
}

class Gestures {
  /** The grab points of all pressed pointers, by pointer id. */
  private readonly grabs = new Map<number, GrabPoint>();
  /** The drag of a single pointer that seeks. */
  private seeking: Drag | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly chart: Chart,
    private readonly app: App,
  ) {}

  get scale(): ChartScale {
    const { x, width } = (this.chart.over ?? this.host).getBoundingClientRect();
    return new ChartScale(this.app.state.window.value, x - this.host.getBoundingClientRect().x, width);
  }

  /** Returns whether the chart handles the press. */
  press(event: PointerEvent): boolean {
    const { over } = this.chart;
    if (over === null || (event.button !== 0 && event.button !== MIDDLE_BUTTON)) {
      return false;
    }
    event.preventDefault();
    const isBelow = event.clientY > over.getBoundingClientRect().bottom;
    const isPan = event.shiftKey || event.button === MIDDLE_BUTTON || isBelow;
    this.seeking?.cancel();
    this.seeking = this.grabs.size === 0 && !isPan ? this.seek() : null;
    const { x } = pointOf(event, this.host);
    this.grabs.set(event.pointerId, { x, time: this.scale.time(x) });
    this.move(event);
    return true;
  }

  private seek(): Drag {
    const move = ({ x }: Point) => this.app.playback.seek(this.scale.timeWithin(x));
    return pausedDuring(this.app, { move, drop: () => {}, cancel: () => {} });
  }

  move(event: PointerEvent): void {
    const grab = this.grabs.get(event.pointerId);
    if (grab === undefined) {
      return;
    }
    const at = pointOf(event, this.host);
    if (this.seeking !== null) {
      this.seeking.move(at);
    } else {
      this.zoomToGrabs(event.pointerId, grab, at.x);
    }
  }

  release(event: PointerEvent, end: (drag: Drag) => void): void {
    if (this.grabs.delete(event.pointerId) && this.seeking !== null) {
      end(this.seeking);
      this.seeking = null;
    }
  }

  /** Pans and zooms so that the grabbed times stay under the pointers. */
  private zoomToGrabs(id: number, grab: GrabPoint, x: number): void {
    const { scale } = this;
    const other = [...this.grabs].find(([key]) => key !== id)?.[1];
    const distance = other === undefined ? 0 : x - other.x;
    // Pointers that pass each other would reverse time.
    const isPinch = other !== undefined && (other.time - grab.time) * distance < 0;
    const secsPerPixel = isPinch ? (grab.time - other.time) / distance : scale.secs(1);
    const from = grab.time - (x - scale.left) * secsPerPixel;
    this.app.playback.setWindow([from, from + scale.width * secsPerPixel]);
    this.grabs.set(id, { x, time: grab.time });
  }
}
