/** The floor: a grid of 0.5 m, with stronger lines every metre, that fades with distance. */

import { Vector3 } from "three";
import { LineBatch } from "./line-batch";
import type { SceneColors } from "./scene-colors";

const RADIUS_METRES = 7;
/** Lines are drawn in segments, because opacity is interpolated between their ends. */
const SEGMENT_METRES = 1.75;
const SPACING_METRES = 0.5;
const LINES_PER_SIDE = RADIUS_METRES / SPACING_METRES;
const CAPACITY = 2 * (2 * LINES_PER_SIDE + 1) * 2 * (RADIUS_METRES / SEGMENT_METRES);

export class Floor {
  private readonly lines = new LineBatch(CAPACITY);

  constructor() {
    this.lines.mesh.renderOrder = -2;
  }

  get mesh() {
    return this.lines.mesh;
  }

  /** Moves the grid; its lines stay at whole metres. */
  moveTo(height: number, x: number, z: number): void {
    this.mesh.position.set(Math.round(x), height, Math.round(z));
  }

  paint(colors: SceneColors): void {
    this.lines.clear();
    for (let n = -LINES_PER_SIDE; n <= LINES_PER_SIDE; n++) {
      const across = n * SPACING_METRES;
      const strength = Number.isInteger(across) ? 0.6 : 0.26;
      this.line(across, strength, colors, (along, into) => into.set(across, 0, along));
      this.line(across, strength, colors, (along, into) => into.set(along, 0, across));
    }
    this.lines.commit();
  }

  private line(
    across: number,
    strength: number,
    colors: SceneColors,
    at: (along: number, into: Vector3) => Vector3,
  ): void {
    const end = Math.sqrt(RADIUS_METRES ** 2 - across ** 2);
    const segments = 2 * Math.ceil(end / SEGMENT_METRES);
    for (let n = 0; n < segments; n++) {
      const [from, to] = [n, n + 1].map((edge) => end * ((2 * edge) / segments - 1)) as [number, number];
      const [fromAlpha, toAlpha] = [from, to].map((along) => strength * fade(across, along)) as [number, number];
      this.lines.line(at(from, START), at(to, END), colors.of("muted"), fromAlpha, toAlpha, 1);
    }
  }
}

const START = new Vector3();
const END = new Vector3();

function fade(across: number, along: number): number {
  const away = Math.min(Math.hypot(across, along) / RADIUS_METRES, 1);
  return (1 - away * away) ** 1.5;
}
