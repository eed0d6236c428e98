/** The space that a take is recorded in: it stays where it was when somebody moves the origin of the headset's. */

import { Matrix4, Quaternion, Vector3 } from "three";

export class StableReferenceSpace {
  /** What poses are asked for in. */
  current: XRReferenceSpace;
  /** From the headset's space as it is now to that of the take. */
  private readonly moved = new Matrix4();

  /** `onMove` is told when the space has moved, and whether the take goes on in its own all the same. */
  constructor(
    private readonly base: XRReferenceSpace,
    onMove: (isMadeUp: boolean) => void,
  ) {
    this.current = base;
    base.addEventListener("reset", ({ transform }) => {
      if (transform) {
        this.moveBack(transform);
      }
      onMove(Boolean(transform));
    });
  }

  /** The headset tells where the new origin is, as seen from the old one. */
  private moveBack({ matrix }: XRRigidTransform): void {
    this.moved.multiply(new Matrix4().fromArray(matrix));
    const [position, turn] = [new Vector3(), new Quaternion()];
    this.moved.clone().invert().decompose(position, turn, new Vector3());
    this.current = this.base.getOffsetReferenceSpace(new XRRigidTransform(plain(position), plain(turn)));
  }
}

function plain({ x, y, z, w }: { x: number; y: number; z: number; w?: number }): DOMPointInit {
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
