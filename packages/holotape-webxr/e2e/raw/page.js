/** A page that uses WebXR without an engine and logs everything that it receives. */

const log = { frames: [], events: [] };
window.log = log;
/** Features from the URL: `?features=hand-tracking,eye-tracking`. */
const features = (new URLSearchParams(location.search).get("features") ?? "hand-tracking").split(",").filter(Boolean);
const spaceType = new URLSearchParams(location.search).get("space") ?? "local-floor";

const transformOf = ({ position: p, orientation: o }) => ({
  position: [p.x, p.y, p.z],
  rotation: [o.x, o.y, o.z, o.w],
});
const poseOf = (pose) => pose && transformOf(pose.transform);

function seenOf(source, frame, space) {
  const joints = source.hand ? [...source.hand.values()] : [];
  const matrices = new Float32Array(16 * joints.length);
  const radii = new Float32Array(joints.length);
  const areFilled = source.hand ? [frame.fillPoses(joints, space, matrices), frame.fillJointRadii(joints, radii)] : [];
  return {
    handedness: source.handedness,
    mode: source.targetRayMode,
    profiles: [...source.profiles],
    joints: Object.fromEntries(joints.map((joint) => [joint.jointName, poseOf(frame.getJointPose(joint, space))])),
    radius: joints.map((joint) => frame.getJointPose(joint, space)?.radius),
    matrices: [...matrices],
    radii: [...radii],
    areFilled,
    ray: poseOf(frame.getPose(source.targetRaySpace, space)),
    grip: source.gripSpace ? poseOf(frame.getPose(source.gripSpace, space)) : null,
    isEmulated: frame.getPose(source.targetRaySpace, space)?.emulatedPosition,
    pinch: source.gamepad?.buttons[0]?.value,
  };
}

document.querySelector("#enter").addEventListener("click", async () => {
  const required = ["local", "viewer"].includes(spaceType) ? [] : [spaceType];
  const session = await navigator.xr.requestSession("immersive-vr", {
    requiredFeatures: required,
    optionalFeatures: features,
  });
  window.session = session;
  const gl = document.querySelector("canvas").getContext("webgl2", { xrCompatible: true });
  const layer = new XRWebGLLayer(session, gl);
  session.updateRenderState({ baseLayer: layer });
  const space = await session.requestReferenceSpace(spaceType);
  const shifted = space.getOffsetReferenceSpace(new XRRigidTransform({ x: 1, y: 2, z: 3 }, { x: 0, y: 1, z: 0, w: 0 }));
  const held = new Set();
  for (const type of ["selectstart", "select", "selectend"]) {
    session.addEventListener(type, ({ inputSource, frame }) => {
      const isListed = [...session.inputSources].includes(inputSource);
      const tip = inputSource.hand?.get("index-finger-tip");
      const point = tip && poseOf(frame.getJointPose(tip, space));
      log.events.push({
        frame: log.frames.length,
        type,
        hand: inputSource.handedness,
        isListed,
        hasPose: point !== null,
      });
    });
  }
  session.addEventListener("inputsourceschange", ({ added, removed }) => {
    for (const [type, sources] of Object.entries({ added, removed })) {
      for (const source of sources) {
        held.add(source);
        log.events.push({ frame: log.frames.length, type, hand: source.handedness, mode: source.targetRayMode });
      }
    }
  });
  const onFrame = (timeMs, frame) => {
    session.requestAnimationFrame(onFrame);
    const viewer = frame.getViewerPose(space);
    log.frames.push({
      timeMs,
      displayMs: frame.predictedDisplayTime,
      frameRate: session.frameRate,
      viewer: poseOf(viewer),
      widths: viewer.views.map((view) => layer.getViewport(view).width / layer.framebufferWidth),
      fromShifted: poseOf(frame.getViewerPose(shifted)),
      sources: [...session.inputSources].map((source) => seenOf(source, frame, space)),
      // A stored reference to a lost hand must not return its last pose.
      gone: [...held]
        .filter((source) => ![...session.inputSources].includes(source))
        .map((source) => seenOf(source, frame, space)),
    });
  };
  session.requestAnimationFrame(onFrame);
});
