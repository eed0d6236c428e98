/** `FrameCapture` and `StableReferenceSpace`, with a fake XR session. */

import { expect, test } from "@playwright/test";
import { Matrix4, Quaternion, Vector3 } from "three";
import { FrameCapture } from "../src/live/capture";
import { decodeFrame } from "../src/live/records";
import { StableReferenceSpace } from "../src/live/space";
import { JOINT_COUNT } from "../src/recording/joints";
import type { Frame } from "../src/recording/sampler";
import { WEBXR_JOINTS } from "../src/recording/webxr";

/** A hand whose joints lie on a line, with adjustable finger distances. */
class FakeHeadset {
  readonly sources: Partial<XRInputSource>[] = [];
  thumbToIndexMetres = 0.08;
  thumbToLittleMetres = 0.09;
  head: Matrix4 | null = new Matrix4().makeTranslation(0.1, 1.6, 0.2);
  private readonly listeners = new Map<string, (event: { inputSource: Partial<XRInputSource> }) => void>();

  readonly session = {
    inputSources: this.sources,
    addEventListener: (name: string, listener: () => void) => this.listeners.set(name, listener),
  } as unknown as XRSession;

  readonly capture = new FrameCapture(this.session);

  add(source: { readonly [Name in keyof XRInputSource]?: unknown }): Partial<XRInputSource> {
    this.sources.push(source as Partial<XRInputSource>);
    return source as Partial<XRInputSource>;
  }

  hand(handedness: XRHandedness): Partial<XRInputSource> {
    const hand = new Map(WEBXR_JOINTS.map((name, n) => [name, { n }]));
    return this.add({ handedness, hand, targetRayMode: "tracked-pointer" });
  }

  dispatch(type: "selectstart" | "selectend", inputSource: Partial<XRInputSource>): void {
    this.listeners.get(type)?.({ inputSource });
  }

  /** The recorded frame at a time, or `null`. */
  at(timeSecs: number): Frame | null {
    const frame = {
      getViewerPose: () => this.head && { transform: transformOf(this.head) },
      getPose: (space: { matrix: Matrix4 }) => ({ transform: transformOf(space.matrix) }),
      fillPoses: (_: XRSpace[], __: XRSpace, into: Float32Array) => {
        WEBXR_JOINTS.forEach((name, n) => {
          into.set(new Matrix4().makeTranslation(this.positionOf(name), 1, -0.4).elements, 16 * n);
        });
        return true;
      },
    };
    return frameOf(this.capture.frame(timeSecs, frame as unknown as XRFrame, {} as XRReferenceSpace));
  }

  private positionOf(name: string): number {
    const positions: Record<string, number> = {
      "index-finger-tip": this.thumbToIndexMetres,
      "pinky-finger-tip": -this.thumbToLittleMetres,
    };
    return positions[name] ?? 0;
  }
}

function frameOf(record: Uint8Array | null): Frame | null {
  return record && decodeFrame(record.slice().buffer as ArrayBuffer);
}

function transformOf(matrix: Matrix4): XRRigidTransform {
  const [position, orientation] = [new Vector3(), new Quaternion()];
  matrix.decompose(position, orientation, new Vector3());
  return { position, orientation, matrix: new Float32Array(matrix.elements) } as unknown as XRRigidTransform;
}

test("frames contain the head, and hands while they are tracked", () => {
  const headset = new FakeHeadset();
  const single = headset.at(1);
  expect(single?.camera?.position).toEqual([0.1, 1.6, -0.2].map(Math.fround));
  expect([single?.left?.tracked, single?.right?.tracked, single?.gaze]).toEqual([false, false, null]);
  headset.hand("right");
  const frame = headset.at(1.1);
  expect([frame?.left?.tracked, frame?.right?.tracked]).toEqual([false, true]);
  expect(frame?.right?.joints.filter((joint) => joint !== null)).toHaveLength(JOINT_COUNT - 1);
  headset.head = null;
  expect(headset.at(1.2)?.camera).toBeNull();
});

test("controllers are not recorded as hands", () => {
  const headset = new FakeHeadset();
  const controller = headset.add({ handedness: "left", hand: null, targetRayMode: "tracked-pointer" });
  headset.dispatch("selectstart", controller);
  expect(headset.at(1)?.left).toMatchObject({ tracked: false, pinching: false });
  headset.hand("left");
  headset.dispatch("selectstart", controller);
  expect(headset.at(2)?.left).toMatchObject({ tracked: true, pinching: false });
});

test("a frame with a repeated time is dropped", () => {
  const headset = new FakeHeadset();
  expect(headset.at(1)).not.toBeNull();
  expect([headset.at(1), headset.at(0.5), headset.at(Number.NaN)]).toEqual([null, null, null]);
  expect(headset.at(1.01)).not.toBeNull();
});

test("gaze comes from the gaze input source", () => {
  const headset = new FakeHeadset();
  const matrix = new Matrix4().makeRotationY(Math.PI / 3).setPosition(0, 1.5, 0.25);
  headset.add({ handedness: "none", targetRayMode: "gaze", targetRaySpace: { matrix } });
  const { origin, direction } = headset.at(1)?.gaze ?? { origin: [], direction: [] };
  expect(origin).toEqual([0, 1.5, -0.25]);
  // To the left and ahead: -x in both coordinate systems, z negated.
  expect(direction[0]).toBeCloseTo(-Math.sin(Math.PI / 3), 6);
  expect(direction[1]).toBeCloseTo(0, 6);
  expect(direction[2]).toBeCloseTo(Math.cos(Math.PI / 3), 6);
});

test("each hand detects pinches from events or from finger distance", () => {
  const headset = new FakeHeadset();
  const left = headset.hand("left");
  headset.hand("right");
  const pinching = (secs: number) => {
    const frame = headset.at(secs);
    return [frame?.left?.pinching, frame?.right?.pinching];
  };
  headset.dispatch("selectstart", left);
  expect(pinching(1)).toEqual([true, false]);
  headset.dispatch("selectend", left);
  headset.thumbToIndexMetres = 0.01;
  expect(pinching(2)).toEqual([false, true]);
});

test("pinches of a transient pointer count for its hand", () => {
  const headset = new FakeHeadset();
  headset.hand("right");
  headset.dispatch("selectstart", { handedness: "right", targetRayMode: "transient-pointer" });
  expect(headset.at(1)?.right?.pinching).toBe(true);
  headset.dispatch("selectend", { handedness: "right", targetRayMode: "transient-pointer" });
  expect(headset.at(1.1)?.right?.pinching).toBe(false);
});

test("a lost hand ends its pinch", () => {
  const headset = new FakeHeadset();
  const hand = headset.hand("left");
  headset.dispatch("selectstart", hand);
  headset.at(1);
  headset.sources.pop();
  expect(headset.at(1.1)?.left).toMatchObject({ tracked: false, pinching: false });
  headset.sources.push(hand);
  expect(headset.at(1.2)?.left).toMatchObject({ tracked: true, pinching: false });
});

test("a hidden session records hands as untracked", () => {
  const headset = new FakeHeadset();
  expect(headset.capture.untrackedFrame()).toBeNull();
  headset.hand("left");
  headset.at(1);
  const gap = frameOf(headset.capture.untrackedFrame());
  expect([gap?.time, gap?.left?.tracked, gap?.camera]).toEqual([1.001, false, null]);
  expect(headset.capture.untrackedFrame()).toBeNull();
  expect(headset.at(5)?.left?.tracked).toBe(true);
});

test("the marker gesture works with the left hand only", () => {
  const markerCount = (handedness: XRHandedness) => {
    const headset = new FakeHeadset();
    headset.hand(handedness);
    headset.thumbToLittleMetres = 0.01;
    return [1, 1.2, 1.4, 1.6].map((secs) => {
      headset.at(secs);
      return headset.capture.isMarkerRequested;
    });
  };
  expect(markerCount("left")).toEqual([false, false, true, false]);
  expect(markerCount("right")).toEqual([false, false, false, false]);
});

/** A reference space whose origin can be moved. */
class FakeSpace {
  listener: (event: { transform?: { matrix: Float32Array } }) => void = () => {};
  /** From this space to that of the headset. */
  offset = new Matrix4();

  addEventListener(_: string, listener: FakeSpace["listener"]): void {
    this.listener = listener;
  }

  getOffsetReferenceSpace({ matrix }: { matrix: Matrix4 }): FakeSpace {
    const space = new FakeSpace();
    space.offset = matrix;
    return space;
  }

  poseIn(inBase: Matrix4): Matrix4 {
    return this.offset.clone().invert().multiply(inBase);
  }
}

class FakeTransform {
  readonly matrix: Matrix4;

  constructor(p: { x: number; y: number; z: number }, q: { x: number; y: number; z: number; w: number }) {
    const [position, turn] = [new Vector3(p.x, p.y, p.z), new Quaternion(q.x, q.y, q.z, q.w)];
    this.matrix = new Matrix4().compose(position, turn, new Vector3(1, 1, 1));
  }
}

test("a take keeps its space when the headset is recentred", () => {
  Object.assign(globalThis, { XRRigidTransform: FakeTransform });
  const base = new FakeSpace();
  const moves: boolean[] = [];
  const space = new StableReferenceSpace(base as unknown as XRReferenceSpace, (isCompensated) =>
    moves.push(isCompensated),
  );
  const target = new Matrix4().makeRotationX(0.3).setPosition(0.2, 1.1, -0.5);
  let inBase = target.clone();
  for (const radians of [0.8, -2.1]) {
    // The pose of the new origin in the old space.
    const moved = new Matrix4().makeRotationY(radians).setPosition(radians, 0, 0.4);
    inBase = moved.clone().invert().multiply(inBase);
    base.listener({ transform: { matrix: new Float32Array(moved.elements) } });
    const poses = (space.current as unknown as FakeSpace).poseIn(inBase);
    for (const [n, value] of poses.elements.entries()) {
      expect(value).toBeCloseTo(target.elements[n] ?? Number.NaN, 5);
    }
  }
  base.listener({});
  expect(moves).toEqual([true, true, false]);
});
