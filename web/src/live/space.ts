/** The space that a take is recorded in: it stays where it was when somebody moves the origin of the headset's. */

import { Matrix4, Quaternion, Vector3 } from "three";

export class StableReferenceSpace {
  /** What poses are asked for in. */
  current: XRReferenceSpace;
  /** From the headset's space as it is now to that of the take. */
  private readonly offset = new Matrix4();

  /** `onMove` is told when the space has moved, and whether the take goes on in its own all the same. */
  constructor(
    private readonly base: XRReferenceSpace,
    onMove: (isCompensated: boolean) => void,
  ) {
    this.current = base;
    base.addEventListener("reset", ({ transform }) => {
      if (transform) {
        this.compensate(transform);
      }
      onMove(Boolean(transform));
    });
  }

  /** The headset tells where the new origin is, as seen from the old one. */
  private compensate({ matrix }: XRRigidTransform): void {
    this.offset.multiply(new Matrix4().fromArray(matrix));
    const [position, turn] = [new Vector3(), new Quaternion()];
    this.offset.clone().invert().decompose(position, turn, new Vector3());
    this.current = this.base.getOffsetReferenceSpace(new XRRigidTransform(pointInit(position), pointInit(turn)));
  }
}

function pointInit({ x, y, z, w }: { x: number; y: number; z: number; w?: number }): DOMPointInit {
  return w === undefined ? { x, y, z } : { x, y, z, w };
}

/** On the floor where the headset knows it, at the head where it does not. */
export async function preferredSpaceType(session: XRSession): Promise<XRReferenceSpaceType> {
  const hasFloor = await session.requestReferenceSpace("local-floor").then(
    () => true,
    () => false,
  );
  return hasFloor ? "local-floor" : "local";
}
