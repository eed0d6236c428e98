/**
 * Many small quads in one draw call, each with a row of attributes. All four corners store the row, which without a GPU is much faster than
 * instancing.
 */

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  type ShaderMaterial,
} from "three";

/** Names and widths of attributes, in the order of a row. */
export type Columns = readonly (readonly [name: string, width: number])[];

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;
const TRIANGLES = [0, 1, 2, 0, 2, 3];

export class Quads {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly rows: Float32Array;
  private readonly rowLength: number;
  private readonly buffer: InterleavedBuffer;
  private count = 0;

  /** Rows beyond the capacity are dropped. The shader finds the corner in `position`, from -1 to 1. */
  constructor(
    material: ShaderMaterial,
    columns: Columns,
    private readonly capacity: number,
  ) {
    this.rowLength = columns.reduce((sum, [, width]) => sum + width, 0);
    this.rows = new Float32Array(capacity * CORNERS.length * this.rowLength);
    this.buffer = new InterleavedBuffer(this.rows, this.rowLength).setUsage(DynamicDrawUsage);
    const geometry = cornersOf(capacity);
    let offset = 0;
    for (const [name, width] of columns) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, width, offset));
      offset += width;
    }
    this.mesh = new Mesh(geometry, material);
    // Only the shader knows the positions.
    this.mesh.frustumCulled = false;
  }

  clear(): void {
    this.count = 0;
  }

  protected addRow(...row: readonly number[]): void {
    if (this.count === this.capacity) {
      return;
    }
    for (let corner = 0; corner < CORNERS.length; corner++) {
      this.rows.set(row, (this.count * CORNERS.length + corner) * this.rowLength);
    }
    this.count += 1;
  }

  /** Uploads the added rows. */
  commit(): void {
    this.mesh.visible = this.count > 0;
    this.mesh.geometry.setDrawRange(0, this.count * TRIANGLES.length);
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * CORNERS.length * this.rowLength);
    this.buffer.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

function cornersOf(capacity: number): BufferGeometry {
  const quads = Array.from({ length: capacity }, (_, n) => n * CORNERS.length);
  const positions = quads.flatMap(() => CORNERS.flatMap(([x, y]) => [x, y, 0]));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(quads.flatMap((first) => TRIANGLES.map((corner) => first + corner)));
  return geometry;
}
