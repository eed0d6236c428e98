/** The panel in the headset. */

import type { Page } from "@playwright/test";
import { Quaternion, Vector3 } from "three";
import { PanelFollower } from "../src/live/headset-ui/follow";
import { PRESS_COOLDOWN_SECS } from "../src/live/headset-ui/panel";
import { centreOf, type PanelButton } from "../src/live/headset-ui/panel-canvas";
import { frames, nextFrame, openWithHeadset, record } from "./headset";
import { expect, test } from "./holotape";

const HEAD = { position: new Vector3(0, 1.6, 0), rotation: new Quaternion() };
const NORMAL = new Vector3(0, 0, 1);

/** The pose of the panel for a head at the origin that looks ahead. */
function initialPanelPose(): PanelFollower {
  const panel = new PanelFollower();
  panel.update(HEAD, 0, false);
  return panel;
}

/** A point in front of the centre of a button. */
function pointBefore(button: PanelButton, metres: number): Vector3 {
  const { position, rotation } = initialPanelPose();
  return new Vector3(...centreOf(button), 0).addScaledVector(NORMAL, metres).applyQuaternion(rotation).add(position);
}

/** Moves the right hand and waits for a frame. */
async function moveHandTo(page: Page, position: Vector3, rotation = new Quaternion()): Promise<void> {
  const framesSeen = await move(page, position, rotation);
  await page.waitForFunction((framesSeen) => window.headset.frames.length > framesSeen + 2, framesSeen);
}

/** Moves the hand. Returns the frame count before. */
function move(page: Page, position: Vector3, rotation = new Quaternion()): Promise<number> {
  return page.evaluate(
    ([p, q]) => {
      const { right } = window.headset.device.hands;
      right?.position.set(...p);
      right?.quaternion.set(...q);
      return window.headset.frames.length;
    },
    [position.toArray(), rotation.toArray()] as const,
  );
}

async function poke(page: Page, button: PanelButton, fromHandToTip: Vector3): Promise<void> {
  for (const metres of [0.1, 0.04]) {
    await moveHandTo(page, pointBefore(button, metres).sub(fromHandToTip));
  }
  // A press can end the session, after which there are no frames.
  await move(page, pointBefore(button, 0.003).sub(fromHandToTip));
}

/** Waits until buttons can be pressed again, in the time of the XR session. */
async function waitForButtons(page: Page): Promise<void> {
  const pressedSecs = await nextFrame(page);
  await page.waitForFunction(
    (untilSecs) => (window.headset.frames.at(-1)?.timeMs ?? 0) / 1000 > untilSecs,
    pressedSecs + PRESS_COOLDOWN_SECS,
  );
}

function lastMarker(page: Page): Promise<string | undefined> {
  return page.evaluate(() => window.holotape.recorder?.status.value?.lastMarker?.name);
}

/** Short enough for a line of the panel. */
const WARNING = "the journal cannot be written: disk full";

test("panel buttons react to fingertips and rays", async ({ page, view }) => {
  await openWithHeadset(page, (await view()).address);
  await page.evaluate(() => {
    const { headset: worn } = window;
    worn.isMoving = false;
    worn.device.position.set(0, 1.6, 0);
    worn.device.quaternion.set(0, 0, 0, 1);
  });
  await record(page);
  const rest = new Vector3(0.4, 1.2, -0.2);
  await moveHandTo(page, rest);
  const [x = 0, y = 0, z = 0] = (await frames(page)).at(-1)?.right?.indexTip ?? [];
  const fromHandToTip = new Vector3(x, y, z).sub(rest);

  await poke(page, "marker", fromHandToTip);
  await expect.poll(() => lastMarker(page)).toBe("marker 1");
  await moveHandTo(page, pointBefore("marker", 0.5), initialPanelPose().rotation);
  expect(await lastMarker(page)).toBe("marker 1");
  await waitForButtons(page);
  await page.evaluate(() => {
    window.headset.pinches = [[0, 1e9]];
  });
  await expect.poll(() => lastMarker(page)).toBe("marker 2");
  await page.evaluate(() => {
    window.headset.pinches = [];
  });
  await waitForButtons(page);
  await poke(page, "stop", fromHandToTip);
  await expect(page.getByRole("status")).toContainText("Saved as");
});

test("the panel shows a warning of the server", async ({ page, view }) => {
  await page.addInitScript(() => {
    const drawn = new Set<string>();
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
      drawn.add(text);
      fillText.call(this, text, ...at);
    };
    Object.assign(window, { drawnTexts: drawn });
  });
  let warn = () => {};
  await page.routeWebSocket("**/api/live/record", (socket) => {
    socket.connectToServer();
    warn = () => socket.send(JSON.stringify({ type: "warning", message: WARNING }));
  });
  await openWithHeadset(page, (await view()).address);
  await record(page);
  warn();
  await expect(page.getByRole("alert")).toContainText(WARNING);
  const drawn = () => page.evaluate(() => [...(window as unknown as { drawnTexts: Set<string> }).drawnTexts].join(" "));
  await expect.poll(drawn).toContain(WARNING);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("status")).toContainText("Saved as");
});

test("the panel ignores small head motion and follows large motion", () => {
  const panel = initialPanelPose();
  const start = panel.position.clone();
  const turned = (radians: number) => ({
    position: HEAD.position,
    rotation: new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), radians),
  });
  for (let n = 0; n < 90; n++) {
    panel.update(turned(0.4), 1 / 90, false);
  }
  expect(panel.position.distanceTo(start)).toBe(0);
  panel.update(turned(1.5), 1 / 90, true);
  expect(panel.position.distanceTo(start)).toBe(0);
  panel.update(turned(1.5), 1 / 90, false);
  const step = panel.position.distanceTo(start);
  expect(step).toBeGreaterThan(0);
  expect(step).toBeLessThan(0.05);
  for (let n = 0; n < 270; n++) {
    panel.update(turned(1.5), 1 / 90, false);
  }
  const expected = start
    .clone()
    .sub(HEAD.position)
    .applyAxisAngle(new Vector3(0, 1, 0), 1.5)
    .add(HEAD.position);
  expect(panel.position.distanceTo(expected)).toBeLessThan(0.03);
});
