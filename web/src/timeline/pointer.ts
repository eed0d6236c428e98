/** Pointer input on the lanes: one pointer drags, two zoom. */

import type { Span } from "../api";
import type { App } from "../app";
import type { Scale } from "./scale";

/** A position on the lanes, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The action of one pointer until it is released. */
export interface Drag {
  move(at: Point): void;
  drop?(): void;
  /** Reverts the drag. */
  cancel?(): void;
}

const WHEEL_ZOOM = 0.0016;
const LINE_PIXELS = 16;

export function pointOf(event: MouseEvent, lanes: HTMLElement): Point {
  const { left, top } = lanes.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/** Returns `null` for a press that starts no drag. */
export type DragStarter = (at: Point, event: PointerEvent) => Drag | null;

export class Pointers {
  private readonly pointers = new Map<number, Point>();
  private drag: Drag | null = null;
  /** The times under two pointers. */
  private pinchedTimes: Span | null = null;

  constructor(
    private readonly lanes: HTMLElement,
    private readonly app: App,
    private readonly scale: () => Scale,
    private readonly beginDrag: DragStarter,
  ) {
    lanes.addEventListener("pointerdown", (event) => this.press(event));
    lanes.addEventListener("pointermove", (event) => this.move(event));
    lanes.addEventListener("pointerup", (event) => this.release(event, (drag) => drag.drop?.()));
    lanes.addEventListener("pointercancel", (event) => this.release(event, (drag) => drag.cancel?.()));
  }

  private press(event: PointerEvent): void {
    const at = pointOf(event, this.lanes);
    const drag = this.pointers.size === 0 ? this.beginDrag(at, event) : null;
    if (this.pointers.size === 2 || (this.pointers.size === 0 && drag === null)) {
      return;
    }
    this.lanes.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    this.drag?.cancel?.();
    this.drag = drag;
    if (this.pointers.size === 2) {
      const [left, right] = touchPositions(this.pointers);
      this.pinchedTimes = [this.scale().time(left), this.scale().time(right)];
    }
  }

  private move(event: PointerEvent): void {
    if (!this.pointers.has(event.pointerId)) {
      return;
    }
    const at = pointOf(event, this.lanes);
    this.pointers.set(event.pointerId, at);
    this.drag?.move(at);
    const window = this.pinchedTimes && this.scale().windowFor(this.pinchedTimes, touchPositions(this.pointers));
    if (window !== null) {
      this.app.playback.setWindow(window);
    }
  }

  private release(event: PointerEvent, end: (drag: Drag) => void): void {
    if (this.pointers.delete(event.pointerId) && this.drag !== null) {
      end(this.drag);
    }
    this.drag = null;
    this.pinchedTimes = null;
  }
}

/** In ascending order. */
function touchPositions(pointers: ReadonlyMap<number, Point>): Span {
  const [a = 0, b = 0] = [...pointers.values()].map(({ x }) => x);
  return [Math.min(a, b), Math.max(a, b)];
}

/** The wheel zooms around the pointer. With Shift, or horizontally, it pans. If the area can scroll, vertical turns scroll it. */
export function followWheel(lanes: HTMLElement, app: App, scale: () => Scale, area: HTMLElement | null = null): void {
  lanes.addEventListener(
    "wheel",
    (event) => {
      if (area !== null && isForScrolling(event, area)) {
        return;
      }
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
      if (isSideways(event)) {
        app.playback.pan(scale().secs(unit * (event.deltaX || event.deltaY)));
      } else {
        // Touchpads report pinches as wheel events with the control key, in small steps.
        const strength = event.ctrlKey ? 6 : 1;
        app.playback.zoom(
          Math.exp(strength * WHEEL_ZOOM * unit * event.deltaY),
          scale().timeWithin(pointOf(event, lanes).x),
        );
      }
    },
    { passive: false },
  );
}

function isSideways(event: WheelEvent): boolean {
  return event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
}

/** Whether the wheel should scroll the area. */
function isForScrolling(event: WheelEvent, area: HTMLElement): boolean {
  return !event.ctrlKey && !isSideways(event) && area.scrollHeight > area.clientHeight;
}
