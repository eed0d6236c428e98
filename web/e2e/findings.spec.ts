/** The findings panel. */

import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, ROOT, test } from "./holotape";
import { time } from "./page";

const recording = (name: string) => path.join(ROOT, "testdata/valid", name);

function highlight(page: Page): Promise<string | null> {
  return page.evaluate(() => window.holotape.app.state.highlightedSubject.value);
}

test("selecting a finding seeks to it and highlights its subject", async ({ view, open }) => {
  const page = await open(await view("--edit", recording("mrtk25_rolling_cutoff.bin")));
  await page.getByRole("tab", { name: /Findings/ }).click();
  const row = page.getByRole("button", { name: /right\.IndexDistalJoint.*unsteady-bones/ });
  await row.click();
  expect(await time(page)).toBeCloseTo(0.148, 3);
  expect(await highlight(page)).toBe("right.IndexDistalJoint");

  await page.evaluate(async () => {
    const { app } = window.holotape;
    const recording = app.state.active.value;
    await (recording && app.edit(recording, { op: "add-marker", time: 0, name: "seen" }));
  });
  await expect(row, "adding a marker keeps the selection").toHaveAttribute("aria-pressed", "true");
  expect(await highlight(page)).toBe("right.IndexDistalJoint");
  await row.click();
  await expect(row).toHaveAttribute("aria-pressed", "false");
  expect(await highlight(page)).toBeNull();
});

test("selecting a finding of a curve draws the curve", async ({ view, open }) => {
  const page = await open(await view(recording("curves_every_rule.bin")));
  await page.getByRole("tab", { name: /Findings/ }).click();
  await page.getByRole("button", { name: /right\.Wrist\.position\.y.*wrap-modes/ }).click();
  expect(await highlight(page)).toBe("right.Wrist");
  const drawn = page.getByRole("list", { name: /^Curves shown/ }).getByRole("listitem");
  await expect(drawn).toHaveCount(1);
  await expect(drawn).toContainText("right.Wrist.position.y");
});
