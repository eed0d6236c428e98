/** The radii of joints in metres, which recordings do not contain: those of an adult hand. */

const WRIST = 0.022;
const BONE_RADII: Readonly<Record<string, number>> = {
  metacarpal: 0.019,
  "phalanx-proximal": 0.0105,
  "phalanx-intermediate": 0.009,
  "phalanx-distal": 0.008,
  tip: 0.007,
};
/** The thumb is thicker than other fingers, the little finger thinner. */
const FINGERS: Readonly<Record<string, number>> = { thumb: 1.2, "pinky-finger": 0.85 };

export function radiusMetres(joint: string): number {
  const finger = Object.keys(FINGERS).find((name) => joint.startsWith(name));
  const part = Object.keys(BONE_RADII).find((name) => joint.endsWith(name));
  return part === undefined ? WRIST : (BONE_RADII[part] ?? WRIST) * (finger === undefined ? 1 : (FINGERS[finger] ?? 1));
}
