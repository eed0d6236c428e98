/** A page that installs a recording itself, in Vitest's browser mode. */

import { installRecording, type RecordingEvent } from "holotape-webxr";
import { afterEach, expect, test } from "vitest";
// Vite resolves it to the URL of the file.
import address from "../../../../testdata/valid/mrtk28_right_hand_markers.bin?url";

let uninstall = async () => {};
afterEach(() => uninstall());

test("a window gets the recording immediately, and its sessions run by steps", async () => {
  const bytes = await (await fetch(address)).arrayBuffer();
  const before = navigator.xr;
  const installing = installRecording(window, bytes, { rate: 20 });
  expect(navigator.xr).not.toBe(before);
  const replay = await installing;
  uninstall = () => replay.uninstall();
  expect(replay.markers.length).toBeGreaterThan(0);

  const session = await (navigator.xr as XRSystem).requestSession("immersive-vr", {
    optionalFeatures: ["hand-tracking"],
  });
  const gl = document.createElement("canvas").getContext("webgl2") as WebGL2RenderingContext;
  await session.updateRenderState({ baseLayer: new XRWebGLLayer(session, gl) });
  const space = await session.requestReferenceSpace("local");
  const tips: { readonly timeMs: number; readonly x: number | undefined }[] = [];
  const onFrame = (timeMs: number, frame: XRFrame) => {
    session.requestAnimationFrame(onFrame);
    const tip = [...session.inputSources][0]?.hand?.get("index-finger-tip");
    tips.push({ timeMs, x: (tip && frame.getJointPose?.(tip, space))?.transform.position.x });
  };
  session.requestAnimationFrame(onFrame);

  const reported: RecordingEvent["type"][] = [];
  replay.on("marker", ({ type }) => reported.push(type));
  replay.on("handfound", ({ type }) => reported.push(type));
  const steps = Math.ceil(replay.duration * 20);
  await replay.step(steps);
  expect(tips.map(({ timeMs }) => timeMs)).toEqual(Array.from({ length: steps }, (_, n) => (n + 1) * 50));
  expect(new Set(tips.map(({ x }) => x)).size).toBeGreaterThan(steps / 4);
  expect(reported.filter((type) => type === "marker")).toHaveLength(replay.markers.length);
  expect(reported).toContain("handfound");
  expect(replay.time).toBe(replay.duration);

  await replay.uninstall();
  expect(navigator.xr).toBe(before);
  await expect(replay.step()).rejects.toThrow("uninstalled");
});

test("a URL is fetched, the last recording replaces others, and another window is rejected", async () => {
  const first = await installRecording(window, address);
  const second = await installRecording(window, new URL(address, location.href), { autoplay: true });
  uninstall = () => second.uninstall();
  expect(await navigator.xr?.isSessionSupported("immersive-vr")).toBe(true);
  await expect(first.step()).rejects.toThrow("uninstalled");
  await first.uninstall();
  expect(await navigator.xr?.isSessionSupported("immersive-vr")).toBe(true);
  const other = document.createElement("iframe");
  document.body.append(other);
  await expect(installRecording(other.contentWindow as Window, address)).rejects.toThrow("its own window");
  await expect(installRecording(window, address, { forceInstall: true, rate: -1 })).rejects.toThrow(
    "invalid rate: -1 Hz",
  );
});
