/** The curves of a file in their order (docs/format.md, "Body"). */

import type { RecordingCurves } from "../../../../web/src/recording/decode";
import { HANDS, JOINTS } from "../../../../web/src/recording/joints";

export type Channels = RecordingCurves["channels"];

const components = (name: string, part: string, axes: string) => [...axes].map((axis) => `${name}.${part}.${axis}`);
const pose = (name: string) => [...components(name, "position", "xyz"), ...components(name, "rotation", "xyzw")];

const CAMERA = pose("camera");
const FLAGS = ["tracked", "pinching"].flatMap((flag) => HANDS.map((hand) => `${hand}.${flag}`));
const JOINT_POSES = HANDS.flatMap((hand) => JOINTS.flatMap((joint) => pose(`${hand}.${joint}`)));
const GAZE = [...components("gaze", "origin", "xyz"), ...components("gaze", "direction", "xyz")];

export function curveNames({ camera, hands, gaze }: Channels): string[] {
  return [...(camera ? CAMERA : []), ...(hands ? [...FLAGS, ...JOINT_POSES] : []), ...(gaze ? GAZE : [])];
}

/** Keys of flags have 8 bytes in every layout. */
export function isFlag(name: string): boolean {
  return FLAGS.includes(name);
}

/** The name in messages: `left IndexTip rotation.w`. */
export function spacedName(name: string): string {
  const [first, ...parts] = name.split(".");
  const axis = parts.length > 1 ? `.${parts.pop()}` : "";
  return `${[first, ...parts].join(" ")}${axis}`;
}
