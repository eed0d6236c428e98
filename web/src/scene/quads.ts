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
  ShaderMaterial,
  type ShaderMaterialParameters,
} from "three";

const CORNERS = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
const CORNER_COUNT = 4;
const TRIANGLES = [0, 1, 2, 0, 2, 3];
const GLSL_TYPES = ["float", "vec2", "vec3", "vec4"];

export class Quads {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly rows: Float32Array;
  private readonly rowLength: number;
  private readonly buffer: InterleavedBuffer;
  private count = 0;

  /**
   * Rows beyond the capacity are dropped. `columns` are the names and widths of the attributes, which are declared for the vertex shader;
   * it finds the corner in `position`, from -1 to 1. `onTop`: drawn over everything else.
   */
  constructor(
    private readonly capacity: number,
    columns: Readonly<Record<string, number>>,
    onTop: boolean,
    { vertexShader, ...shader }: ShaderMaterialParameters,
  ) {
    const widths = Object.entries(columns);
    this.rowLength = widths.reduce((sum, [, width]) => sum + width, 0);
    this.rows = new Float32Array(capacity * CORNER_COUNT * this.rowLength);
    this.buffer = new InterleavedBuffer(this.rows, this.rowLength).setUsage(DynamicDrawUsage);
    const geometry = cornersOf(capacity);
    let offset = 0;
    for (const [name, width] of widths) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, width, offset));
      offset += width;
    }
    const declarations = widths.map(([name, width]) => `attribute ${GLSL_TYPES[width - 1]} ${name};\n`);
    const material = new ShaderMaterial({
      ...shader,
      vertexShader: `${declarations.join("")}${vertexShader}`,
      transparent: true,
      depthWrite: false,
      depthTest: !onTop,
    });
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
    for (let corner = 0; corner < CORNER_COUNT; corner++) {
      this.rows.set(row, (this.count * CORNER_COUNT + corner) * this.rowLength);
    }
    this.count += 1;
  }

  /** Uploads the added rows. */
  commit(): void {
    this.mesh.visible = this.count > 0;
    this.mesh.geometry.setDrawRange(0, this.count * TRIANGLES.length);
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * CORNER_COUNT * this.rowLength);
    this.buffer.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

function cornersOf(capacity: number): BufferGeometry {
  const quads = Array.from({ length: capacity }, (_, n) => n * CORNER_COUNT);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(quads.flatMap(() => CORNERS)), 3));
  geometry.setIndex(quads.flatMap((first) => TRIANGLES.map((corner) => first + corner)));
  return geometry;
}
