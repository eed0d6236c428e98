/** The curves of a recording as a tree: channel, joint, component. */

import type { Curve, RecordingCurves } from "../recording/decode";

export interface Branch {
  readonly label: string;
  /** The common prefix of its curves: `left.IndexTip`. */
  readonly name: string;
  readonly leaves: readonly Curve[];
  readonly branches: readonly Branch[];
  /** The curves that the checkbox of the branch selects; empty for a branch without a checkbox. */
  readonly selection: readonly string[];
  readonly keyCount: number;
}

export interface CurvePreset {
  readonly label: string;
  readonly names: readonly string[];
}

const CHANNELS = [
  ["camera", "Head"],
  ["left", "Left hand"],
  ["right", "Right hand"],
  ["gaze", "Gaze"],
] as const;

const PRESETS: readonly CurvePreset[] = [
  { label: "Head position", names: axes("camera.position") },
  { label: "Left index tip", names: axes("left.IndexTip.position") },
  { label: "Right index tip", names: axes("right.IndexTip.position") },
  { label: "Gaze direction", names: axes("gaze.direction") },
  { label: "Pinching", names: ["left.pinching", "right.pinching"] },
];

function axes(name: string): string[] {
  return [..."xyz"].map((axis) => `${name}.${axis}`);
}

/** The presets of which the recording has curves. */
export function presetsOf(curves: RecordingCurves): readonly CurvePreset[] {
  const present = ({ label, names }: CurvePreset) => ({
    label,
    names: names.filter((name) => curves.byName.has(name)),
  });
  return PRESETS.map(present).filter(({ names }) => names.length > 0);
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

/** Names of four parts contain a joint: `left.IndexTip.position.x`. */
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
  const isSelected = (curve: Curve) => /\.(?:position|direction)\.[xyz]$/.test(curve.name);
  const own = leaves.reduce((sum, curve) => sum + curve.times.length, 0);
  const keyCount = branches.reduce((sum, branch) => sum + branch.keyCount, own);
  return { label, name, leaves, branches, selection: leaves.filter(isSelected).map((curve) => curve.name), keyCount };
}

/** Curves whose names contain all words of the query: "left tip y". Axes match whole parts only, so that "y" does not match "Pinky". */
export function searchCurves(curves: RecordingCurves, query: string): readonly Curve[] {
  const words = query.toLowerCase().split(/[\s.]+/);
  return curves.curves.filter((curve) => {
    const name = curve.name.toLowerCase();
    const parts = name.split(".");
    return words.every((word) => (/^[wxyz]$/.test(word) ? parts.includes(word) : name.includes(word)));
  });
}
