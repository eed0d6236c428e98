/** The panel that floats in the headset: pressed by a fingertip and by a ray, and slow to follow. */

import type { Page } from "@playwright/test";
import { Quaternion, Vector3 } from "three";
import { PanelFollower } from "../src/live/headset-ui/follow";
import { centreOf, type PanelButton } from "../src/live/headset-ui/panel-canvas";
import { given, openWorn, record } from "./headset";
import { expect, test } from "./holotape";

const HEAD = { position: new Vector3(0, 1.6, 0), rotation: new Quaternion() };
const NORMAL = new Vector3(0, 0, 1);

/** Where the panel is for who stands at the origin and looks ahead. */
function panelAhead(): PanelFollower {
  const panel = new PanelFollower();
  panel.update(HEAD, 0, false);
  return panel;
}

/** A place before the middle of a button. */
function before(button: PanelButton, metres: number): Vector3 {
  const { position, rotation } = panelAhead();
  return new Vector3(...centreOf(button), 0).addScaledVector(NORMAL, metres).applyQuaternion(rotation).add(position);
}

/** Puts the right hand somewhere and waits until the page has seen it there. */
async function put(page: Page, position: Vector3, rotation = new Quaternion()): Promise<void> {
  const seen = await move(page, position, rotation);
  await page.waitForFunction((seen) => window.worn.given.length > seen + 2, seen);
}

/** Puts it there; how many frames the page had seen before. */
function move(page: Page, position: Vector3, rotation = new Quaternion()): Promise<number> {
  return page.evaluate(
    ([p, q]) => {
      const { right } = window.worn.device.hands;
      right?.position.set(...p);
      right?.quaternion.set(...q);
      return window.worn.given.length;
    },
    [position.toArray(), rotation.toArray()] as const,
  );
}

async function poke(page: Page, button: PanelButton, fromHandToTip: Vector3): Promise<void> {
  for (const metres of [0.1, 0.04]) {
    await put(page, before(button, metres).sub(fromHandToTip));
  }
  // What is poked may end the session, and no frame follows.
  await move(page, before(button, 0.003).sub(fromHandToTip));
}

function lastMarker(page: Page): Promise<string | undefined> {
  return page.evaluate(() => window.holotape.recorder?.status.value?.lastMarker?.name);
}

test("panel buttons react to fingertips and rays", async ({ page, view }) => {
  await openWorn(page, (await view()).address);
  await page.evaluate(() => {
    const { worn } = window;
    worn.isMoving = false;
    worn.device.position.set(0, 1.6, 0);
    worn.device.quaternion.set(0, 0, 0, 1);
  });
  await record(page);
  const rest = new Vector3(0.4, 1.2, -0.2);
  await put(page, rest);
  const [x = 0, y = 0, z = 0] = (await given(page)).at(-1)?.right?.indexTip ?? [];
  const fromHandToTip = new Vector3(x, y, z).sub(rest);

  await poke(page, "marker", fromHandToTip);
  await expect.poll(() => lastMarker(page)).toBe("marker 1");
  await put(page, before("marker", 0.5), panelAhead().rotation);
  expect(await lastMarker(page)).toBe("marker 1");
  await page.waitForTimeout(600);
  await page.evaluate(() => {
    window.worn.pinches = [[0, 1e9]];
  });
  await expect.poll(() => lastMarker(page)).toBe("marker 2");
  await page.evaluate(() => {
    window.worn.pinches = [];
  });
  await page.waitForTimeout(600);
  await poke(page, "stop", fromHandToTip);
  await expect(page.getByRole("status")).toContainText("Saved as");
});

test("the panel ignores small head motion and follows large motion", () => {
  const panel = panelAhead();
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
  const wanted = start
    .clone()
    .sub(HEAD.position)
    .applyAxisAngle(new Vector3(0, 1, 0), 1.5)
    .add(HEAD.position);
  expect(panel.position.distanceTo(wanted)).toBeLessThan(0.03);
});
