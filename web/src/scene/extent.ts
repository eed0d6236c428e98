/** The extent of a recording's motion: what the camera frames, and the height of the floor. */

import { Box3, Quaternion, Vector3 } from "three";
import { isDrawable, isDrawablePose } from "../recording/drawable";
import { HANDS } from "../recording/joints";
import type { Frame, MotionSource, Pose } from "../recording/sampler";
import type { SceneRecording } from "../state";
import { INDEX_TIP, WRIST } from "./skeleton";
import { rotationToScene, toScene } from "./space";

export interface Extent {
  /** The bounding box of head and hands; never empty. */
  readonly box: Box3;
  /** A horizontal unit vector: the mean direction of the head. */
  readonly facing: Vector3;
  readonly floor: FloorEstimate;
}

export interface FloorEstimate {
  readonly height: number;
  /** Whether the floor was estimated, because the origin of the recording is at the head, as on a HoloLens. */
  readonly isEstimated: boolean;
}

/** Where a standing user would be. */
export const DEFAULT_BOX = new Box3(new Vector3(-0.5, 0.8, -0.5), new Vector3(0.5, 1.8, 0.5));

const SAMPLES = 64;
/** Framing ignores this fraction of outliers at either end. */
const OUTLIER_FRACTION = 0.03;
/** Lower eyes are not above a floor at 0: even seated users have theirs higher. */
const MIN_EYE_HEIGHT_METRES = 0.75;
const STANDING_EYE_HEIGHT_METRES = 1.6;
const HANDS_BELOW_EYES_METRES = 0.4;
const HEAD_DEPTH_METRES = 0.16;
/** Joints are inside hands, and eyes inside a head. */
const MARGIN_METRES = 0.09;

/** A box in front of the eyes and below them. */
const REACH_BOX_METRES = { ahead: 0.25, below: 0.3, wide: 0.9, high: 0.9 };

const cache = new WeakMap<MotionSource, Extent>();

/** The extent of a live take follows its motion. */
export function extentOf(recording: SceneRecording): Extent {
  if (recording.live !== undefined) {
    return liveExtent(recording.sampler.frameAt(recording.live.timeSecs));
  }
  const extent = cache.get(recording.sampler) ?? measure(recording);
  cache.set(recording.sampler, extent);
  return extent;
}

function measure({ sampler, info }: SceneRecording): Extent {
  const frames = Array.from({ length: SAMPLES }, (_, n) => sampler.frameAt((n / (SAMPLES - 1)) * info.duration_secs));
  const heads = frames.flatMap(({ camera }) => (camera && isDrawablePose(camera) ? [camera] : []));
  const eyes = heads.map(({ position }) => toScene(position, new Vector3()));
  const handPoints = frames.flatMap(handPointsOf);
  return {
    box: boxAround([...eyes, ...heads.map(backOfHead), ...handPoints]),
    facing: facingOf(heads),
    floor: floorBelow(eyes, handPoints),
  };
}

/** The reach of the user's arms. */
function liveExtent({ camera }: Frame): Extent {
  const heads = camera !== null && isDrawablePose(camera) ? [camera] : [];
  const eyes = heads.map(({ position }) => toScene(position, new Vector3()));
  const [head] = eyes;
  const facing = facingOf(heads);
  if (head === undefined) {
    return { box: DEFAULT_BOX.clone(), facing, floor: { height: 0, isEstimated: false } };
  }
  const middle = head.clone().addScaledVector(facing, REACH_BOX_METRES.ahead);
  middle.y -= REACH_BOX_METRES.below;
  const size = new Vector3(REACH_BOX_METRES.wide, REACH_BOX_METRES.high, REACH_BOX_METRES.wide);
  return { box: new Box3().setFromCenterAndSize(middle, size), facing, floor: floorBelow(eyes, []) };
}

function facingOf(heads: readonly Pose[]): Vector3 {
  const sum = heads.reduce((sum, head) => sum.add(forward(head)), new Vector3()).setY(0);
  return sum.lengthSq() > 1e-6 ? sum.normalize() : new Vector3(0, 0, -1);
}

function backOfHead(head: Pose): Vector3 {
  return toScene(head.position, new Vector3()).addScaledVector(forward(head), -HEAD_DEPTH_METRES);
}

function forward({ rotation }: Pose): Vector3 {
  return new Vector3(0, 0, -1).applyQuaternion(rotationToScene(rotation, new Quaternion()));
}

function handPointsOf(frame: Frame): Vector3[] {
  return HANDS.flatMap((hand) => [WRIST, INDEX_TIP].map((joint) => frame[hand]?.joints[joint])).flatMap((pose) =>
    pose && isDrawable(pose.position) ? [toScene(pose.position, new Vector3())] : [],
  );
}

function boxAround(points: readonly Vector3[]): Box3 {
  if (points.length === 0) {
    return DEFAULT_BOX.clone();
  }
  const along = (axis: "x" | "y" | "z", fraction: number) => quantile(points, axis, fraction);
  const corner = (fraction: number) => new Vector3(along("x", fraction), along("y", fraction), along("z", fraction));
  return new Box3(corner(OUTLIER_FRACTION), corner(1 - OUTLIER_FRACTION)).expandByScalar(MARGIN_METRES);
}

function floorBelow(heads: readonly Vector3[], hands: readonly Vector3[]): FloorEstimate {
  const height = (points: readonly Vector3[]) => quantile(points, "y", 0.5);
  const eyes = heads.length > 0 ? height(heads) : height(hands) + HANDS_BELOW_EYES_METRES;
  const isEstimated = eyes < MIN_EYE_HEIGHT_METRES;
  return { height: isEstimated ? eyes - STANDING_EYE_HEIGHT_METRES : 0, isEstimated };
}

/** NaN if there are no points. */
function quantile(points: readonly Vector3[], axis: "x" | "y" | "z", fraction: number): number {
  const sorted = points.map((point) => point[axis]).sort((a, b) => a - b);
  return sorted[Math.round(fraction * (sorted.length - 1))] ?? Number.NaN;
}
