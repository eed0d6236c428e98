/** Highlights a position with a ring that pulses briefly. */

import type { Camera, Vector3 } from "three";
import type { SceneColors } from "./scene-colors";
import { RING, SpriteBatch } from "./sprites";

const PULSE_MS = 2400;
const PULSES = 3;
/** Relative to the distance to the camera, so that the ring has a constant size on screen. */
const RADIUS_PER_METRE = 0.022;
const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Highlight {
  private readonly sprites = new SpriteBatch(2, "onTop");
  readonly mesh = this.sprites.mesh;
  private name: string | null = null;
  private since = 0;

  /** Draws the ring. Returns whether its animation continues. */
  show(name: string | null, position: Vector3 | null, camera: Camera, colors: SceneColors, now: number): boolean {
    if (name !== this.name) {
      this.name = name;
      this.since = now;
    }
    const age = Math.min((now - this.since) / PULSE_MS, 1);
    const isPulsing = position !== null && age < 1 && !reducedMotion.matches;
    this.sprites.clear();
    if (position !== null) {
      const wave = isPulsing ? 0.5 - 0.5 * Math.cos(2 * Math.PI * PULSES * age) : 0;
      const radius = RADIUS_PER_METRE * camera.position.distanceTo(position) * (1 + 0.7 * wave);
      this.sprites.add(position, radius, colors.of("ground"), 0.7, { inner: 0.72, softness: 0.2 });
      this.sprites.add(position, 0.96 * radius, colors.of("marker"), 1, RING);
    }
    this.sprites.commit();
    return isPulsing;
  }
}
