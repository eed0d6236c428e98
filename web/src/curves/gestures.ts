/**
 * Hands on the chart: press or drag to seek, wheel or two fingers to zoom, wheel sideways to move along. A drag along the axis of time,
 * with shift or with the middle button moves along as well.
 */

import type { App } from "../app";
import { pan, zoom } from "../timeline/actions";
import type { Chart } from "./chart";

/** How much a wheel zooms for each pixel that it turns. */
const ZOOM_PER_PIXEL = 0.0015;
/** What browsers mean that count wheels in lines. */
const PIXELS_PER_LINE = 16;
const MIDDLE_BUTTON = 1;

/** A place on the chart: how far from its left edge, and the time that was there. */
interface Grip {
  readonly x: number;
  readonly time: number;
}

export function followGestures(host: HTMLElement, chart: Chart, app: App): void {
  const gestures = new Gestures(chart, app);
  host.addEventListener("wheel", (event) => gestures.wheel(event), { passive: false });
  host.addEventListener("pointerdown", (event) => {
    if (gestures.press(event)) {
      host.setPointerCapture(event.pointerId);
    }
  });
  host.addEventListener("pointermove", (event) => gestures.move(event));
  host.addEventListener("pointerup", (event) => gestures.release(event));
  host.addEventListener("pointercancel", (event) => gestures.release(event));
}

class Gestures {
  /** What each pointer that is down holds, by its id. */
  private readonly grips = new Map<number, Grip>();
  private isSeeking = false;

  constructor(
    private readonly chart: Chart,
    private readonly app: App,
  ) {}

  wheel(event: WheelEvent): void {
    const area = this.chart.over?.getBoundingClientRect() ?? null;
    if (area === null) {
      return;
    }
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? PIXELS_PER_LINE : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      pan(this.app, ((dx || dy) / area.width) * this.length);
    } else {
      zoom(this.app, Math.exp(dy * ZOOM_PER_PIXEL), this.timeAt(event, area));
    }
  }

  /** Whether the press was meant for the chart. */
  press(event: PointerEvent): boolean {
    const area = this.chart.over?.getBoundingClientRect() ?? null;
    if (area === null || (event.button !== 0 && event.button !== MIDDLE_BUTTON)) {
      return false;
    }
    event.preventDefault();
    const isAlong = event.shiftKey || event.button === MIDDLE_BUTTON || event.clientY > area.bottom;
    this.isSeeking = this.grips.size === 0 && !isAlong;
    this.grips.set(event.pointerId, { x: event.clientX - area.left, time: this.timeAt(event, area) });
    this.move(event);
    return true;
  }

  move(event: PointerEvent): void {
    const area = this.chart.over?.getBoundingClientRect() ?? null;
    const grip = this.grips.get(event.pointerId);
    if (area === null || grip === undefined) {
      return;
    }
    if (this.isSeeking) {
      this.app.seek(this.timeAt(event, area));
    } else {
      this.hold(event.pointerId, grip, event.clientX - area.left, area.width);
    }
  }

  release(event: PointerEvent): void {
    this.grips.delete(event.pointerId);
    this.isSeeking = false;
  }

  /** Moves and zooms so that the times which were gripped stay under the fingers. */
  private hold(id: number, grip: Grip, x: number, width: number): void {
    const other = [...this.grips].find(([key]) => key !== id)?.[1];
    const apart = other === undefined ? 0 : x - other.x;
    // Fingers that pass each other would turn time round.
    const isPinch = other !== undefined && (other.time - grip.time) * apart < 0;
    const secsPerPixel = isPinch ? (grip.time - other.time) / apart : this.length / width;
    const from = grip.time - x * secsPerPixel;
    this.app.setWindow([from, from + width * secsPerPixel]);
    this.grips.set(id, { x, time: grip.time });
  }

  private get length(): number {
    const [from, to] = this.app.state.window.value;
    return to - from;
  }

  private timeAt(event: MouseEvent, area: DOMRect): number {
    const share = (event.clientX - area.left) / area.width;
    return this.app.state.window.value[0] + share * this.length;
  }
}
