/** The geometry of a hand: the radius at each joint, and the connections between joints. */

import { FINGERS, JOINTS, jointIndex, parentOf } from "../recording/joints";

/** Of an adult, in millimetres, from the root of a finger to its tip. */
const FINGER_RADII_MM: Readonly<Record<(typeof FINGERS)[number], readonly number[]>> = {
  Thumb: [11, 10.4, 9.4, 7.2],
  Index: [8.5, 9.4, 8.2, 7.2, 5.8],
  Middle: [8.5, 9.6, 8.4, 7.3, 5.9],
  Ring: [8.2, 9, 7.8, 6.8, 5.5],
  Pinky: [7.6, 8.2, 6.7, 5.9, 4.9],
};
const WRIST_MM = 15;
const PALM_MM = 10;

/** The radius of each joint in metres, in the order of `JOINTS`. `None` has radius 0 and is not drawn. */
export const RADII: readonly number[] = [
  0,
  WRIST_MM,
  PALM_MM,
  ...FINGERS.flatMap((finger) => FINGER_RADII_MM[finger]),
].map((millimetres) => millimetres / 1000);

export type Bone = readonly [from: number, to: number];
export type PalmTriangle = readonly [a: number, b: number, c: number];

const LONG_FINGERS = ["Index", "Middle", "Ring", "Pinky"] as const;
const NEIGHBOURS = LONG_FINGERS.slice(1).map((finger, n) => [LONG_FINGERS[n] as string, finger] as const);

/** The skin of the palm. */
export const PALM_TRIANGLES: readonly PalmTriangle[] = [
  ...NEIGHBOURS.flatMap(([one, other]) => [
    palmTriangle("Wrist", `${one}Metacarpal`, `${other}Metacarpal`),
    palmTriangle(`${one}Metacarpal`, `${one}Knuckle`, `${other}Knuckle`),
    palmTriangle(`${one}Metacarpal`, `${other}Knuckle`, `${other}Metacarpal`),
  ]),
  palmTriangle("Wrist", "ThumbMetacarpalJoint", "IndexMetacarpal"),
  palmTriangle("ThumbMetacarpalJoint", "ThumbProximalJoint", "IndexMetacarpal"),
  palmTriangle("ThumbProximalJoint", "IndexKnuckle", "IndexMetacarpal"),
];

function palmTriangle(a: string, b: string, c: string): PalmTriangle {
  return [jointIndex(a), jointIndex(b), jointIndex(c)];
}

/** Bones of the fingers, and edges of the skin, which would have gaps otherwise. */
export const BONES: readonly Bone[] = [
  ...JOINTS.flatMap((name, joint): Bone[] => {
    const parent = parentOf(joint);
    return parent === null || name === "Palm" ? [] : [[parent, joint]];
  }),
  ...PALM_TRIANGLES.flatMap(([a, b, c]): Bone[] => [
    [a, b],
    [b, c],
    [c, a],
  ]),
].filter(isFirst);

/** Whether no earlier bone connects the same joints. */
function isFirst([from, to]: Bone, n: number, bones: readonly Bone[]): boolean {
  return bones.findIndex((bone) => bone.includes(from) && bone.includes(to)) === n;
}

export const TIPS: readonly number[] = FINGERS.map((finger) => jointIndex(`${finger}Tip`));
export const THUMB_TIP = jointIndex("ThumbTip");
export const INDEX_TIP = jointIndex("IndexTip");
export const PALM = jointIndex("Palm");
export const WRIST = jointIndex("Wrist");
