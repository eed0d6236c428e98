/** The floor: a grid with lines every metre and fainter ones between, that fades into the distance. */

import { Vector3 } from "three";
import { LineBatch } from "./line-batch";
import type { SceneColors } from "./scene-colors";

const RADIUS_METRES = 7;
/** Lines are drawn in pieces, each of which fades from end to end. */
const PIECE_METRES = 1.75;
const SPACING_METRES = 0.5;
const LINES_A_SIDE = RADIUS_METRES / SPACING_METRES;
const CAPACITY = 2 * (2 * LINES_A_SIDE + 1) * 2 * (RADIUS_METRES / PIECE_METRES);

export class Floor {
  private readonly strokes = new LineBatch(CAPACITY);

  constructor() {
    this.strokes.mesh.renderOrder = -2;
  }

  get mesh() {
    return this.strokes.mesh;
  }

  /** In metres of the scene; the grid's lines stay at whole metres. */
  place(height: number, x: number, z: number): void {
    this.mesh.position.set(Math.round(x), height, Math.round(z));
  }

  paint(palette: SceneColors): void {
    this.strokes.clear();
    for (let n = -LINES_A_SIDE; n <= LINES_A_SIDE; n++) {
      const across = n * SPACING_METRES;
      const strength = Number.isInteger(across) ? 0.6 : 0.26;
      this.line(across, strength, palette, (along, into) => into.set(across, 0, along));
      this.line(across, strength, palette, (along, into) => into.set(along, 0, across));
    }
    this.strokes.commit();
  }

  private line(
    across: number,
    strength: number,
    palette: SceneColors,
    at: (along: number, into: Vector3) => Vector3,
  ): void {
    const end = Math.sqrt(RADIUS_METRES ** 2 - across ** 2);
    const pieces = 2 * Math.ceil(end / PIECE_METRES);
    for (let n = 0; n < pieces; n++) {
      const [from, to] = [n, n + 1].map((edge) => end * ((2 * edge) / pieces - 1)) as [number, number];
      const [fromAlpha, toAlpha] = [from, to].map((along) => strength * fade(across, along)) as [number, number];
      this.strokes.line(at(from, START), at(to, END), palette.of("muted"), fromAlpha, toAlpha, 1);
    }
  }
}

const START = new Vector3();
const END = new Vector3();

function fade(across: number, along: number): number {
  const away = Math.min(Math.hypot(across, along) / RADIUS_METRES, 1);
  return (1 - away * away) ** 1.5;
}
