/**
 * A button in space, within reach, that the tip of a right index finger presses. The page does not know about recordings and runs on
 * headsets as it is.
 */

import * as THREE from "three";

/** Metres, in `local-floor`. */
const BUTTON = new THREE.Box3().setFromCenterAndSize(
  new THREE.Vector3(0, 1.15, -0.45),
  new THREE.Vector3(0.1, 0.1, 0.04),
);

/** What happened, for tests. */
export interface Log {
  frames: number;
  readonly presses: { readonly frame: number; readonly timeMs: number; readonly point: readonly number[] }[];
  /** How often a hand that must not press the button was inside it. */
  ignored: number;
  readonly events: { readonly frame: number; readonly type: string; readonly hand: string }[];
}

declare global {
  interface Window {
    button: Log;
  }
}

const log: Log = { frames: 0, presses: [], ignored: 0, events: [] };
window.button = log;

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(70, innerWidth / innerHeight, 0.05, 20);
const renderer = new THREE.WebGLRenderer();
renderer.setSize(innerWidth, innerHeight);
renderer.xr.enabled = true;
document.body.append(renderer.domElement);

const size = BUTTON.getSize(new THREE.Vector3());
const face = new THREE.MeshBasicMaterial({ color: "steelblue" });
const button = new THREE.Mesh(new THREE.BoxGeometry(size.x, size.y, size.z), face);
BUTTON.getCenter(button.position);
scene.add(button);

const hands = [0, 1].map((index) => {
  const hand = renderer.xr.getHand(index);
  const tip = new THREE.Mesh(new THREE.SphereGeometry(0.008), new THREE.MeshBasicMaterial({ color: "orange" }));
  scene.add(hand, tip);
  const seen = { hand, tip, handedness: "none" };
  hand.addEventListener("connected", ({ data }) => {
    seen.handedness = data.handedness;
  });
  return seen;
});

let wasInside = false;

renderer.setAnimationLoop((timeMs) => {
  if (!renderer.xr.isPresenting) {
    return;
  }
  log.frames += 1;
  let isInside = false;
  for (const { hand, tip, handedness } of hands) {
    const joint = hand.joints["index-finger-tip"];
    tip.visible = hand.visible && joint?.visible === true;
    if (joint === undefined || !tip.visible) {
      continue;
    }
    tip.position.copy(joint.position);
    if (BUTTON.containsPoint(joint.position)) {
      if (handedness === "right") {
        isInside = true;
        press(timeMs, joint.position);
      } else {
        log.ignored += 1;
      }
    }
  }
  wasInside = isInside;
  renderer.render(scene, camera);
});

function press(timeMs: number, at: THREE.Vector3): void {
  if (!wasInside) {
    log.presses.push({ frame: log.frames, timeMs, point: at.toArray() });
    face.color.set("seagreen");
    (document.querySelector("#state") as HTMLElement).textContent = "pressed";
  }
}

document.querySelector("#enter")?.addEventListener("click", async () => {
  const session = await navigator.xr?.requestSession("immersive-vr", {
    requiredFeatures: ["local-floor"],
    optionalFeatures: ["hand-tracking"],
  });
  if (session === undefined) {
    return;
  }
  for (const type of ["selectstart", "select", "selectend"] as const) {
    session.addEventListener(type, ({ inputSource }) => {
      log.events.push({ frame: log.frames, type, hand: inputSource.handedness });
    });
  }
  session.addEventListener("inputsourceschange", ({ added, removed }) => {
    for (const [type, sources] of Object.entries({ added, removed })) {
      for (const { handedness } of sources) {
        log.events.push({ frame: log.frames, type, hand: handedness });
      }
    }
  });
  await renderer.xr.setSession(session);
});
