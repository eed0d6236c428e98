/** Poses in the page's coordinates, and the spaces of `iwer` that have them. */

import { P_SPACE, type XRSpace } from "iwer";
import { isDrawablePose } from "../../../../web/src/recording/drawable";
import type { Pose, Quaternion, Vector } from "../../../../web/src/recording/sampler";
import { flipHandedness, flipPoseHandedness } from "../../../../web/src/recording/webxr";

/** Spaces without a pose: hands that are not tracked, joints that are not recorded. */
const absentSpaces = new WeakSet<object>();

export function isAbsent(space: object): boolean {
  return absentSpaces.has(space);
}

/** Sets the pose of a space in the world; `null` removes it. */
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

/** Spaces of `iwer` have parents; recorded ones are relative to the world only. */
export function attachToWorld(space: XRSpace | undefined, world: XRSpace): void {
  if (space !== undefined) {
    space[P_SPACE].parentSpace = world;
    space[P_SPACE].emulated = false;
    absentSpaces.add(space);
  }
}

/** Column-major, from a unit quaternion. */
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

/** The placement of the recording's coordinates in the page's. */
export class Placement {
  private readonly turn: Quaternion;

  constructor(
    private readonly offset: Vector,
    yawDeg: number,
  ) {
    const half = (yawDeg * Math.PI) / 360;
    this.turn = [0, Math.sin(half), 0, Math.cos(half)];
  }

  /** Converts a pose of the recording, which is in Unity's coordinates. */
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

  /** Without rotation, values are kept to the last bit. */
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

/** The rotation about the vertical axis only. */
export function yawOf(rotation: Quaternion): Quaternion {
  const [x, , z] = rotated(rotation, [0, 0, -1]);
  const half = Math.atan2(-x, -z) / 2;
  return [0, Math.sin(half), 0, Math.cos(half)];
}

/** The rotation with -z along a direction and x level; `null` for a direction of length 0. */
export function lookRotation([x, y, z]: Vector): Quaternion | null {
  const length = Math.hypot(x, y, z);
  if (!(length > 0 && Number.isFinite(length))) {
    return null;
  }
  const yaw = Math.atan2(-x, -z) / 2;
  const pitch = Math.atan2(y, Math.hypot(x, z)) / 2;
  return product([0, Math.sin(yaw), 0, Math.cos(yaw)], [Math.sin(pitch), 0, 0, Math.cos(pitch)]);
}
