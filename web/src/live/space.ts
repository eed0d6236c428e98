/** A reference space that stays fixed when the user recentres the headset. */

import { Matrix4, Quaternion, Vector3 } from "three";

export class StableReferenceSpace {
  /** The space to query poses in. */
  current: XRReferenceSpace;
  /** From the headset's current space to that of the take. */
  private readonly offset = new Matrix4();

  /** `onMove` is called when the headset's space moves, with whether this could be compensated. */
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

  /** `matrix` is the pose of the new origin in the old space. */
  private compensate({ matrix }: XRRigidTransform): void {
    this.offset.multiply(new Matrix4().fromArray(matrix));
    const [position, turn] = [new Vector3(), new Quaternion()];
    this.offset.clone().invert().decompose(position, turn, new Vector3());
    this.current = this.base.getOffsetReferenceSpace(new XRRigidTransform(position, turn));
  }
}

/** A space at floor level if the headset supports it, otherwise at the initial head position. */
export async function preferredSpaceType(session: XRSession): Promise<XRReferenceSpaceType> {
  const hasFloor = await session.requestReferenceSpace("local-floor").then(
    () => true,
    () => false,
  );
  return hasFloor ? "local-floor" : "local";
}
