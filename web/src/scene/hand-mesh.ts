/**
 * The mesh of a hand in no particular pose: a sphere per joint, a tube per bone, and skin over the palm. Each vertex refers to joints, and
 * the shader positions it. A hand is one draw call, and a pose is a small array of uniforms.
 */

import { BufferAttribute, BufferGeometry, CylinderGeometry, SphereGeometry } from "three";
import { JOINT_COUNT, parentOf } from "../recording/joints";
import { BONES, PALM_TRIANGLES, RADII } from "./skeleton";

/** The radius of bones relative to the joints at their ends. Joints are thicker, which hides the seams between bones. */
const BONE_RADIUS_FACTOR = 0.84;

export const HAND_VERTEX = /* glsl */ `
  /** Position and radius of each joint; radius 0 if it is missing. */
  uniform vec4 joints[${JOINT_COUNT}];
  /** Colour and glow of each joint. */
  uniform vec4 jointPaints[${JOINT_COUNT}];
  uniform vec3 bonePaint;
  /** The joint of the vertex, and those that define its normal. */
  attribute vec4 at;
  attribute float sort;
  varying vec3 vNormal;
  varying vec3 vPaint;
  varying float vGlow;

  /** Rotates a direction so that y points along a bone. */
  vec3 along(vec3 bone, vec3 direction) {
    float span = length(bone);
    vec3 axis = span > 1e-6 ? bone / span : vec3(0.0, 1.0, 0.0);
    vec3 side = normalize(cross(axis, abs(axis.x) < 0.8 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0)));
    return mat3(side, axis, cross(side, axis)) * direction;
  }

  /** The normal of a skin triangle, on one of its sides. */
  vec3 across(vec3 a, vec3 b, vec3 c, float side) {
    vec3 normal = cross(b - a, c - a);
    return normal * side / max(length(normal), 1e-9);
  }

  void main() {
    vec4 joint = joints[int(at.x)];
    vec4 a = joints[int(at.y)];
    vec4 b = joints[int(at.z)];
    vec4 c = joints[int(at.w)];
    bool isBall = sort < 0.5;
    bool isSkin = sort > 1.5;
    vec3 bone = a.w > 0.0 ? b.xyz - a.xyz : vec3(0.0);
    vec3 outward = isSkin ? across(a.xyz, b.xyz, c.xyz, normal.y) : along(bone, normal);
    float thickness = joint.w * (isBall ? 1.0 : ${BONE_RADIUS_FACTOR});
    gl_Position = projectionMatrix * modelViewMatrix * vec4(joint.xyz + outward * thickness, 1.0);
    // Moves vertices with missing joints out of the clip space.
    if (isBall ? joint.w == 0.0 : a.w * b.w * c.w == 0.0) {
      gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    }
    vec4 paint = isBall ? jointPaints[int(at.x)] : vec4(bonePaint, 0.0);
    vNormal = normalMatrix * outward;
    vPaint = paint.rgb;
    vGlow = paint.a;
  }
`;

const VERTEX_KINDS = { ball: 0, tube: 1, skin: 2 } as const;

class Builder {
  private readonly normals: number[] = [];
  private readonly joints: number[] = [];
  private readonly kinds: number[] = [];
  private readonly triangles: number[] = [];

  vertex(sort: keyof typeof VERTEX_KINDS, normal: readonly number[], at: readonly number[]): void {
    this.normals.push(...normal);
    this.joints.push(...at);
    this.kinds.push(VERTEX_KINDS[sort]);
  }

  /** Adds a copy of a shape; `at` returns the joints of a vertex by its height. */
  shape(sort: "ball" | "tube", shape: BufferGeometry, at: (height: number) => readonly number[]): void {
    const first = this.kinds.length;
    const [position, normal] = [shape.getAttribute("position"), shape.getAttribute("normal")];
    for (let n = 0; n < position.count; n++) {
      this.vertex(sort, [normal.getX(n), normal.getY(n), normal.getZ(n)], at(position.getY(n)));
    }
    this.triangles.push(...Array.from(shape.index?.array ?? [], (corner) => first + corner));
  }

  skin(a: number, b: number, c: number): void {
    for (const [side, corners] of [[1, [a, b, c]] as const, [-1, [a, c, b]] as const]) {
      this.triangles.push(...corners.map((_, n) => this.kinds.length + n));
      for (const corner of corners) {
        this.vertex("skin", [0, side, 0], [corner, a, b, c]);
      }
    }
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    // Only the shader knows the positions, but three.js counts vertices by this attribute.
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.normals.length), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("at", new BufferAttribute(new Float32Array(this.joints), 4));
    geometry.setAttribute("sort", new BufferAttribute(new Float32Array(this.kinds), 1));
    geometry.setIndex(this.triangles);
    // For materials with two passes.
    geometry.addGroup(0, Number.POSITIVE_INFINITY, 0);
    geometry.addGroup(0, Number.POSITIVE_INFINITY, 1);
    return geometry;
  }
}

/** `sides`: the number of sides of spheres and tubes. */
function buildHandMesh(sides: number): BufferGeometry {
  const ball = new SphereGeometry(1, sides, Math.ceil(sides / 2) + 1);
  const tube = new CylinderGeometry(1, 1, 1, sides, 1, true);
  const builder = new Builder();
  for (const [joint, radius] of RADII.entries()) {
    if (radius > 0) {
      // The meridians of a sphere run along its bone, so that both meet without a seam.
      const parent = parentOf(joint) ?? joint;
      builder.shape("ball", ball, () => [joint, parent, joint, joint]);
    }
  }
  for (const [from, to] of BONES) {
    builder.shape("tube", tube, (height) => [height > 0 ? to : from, from, to, to]);
  }
  for (const triangle of PALM_TRIANGLES) {
    builder.skin(...triangle);
  }
  return builder.build();
}

/** The coarse mesh is for moving scenes without a GPU. */
export const HAND_MESHES = { fine: buildHandMesh(14), coarse: buildHandMesh(8) };
