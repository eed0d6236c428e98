/**
 * The mesh of a hand in no particular pose: a sphere per joint, a tube per bone, and skin over the palm. Each vertex refers to joints, and
 * the shader positions it. A hand is one draw call, and a pose is a small array of uniforms.
 */

import { BufferGeometry, CylinderGeometry, Float32BufferAttribute, SphereGeometry } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
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
  /** 0 for a sphere, 1 for a tube, 2 for skin. */
  attribute float kind;
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
    bool isBall = kind < 0.5;
    bool isSkin = kind > 1.5;
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

/** Both sides of a triangle. Its normal only tells the sides apart. */
const SKIN_NORMALS = [1, 1, 1, -1, -1, -1].flatMap((side) => [0, side, 0]);
const SKIN = new BufferGeometry()
  .setAttribute("position", new Float32BufferAttribute(new Float32Array(18), 3))
  .setAttribute("normal", new Float32BufferAttribute(SKIN_NORMALS, 3))
  .setIndex([0, 1, 2, 3, 4, 5]);

/** A copy of a shape whose vertices refer to joints; its positions are only counted. */
function part(
  kind: keyof typeof VERTEX_KINDS,
  shape: BufferGeometry,
  jointsOf: (vertex: number) => readonly number[],
): BufferGeometry {
  const joints = Array.from({ length: shape.getAttribute("position").count }, (_, vertex) => jointsOf(vertex));
  const kinds = joints.map(() => VERTEX_KINDS[kind]);
  return shape
    .clone()
    .deleteAttribute("uv")
    .setAttribute("at", new Float32BufferAttribute(joints.flat(), 4))
    .setAttribute("kind", new Float32BufferAttribute(kinds, 1));
}

/** `sides`: the number of sides of spheres and tubes. */
function buildHandMesh(sides: number): BufferGeometry {
  const ball = new SphereGeometry(1, sides, Math.ceil(sides / 2) + 1);
  const tube = new CylinderGeometry(1, 1, 1, sides, 1, true);
  const ends = tube.getAttribute("position");
  const balls = [...RADII.keys()].filter((joint) => RADII[joint] !== 0);
  const mesh = mergeGeometries([
    // The meridians of a sphere run along its bone, so that both meet without a seam.
    ...balls.map((joint) => part("ball", ball, () => [joint, parentOf(joint) ?? joint, joint, joint])),
    ...BONES.map(([from, to]) => part("tube", tube, (n) => [ends.getY(n) > 0 ? to : from, from, to, to])),
    ...PALM_TRIANGLES.map(([a, b, c]) => part("skin", SKIN, (n) => [[a, b, c, a, c, b][n] ?? a, a, b, c])),
  ]);
  // For materials with two passes.
  mesh.addGroup(0, Number.POSITIVE_INFINITY, 0);
  mesh.addGroup(0, Number.POSITIVE_INFINITY, 1);
  return mesh;
}

/** The coarse mesh is for moving scenes without a GPU. */
export const HAND_MESHES = { fine: buildHandMesh(14), coarse: buildHandMesh(8) };
