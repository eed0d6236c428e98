/** Poses in the page's space, and spaces of `iwer` that are put there. */

import { P_SPACE, type XRSpace } from "iwer";
import { isDrawablePose } from "../../../../web/src/recording/drawable";
import type { Pose, Quaternion, Vector } from "../../../../web/src/recording/sampler";
import { flipHandedness, flipPoseHandedness } from "../../../../web/src/recording/webxr";

/** Spaces that are nowhere now: a hand that is not tracked, a joint that was not recorded. */
const absentSpaces = new WeakSet<object>();

export function isAbsent(space: object): boolean {
  return absentSpaces.has(space);
}

/** Puts a space at a pose in the world, or nowhere. */
export function setSpacePose(space: XRSpace | undefined, pose: Pose | null): void {
  if (space === undefined) {
    return;
  }
  if (pose === null || !isDrawablePose(pose)) {
    absentSpaces.add(space);
    return;
  }
  absentSpaces.delete(space);
  setMatrix(space[P_SPACE].offsetMatrix, pose);
}

/** Spaces of `iwer` hang on each other; one that is recorded hangs on nothing but the world. */
export function attachToWorld(space: XRSpace | undefined, world: XRSpace): void {
  if (space !== undefined) {
    space[P_SPACE].parentSpace = world;
    space[P_SPACE].emulated = false;
    absentSpaces.add(space);
  }
}

/** Column by column, from a quaternion of length 1. */
export function setMatrix(matrix: { [index: number]: number }, { position, rotation }: Pose): void {
  const [x, y, z, w] = rotation;
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0],
    [...position, 1],
  ];
  for (const [n, value] of columns.flat().entries()) {
    matrix[n] = value;
  }
}

/** How the recording's world lies in the page's. */
export class Placement {
  private readonly turn: Quaternion;

  constructor(
    private readonly offset: Vector,
    yawDegrees: number,
  ) {
    const half = (yawDegrees * Math.PI) / 360;
    this.turn = [0, Math.sin(half), 0, Math.cos(half)];
  }

  /** A pose of the recording, which is in Unity's space. */
  pose(recorded: Pose): Pose {
    const { position, rotation } = flipPoseHandedness(recorded);
    return { position: this.toPage(position), rotation: this.isTurned ? product(this.turn, rotation) : rotation };
  }

  point(recorded: Vector): Vector {
    return this.toPage(flipHandedness(recorded));
  }

  direction(recorded: Vector): Vector {
    const direction = flipHandedness(recorded);
    return this.isTurned ? rotated(this.turn, direction) : direction;
  }

  private toPage(point: Vector): Vector {
    return sum(this.isTurned ? rotated(this.turn, point) : point, this.offset);
  }

  /** Where nothing is turned, numbers stay as they are to the last bit. */
  private get isTurned(): boolean {
    return this.turn[1] !== 0;
  }
}

export function sum(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function difference(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function product(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export function rotated(by: Quaternion, [x, y, z]: Vector): Vector {
  const inverse: Quaternion = [-by[0], -by[1], -by[2], by[3]];
  const [rx, ry, rz] = product(product(by, [x, y, z, 0]), inverse);
  return [rx, ry, rz];
}

/** About the vertical only: which way somebody faces who looks that way. */
export function yawOf(rotation: Quaternion): Quaternion {
  const [x, , z] = rotated(rotation, [0, 0, -1]);
  const half = Math.atan2(-x, -z) / 2;
  return [0, Math.sin(half), 0, Math.cos(half)];
}

/** The rotation that has -z along a direction and x level; nothing for a direction of no length. */
export function lookRotation([x, y, z]: Vector): Quaternion | null {
  const length = Math.hypot(x, y, z);
  if (!(length > 0 && Number.isFinite(length))) {
    return null;
  }
  const yaw = Math.atan2(-x, -z) / 2;
  const pitch = Math.atan2(y, Math.hypot(x, z)) / 2;
  return product([0, Math.sin(yaw), 0, Math.cos(yaw)], [Math.sin(pitch), 0, 0, Math.cos(pitch)]);
}
