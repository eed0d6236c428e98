/** The curves of a tape as a tree: channel, joint, component. */

import type { Curve, RecordingCurves } from "../recording/decode";

export interface Branch {
  readonly label: string;
  /** Without the component: `left.IndexTip`. */
  readonly name: string;
  readonly leaves: readonly Curve[];
  readonly branches: readonly Branch[];
  /** What picking the branch as a whole shows; nothing where that would be too much. */
  readonly picked: readonly string[];
  readonly keyCount: number;
}

export interface QuickPick {
  readonly label: string;
  readonly names: readonly string[];
}

const CHANNELS = [
  ["camera", "Head"],
  ["left", "Left hand"],
  ["right", "Right hand"],
  ["gaze", "Gaze"],
] as const;

const QUICK_PICKS: readonly QuickPick[] = [
  { label: "Head position", names: axes("camera.position") },
  { label: "Left index tip", names: axes("left.IndexTip.position") },
  { label: "Right index tip", names: axes("right.IndexTip.position") },
  { label: "Gaze direction", names: axes("gaze.direction") },
  { label: "Pinching", names: ["left.pinching", "right.pinching"] },
];

function axes(name: string): string[] {
  return [..."xyz"].map((axis) => `${name}.${axis}`);
}

/** Those of which the tape has something. */
export function quickPicksOf(curves: RecordingCurves): readonly QuickPick[] {
  const present = ({ label, names }: QuickPick) => ({ label, names: names.filter((name) => curves.byName.has(name)) });
  return QUICK_PICKS.map(present).filter(({ names }) => names.length > 0);
}

export function treeOf(curves: RecordingCurves): readonly Branch[] {
  const channel = ([name, label]: readonly [string, string]) =>
    channelOf(
      name,
      label,
      curves.curves.filter((curve) => curve.name.startsWith(`${name}.`)),
    );
  return CHANNELS.map(channel).filter((branch) => branch.keyCount > 0);
}

/** Four parts of a name have a joint in them: `left.IndexTip.position.x`. */
function channelOf(name: string, label: string, curves: readonly Curve[]): Branch {
  const jointOf = (curve: Curve) => (curve.name.split(".").length === 4 ? curve.name.split(".")[1] : undefined);
  const joints = [...new Set(curves.map(jointOf))].filter((joint) => joint !== undefined);
  const branches = joints.map((joint) => {
    const leaves = curves.filter((curve) => jointOf(curve) === joint);
    return branchOf(joint, `${name}.${joint}`, leaves, []);
  });
  return branchOf(
    label,
    name,
    curves.filter((curve) => jointOf(curve) === undefined),
    branches,
  );
}

function branchOf(label: string, name: string, leaves: readonly Curve[], branches: readonly Branch[]): Branch {
  const isPlace = (curve: Curve) => /\.(?:position|direction)\.[xyz]$/.test(curve.name);
  const own = leaves.reduce((sum, curve) => sum + curve.times.length, 0);
  const keyCount = branches.reduce((sum, branch) => sum + branch.keyCount, own);
  return { label, name, leaves, branches, picked: leaves.filter(isPlace).map((curve) => curve.name), keyCount };
}

/** Curves whose names have all the words in them, in any order: "left tip y". An axis is a whole part, or every Pinky would be a y. */
export function searchCurves(curves: RecordingCurves, query: string): readonly Curve[] {
  const words = query.toLowerCase().split(/[\s.]+/);
  return curves.curves.filter((curve) => {
    const name = curve.name.toLowerCase();
    const parts = name.split(".");
    return words.every((word) => (/^[wxyz]$/.test(word) ? parts.includes(word) : name.includes(word)));
  });
}
