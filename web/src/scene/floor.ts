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
  readonly mesh = this.lines.mesh;

  constructor() {
    this.mesh.renderOrder = -2;
  }

  /** Moves the grid; its lines stay at whole metres. */
  moveTo(height: number, x: number, z: number): void {
    this.mesh.position.set(Math.round(x), height, Math.round(z));
  }

  paint(colors: SceneColors): void {
    const paint = colors.of("muted");
    const [start, end] = [new Vector3(), new Vector3()];
    this.lines.clear();
    for (let n = -LINES_PER_SIDE; n <= LINES_PER_SIDE; n++) {
      const across = n * SPACING_METRES;
      for (const [from, to] of segmentsOf(Math.sqrt(RADIUS_METRES ** 2 - across ** 2))) {
        const [fromAlpha, toAlpha] = [alphaAt(across, from), alphaAt(across, to)];
        this.lines.line(start.set(across, 0, from), end.set(across, 0, to), paint, fromAlpha, toAlpha, 1);
        this.lines.line(start.set(from, 0, across), end.set(to, 0, across), paint, fromAlpha, toAlpha, 1);
      }
    }
    this.lines.commit();
  }
}

/** Divides the span from `-end` to `end`. */
function segmentsOf(end: number): (readonly [number, number])[] {
  const count = 2 * Math.ceil(end / SEGMENT_METRES);
  const edge = (n: number) => end * ((2 * n) / count - 1);
  return Array.from({ length: count }, (_, n) => [edge(n), edge(n + 1)]);
}

function alphaAt(across: number, along: number): number {
  const away = Math.min(Math.hypot(across, along) / RADIUS_METRES, 1);
  return (Number.isInteger(across) ? 0.6 : 0.26) * (1 - away * away) ** 1.5;
}
