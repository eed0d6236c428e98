/** Sessions whose frames have the recording's time, and reference spaces like those of headsets. */

import { P_REF_SPACE, P_SPACE, type XRFrame, XRReferenceSpace, XRSession } from "iwer";
import type { Pose } from "../../../../web/src/recording/sampler";
import { setMatrix } from "./space";

type FrameCallback = (timeMs: number, frame: XRFrame) => void;
type SpaceType = Parameters<XRSession["requestReferenceSpace"]>[0];

export interface SessionHost {
  /** The timestamp of frames. */
  readonly stampMs: number;
  /** The initial head pose without tilt: the origin of `local`. */
  readonly start: Pose;
}

const hosts = new WeakMap<XRSession, SessionHost>();

export class RecordedSession extends XRSession {
  /** Converts an existing session, because `iwer` creates them. */
  static of(session: XRSession, host: SessionHost): void {
    hosts.set(session, host);
    Object.setPrototypeOf(session, RecordedSession.prototype);
  }

  override requestAnimationFrame(callback: FrameCallback): number {
    return super.requestAnimationFrame((time, frame) => callback(hosts.get(this)?.stampMs ?? time, frame));
  }

  override async requestReferenceSpace(type: SpaceType): Promise<XRReferenceSpace> {
    const space = await super.requestReferenceSpace(type);
    const host = hosts.get(this);
    // The `local` space of `iwer` would be tilted like the head.
    if (type === "local" && host !== undefined) {
      setMatrix(space[P_SPACE].offsetMatrix, host.start);
    }
    Object.setPrototypeOf(space, RecordedReferenceSpace.prototype);
    return space;
  }
}

/** `iwer` treats the offset as a matrix; pages pass an `XRRigidTransform`. */
class RecordedReferenceSpace extends XRReferenceSpace {
  override getOffsetReferenceSpace(offset: unknown): XRReferenceSpace {
    return new RecordedReferenceSpace(
      this[P_REF_SPACE].type,
      this,
      (offset as { readonly matrix: Float32Array }).matrix,
    );
  }
}
