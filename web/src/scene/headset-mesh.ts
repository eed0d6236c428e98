/** The meshes of a head with a headset. The origin is between the eyes; x is right, y up, -z forward, in metres. */

import { type BufferGeometry, ExtrudeGeometry, Path, PlaneGeometry, Shape, SphereGeometry } from "three";
import { mergeGeometries, mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";

/** The centre of the head, behind the eyes. */
const MIDDLE = 0.092;

/** Moves each vertex of a shape. Merges the duplicates that textures need, to avoid visible seams. */
function displaceVertices(
  plain: BufferGeometry,
  move: (x: number, y: number, z: number) => readonly [number, number, number],
): BufferGeometry {
  const geometry = mergeVertices(plain.deleteAttribute("uv").deleteAttribute("normal"));
  const position = geometry.getAttribute("position");
  for (let n = 0; n < position.count; n++) {
    position.setXYZ(n, ...move(position.getX(n), position.getY(n), position.getZ(n)));
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** A simple head, narrower towards the chin. */
function buildHeadMesh(): BufferGeometry {
  return displaceVertices(new SphereGeometry(1, 20, 14), (x, y, z) => {
    const fullness = (1 - Math.abs(y) ** 2.7) ** (1 / 2.7) / Math.max(Math.sqrt(1 - y * y), 1e-6);
    const chin = Math.max(-y, 0) ** 2;
    const [width, depth] = [0.075 * (1 - 0.24 * chin), 0.097 * (1 - 0.3 * chin)];
    return [x * width * fullness, y * 0.112 - 0.006, z * depth * fullness + MIDDLE - 0.03 * chin];
  });
}

/** Curved glass in front of the eyes, with a notch for the nose. */
function visor(): BufferGeometry {
  return displaceVertices(new PlaneGeometry(2, 1, 24, 3), (u, down) => {
    const nose = 0.014 * Math.exp(-((u / 0.16) ** 2));
    const bottom = -0.036 + 0.026 * u ** 4 + nose;
    const height = bottom + (down + 0.5) * (0.03 - bottom);
    const bulge = 1 + 0.05 * Math.cos(Math.PI * down);
    return [0.09 * bulge * Math.sin(1.22 * u), height, MIDDLE - 0.126 * bulge * Math.cos(1.22 * u)];
  });
}

/** Of an ellipse around the head, seen from above with forward up. */
type EllipseRadii = readonly [halfWidth: number, halfLength: number];

/** The area between two ellipses, between two angles in half turns from the right. */
function arc(outer: EllipseRadii, inner: EllipseRadii, from: number, to: number): Shape {
  const shape = new Shape();
  shape.absellipse(0, -MIDDLE, ...outer, from * Math.PI, to * Math.PI, false, 0);
  shape.absellipse(0, -MIDDLE, ...inner, to * Math.PI, from * Math.PI, true, 0);
  return shape;
}

function ring(outer: EllipseRadii, inner: EllipseRadii): Shape {
  const shape = new Shape();
  shape.absellipse(0, -MIDDLE, ...outer, 0, 2 * Math.PI, false, 0);
  const hole = new Path();
  hole.absellipse(0, -MIDDLE, ...inner, 0, 2 * Math.PI, true, 0);
  shape.holes.push(hole);
  return shape;
}

/** Extrudes an outline between two heights. */
function raised(outline: Shape, bottom: number, top: number, bevel: number): BufferGeometry {
  const geometry = new ExtrudeGeometry(outline, {
    depth: top - bottom - 2 * bevel,
    bevelSize: bevel,
    bevelThickness: bevel,
    bevelSegments: 1,
    curveSegments: 16,
  });
  return geometry.rotateX(-Math.PI / 2).translate(0, bottom + bevel, 0);
}

export const HEAD_MESH = buildHeadMesh();
export const VISOR = visor();
/** The band around the head, with the brow above the visor and the battery at the back. */
export const HEADBAND_MESH = mergeGeometries([
  raised(ring([0.08, 0.103], [0.077, 0.1]), 0.014, 0.044, 0.0015),
  raised(arc([0.09, 0.126], [0.078, 0.106], 0.13, 0.87), 0.02, 0.044, 0.004),
  raised(arc([0.092, 0.117], [0.078, 0.1], 1.3, 1.7), 0.002, 0.052, 0.005),
]);
