/** Points something out: a ring around it, which pulses for a moment, and its name. */

import { type Camera, Group, type Vector3 } from "three";
import type { SceneColors } from "./scene-colors";
import { RING, SpriteBatch } from "./sprites";

const PULSE_MS = 2400;
const PULSES = 3;
/** Of the distance to the viewer: the ring is as large on the screen wherever it is. */
const RADIUS_SHARE = 0.022;
const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Highlight {
  readonly group = new Group();
  private readonly marks = new SpriteBatch(2, "onTop");
  private name: string | null = null;
  private since = 0;

  constructor() {
    this.group.add(this.marks.mesh);
  }

  /** Draws the ring; whether it goes on moving. */
  show(name: string | null, place: Vector3 | null, camera: Camera, palette: SceneColors, now: number): boolean {
    if (name !== this.name) {
      this.name = name;
      this.since = now;
    }
    const age = Math.min((now - this.since) / PULSE_MS, 1);
    const isPulsing = place !== null && age < 1 && !stillness.matches;
    this.marks.clear();
    if (place !== null) {
      const wave = isPulsing ? 0.5 - 0.5 * Math.cos(2 * Math.PI * PULSES * age) : 0;
      const radius = RADIUS_SHARE * camera.position.distanceTo(place) * (1 + 0.7 * wave);
      this.marks.add(place, radius, palette.of("ground"), 0.7, { inner: 0.72, softness: 0.2 });
      this.marks.add(place, 0.96 * radius, palette.of("marker"), 1, RING);
    }
    this.marks.commit();
    return isPulsing;
  }
}
