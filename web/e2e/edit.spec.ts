/** Edits, which the server applies and saves to its working folder. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, type Fixtures, holotape, preparePage, ROOT, sample, test } from "./holotape";
import { holdResponses, intercept, markers, seek } from "./page";

type View = Fixtures["view"];
type Open = Fixtures["open"];

function demo(folder: string, ...args: readonly string[]): string {
  const file = path.join(folder, "take.bin");
  holotape("demo", file, ...args);
  return file;
}

/** Opens two recordings and activates the second. */
async function openTwo(folder: string, view: View, open: Open): Promise<Page> {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file);
  }
  const page = await open(await view("--edit", ...files));
  await page.getByRole("button", { name: "b.bin", exact: true }).click();
  return page;
}

function offsets(page: Page): Promise<number[]> {
  return page.evaluate(() => window.holotape.app.state.recordings.value.map((recording) => recording.offsetSecs));
}

test("markers can be added, renamed, moved, deleted and saved", async ({ folder, view, open }) => {
  const file = demo(folder, "--seconds", "2");
  const page = await open(await view("--edit", file));
  const before = await markers(page);
  await page.getByRole("tab", { name: /Markers/ }).click();
  await seek(page, 1.5);
  await page.getByRole("textbox", { name: "Name of the new marker" }).fill("grabbed the cup");
  await page.keyboard.press("Enter");
  await expect.poll(() => markers(page)).toContainEqual({ time: 1.5, name: "grabbed the cup" });

  await page.getByRole("button", { name: "Rename or move grabbed the cup" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("let it go");
  await page.getByRole("spinbutton", { name: "Time in seconds" }).fill("1.9");
  await page.keyboard.press("Enter");
  await expect.poll(() => markers(page)).toEqual([...before, { time: 1.9, name: "let it go" }]);

  const [first, ...others] = before;
  await page
    .getByRole("button", { name: `Delete ${first?.name}` })
    .first()
    .click();
  await expect.poll(() => markers(page)).toEqual([...others, { time: 1.9, name: "let it go" }]);

  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("textbox", { name: "File name" }).fill("changed.bin");
  await page.getByRole("button", { name: "Save as" }).click();
  await expect.poll(() => existsSync(path.join(folder, "changed.bin"))).toBe(true);
  const listed = holotape("markers", "list", path.join(folder, "changed.bin"));
  expect(listed).toContain("let it go");
  expect(holotape("markers", "list", file)).not.toContain("let it go");
});

test("marker times are limited to the recording", async ({ folder, view, open }) => {
  const [short, long] = ["short.bin", "long.bin"].map((name) => path.join(folder, name)) as [string, string];
  holotape("demo", short, "--seconds", "1");
  holotape("demo", long, "--seconds", "3");
  const page = await open(await view("--edit", short, long));
  await page.getByRole("tab", { name: /Markers/ }).click();
  await seek(page, 2);
  await page.getByRole("textbox", { name: "Name of the new marker" }).fill("too late");
  await page.getByRole("button", { name: "Add at 1.00 s" }).click();
  await expect.poll(() => markers(page)).toContainEqual({ time: 1, name: "too late" });
  await page.getByRole("button", { name: "Rename or move too late" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("later still");
  await page.getByRole("spinbutton", { name: "Time in seconds" }).fill("2");
  await page.keyboard.press("Enter");
  await expect.poll(() => markers(page)).toContainEqual({ time: 1, name: "later still" });
});

test("typed text is kept when other things change", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder, "--seconds", "2")));
  const before = await markers(page);
  const [first] = before;
  await page.getByRole("tab", { name: /Markers/ }).click();
  await page
    .getByRole("button", { name: `Rename or move ${first?.name}` })
    .first()
    .click();
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("half a na");
  // Adds a marker before this one in the file.
  await page.evaluate(async () => {
    const { app } = window.holotape;
    const recording = app.state.active.value;
    await (recording && app.edit(recording, { op: "add-marker", time: 0, name: "at the start" }));
  });
  await expect(name).toBeFocused();
  await page.keyboard.type("me");
  await page.keyboard.press("Enter");
  const expected = [{ time: 0, name: "at the start" }, { ...first, name: "half a name" }, ...before.slice(1)];
  await expect.poll(() => markers(page)).toEqual(expected);

  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("spinbutton", { name: "Position" }).fill("7");
  await page.evaluate(() => window.holotape.app.playback.setRange([0.5, 1]));
  await expect(page.getByRole("spinbutton", { name: "Position" })).toHaveValue("7");
});

test("a rejected marker keeps its typed name", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder, "--seconds", "1")));
  await intercept(page, "**/edit", (route) => route.fulfill({ status: 400, json: { message: "no room" } }));
  await page.getByRole("tab", { name: /Markers/ }).click();
  const name = page.getByRole("textbox", { name: "Name of the new marker" });
  await name.fill("grabbed the cup");
  await page.keyboard.press("Enter");
  await expect(page.getByText("no room")).toBeVisible();
  await expect(name).toHaveValue("grabbed the cup");
});

test("edits are sent one after the other", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder, "--seconds", "2")));
  const before = await markers(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/edit")) {
      sent.push(request.postData() ?? "");
    }
  });
  const release = await holdResponses(page, "**/edit");
  for (const time of [0.25, 0.5]) {
    await seek(page, time);
    await page.keyboard.press("m");
  }
  await expect.poll(() => sent.length).toBe(1);
  await seek(page, 0);
  expect(sent).toEqual([expect.stringContaining("0.25")]);
  release();
  await expect.poll(async () => (await markers(page)).length).toBe(before.length + 2);
  expect(sent).toEqual([expect.stringContaining("0.25"), expect.stringContaining("0.5")]);
});

test("edits during a save are kept", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder, "--seconds", "2")));
  const before = await markers(page);
  const release = await holdResponses(page, "**/save");
  await page.keyboard.press("Control+s");
  const isSaving = page.waitForRequest("**/save");
  await page.getByRole("button", { name: "Save as" }).click();
  await isSaving;
  await page.keyboard.press("m");
  await seek(page, 0.5);
  release();
  await expect(page.getByText(/^Saved as/)).toBeVisible();
  await expect.poll(async () => (await markers(page)).length).toBe(before.length + 1);
  expect(await page.evaluate(() => window.holotape.app.state.active.value?.info.modified)).toBe(true);
});

test("a double click on delete removes one marker", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder)));
  const before = await markers(page);
  const [first] = before;
  await page.getByRole("tab", { name: /Markers/ }).click();
  const release = await holdResponses(page, "**/edit");
  await page
    .getByRole("button", { name: `Delete ${first?.name}` })
    .first()
    .dblclick();
  release();
  await expect.poll(() => markers(page)).toEqual(before.slice(1));
  await page.keyboard.press("Control+z");
  await expect.poll(() => markers(page)).toEqual(before);
});

test("a marker outside the recording moves to its start or end", async ({ folder, view, open }) => {
  const page = await openTwo(folder, view, open);
  await page.getByRole("spinbutton", { name: "Starts at" }).last().fill("5");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: /Markers/ }).click();
  await page.getByRole("textbox", { name: "Name of the new marker" }).fill("before it all");
  await page.keyboard.press("Enter");
  await expect.poll(() => markers(page)).toContainEqual({ time: 0, name: "before it all" });
  await page.getByRole("button", { name: "Rename or move before it all" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("after it all");
  await page.getByLabel("Time in seconds").fill("99");
  await page.keyboard.press("Enter");
  await expect.poll(() => markers(page)).toContainEqual({ time: 12, name: "after it all" });
});

test("a rejected marker does not switch the panel", async ({ view, open }) => {
  const page = await open(await view("--edit"));
  await intercept(page, "**/edit", (route) => route.fulfill({ status: 400, json: { message: "not today" } }));
  await page.keyboard.press("m");
  await expect(page.getByRole("alert")).toContainText("not today");
  expect(await page.evaluate(() => window.holotape.app.state.panel.value)).toBe("recordings");
});

test("a trimmed recording stays aligned with the others", async ({ folder, view, open }) => {
  const page = await openTwo(folder, view, open);
  await page.evaluate(() => window.holotape.app.playback.setRange([3, 5.5]));
  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("button", { name: /^Trim/ }).click();
  await expect.poll(() => offsets(page)).toEqual([0, 3]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => offsets(page)).toEqual([0, 0]);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => offsets(page)).toEqual([0, 3]);
});

test("trimming writes the same bytes as holotape trim", async ({ folder, view, open }) => {
  const file = demo(folder);
  const page = await open(await view("--edit", file));
  await seek(page, 3);
  await page.keyboard.press("[");
  await seek(page, 5.5);
  await page.keyboard.press("]");
  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("button", { name: /^Trim/ }).click();
  await expect
    .poll(() => page.evaluate(() => window.holotape.app.state.active.value?.info.duration_secs))
    .toBeCloseTo(2.5, 5);
  await page.getByRole("textbox", { name: "File name" }).fill("trimmed");
  await page.getByRole("button", { name: "Save as" }).click();
  const saved = path.join(folder, "trimmed.bin");
  await expect.poll(() => existsSync(saved)).toBe(true);
  const expected = path.join(folder, "wanted.bin");
  holotape("trim", file, expected, "--from", "3", "--to", "5.5");
  expect(readFileSync(saved).equals(readFileSync(expected))).toBe(true);
});

test("an optimization preview can be applied or discarded", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder, "--seconds", "3")));
  const keys = () => page.evaluate(() => window.holotape.app.state.active.value?.info.key_count ?? 0);
  const shown = () => page.evaluate(() => window.holotape.app.state.recordings.value.length);
  const before = await keys();
  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("button", { name: "Preview optimization" }).click();
  await expect.poll(shown).toBe(2);
  expect(await keys()).toBe(before);
  await page.getByRole("button", { name: /^Discard/ }).click();
  await expect.poll(shown).toBe(1);
  await page.getByRole("button", { name: "Preview optimization" }).click();
  await expect.poll(shown).toBe(2);
  await page.getByRole("button", { name: /^Apply/ }).click();
  await expect.poll(shown).toBe(1);
  expect(await keys()).toBeLessThan(before / 2);
});

for (const decision of ["Apply", "Discard"]) {
  test(`${decision} returns to the recording of a preview and keeps range and zoom`, async ({ folder, view, open }) => {
    const page = await openTwo(folder, view, open);
    const shown = () =>
      page.evaluate(() => {
        const { recordings, active, range, window: shownWindow } = window.holotape.app.state;
        return {
          count: recordings.value.length,
          name: active.value?.info.name,
          range: range.value,
          window: shownWindow.value,
        };
      });
    await page.evaluate(() => {
      const { app } = window.holotape;
      app.playback.setRange([3, 5]);
      app.playback.setWindow([2, 6]);
    });
    await page.getByRole("tab", { name: /Edit/ }).click();
    await page.getByRole("button", { name: "Preview optimization" }).click();
    await expect.poll(async () => (await shown()).count).toBe(3);
    await page.evaluate(() => {
      const { app } = window.holotape;
      const preview = app.state.recordings.value.at(-1);
      if (preview !== undefined) {
        app.activate(preview);
      }
    });
    await page.getByRole("button", { name: decision }).click();
    await expect.poll(async () => (await shown()).count).toBe(2);
    expect(await shown()).toEqual({ count: 2, name: "b.bin", range: [3, 5], window: [2, 6] });
  });
}

test("only one preview runs at a time", async ({ folder, view, open }) => {
  const page = await open(await view("--edit", demo(folder, "--seconds", "1")));
  let requestCount = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await intercept(page, "**/preview", async (route) => {
    requestCount++;
    await answered;
    await route.continue();
  });
  await page.getByRole("tab", { name: /Edit/ }).click();
  const button = page.getByRole("button", { name: "Preview optimization" });
  await button.click();
  await page.evaluate(() => window.holotape.app.playback.setRange([0.25, 0.5]));
  await expect(button).toHaveAttribute("aria-busy", "true");
  await button.click();
  await page.getByRole("button", { name: "Preview repair" }).click();
  answer();
  await expect(page.getByRole("region", { name: "Preview" })).toBeVisible();
  expect(requestCount).toBe(1);
});

test("repair fixes the findings of check", async ({ folder, view, open }) => {
  const file = path.join(folder, "lost.bin");
  const broken = path.join(ROOT, "testdata/valid/mrtk27_rotation_w_lost.bin");
  holotape("convert", broken, file);
  const page = await open(await view("--edit", file));
  const codes = () =>
    page.evaluate(() => window.holotape.app.state.active.value?.info.findings.map(({ code }) => code) ?? []);
  expect(await codes()).toContain("rotation-w-lost");
  await page.getByRole("tab", { name: /Edit/ }).click();
  await seek(page, 2);
  await page.getByRole("button", { name: /repair/i }).click();
  // Positions stay, and most rotations change.
  await expect(page.getByText("distance: mean 0.0 mm, max 0.0 mm")).toBeVisible();
  await expect(page.getByText(/rotation: mean [1-9][\d.]*°/)).toBeVisible();
  await page.getByRole("button", { name: /^Apply/ }).click();
  await expect.poll(codes).not.toContain("rotation-w-lost");
});

test("saving asks before it replaces a file", async ({ folder, view, open }) => {
  const file = demo(folder, "--seconds", "1");
  const page = await open(await view("--edit", file));
  const before = readFileSync(file);
  await seek(page, 0.5);
  await page.keyboard.press("m");
  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("textbox", { name: "File name" }).fill("take.bin");
  await page.getByRole("button", { name: "Save as" }).click();
  await expect(page.getByRole("alert")).toContainText("take.bin");
  expect(readFileSync(file).equals(before)).toBe(true);
  await page.getByRole("button", { name: "Replace" }).click();
  await expect.poll(() => readFileSync(file).equals(before)).toBe(false);
  expect(sample<object>(file, "--at", "0.5")).toHaveLength(1);
});

test("without --edit nothing can be edited", async ({ folder, view, open }) => {
  const file = demo(folder, "--seconds", "1");
  const page = await open(await view(file));
  await expect(page.getByRole("tab", { name: /Edit/ })).toHaveCount(0);
  const before = await markers(page);
  await page.keyboard.press("m");
  await seek(page, 0.5);
  expect(await markers(page)).toEqual(before);
  expect(readdirSync(folder).sort()).toEqual(["take.bin", "take.html"]);
});

test("an edit based on an outdated state is rejected", async ({ folder, view, open, context }) => {
  const viewing = await view("--edit", demo(folder, "--seconds", "3"));
  const page = await open(viewing);
  const other = await context.newPage();
  await preparePage(other);
  await other.goto(viewing.address);
  await other.locator("html[data-ready]").waitFor({ state: "attached" });
  const before = await markers(other);
  await seek(other, 0.1);
  await other.keyboard.press("m");
  await expect.poll(async () => (await markers(other)).length).toBe(before.length + 1);
  await page.getByRole("tab", { name: /Markers/ }).click();
  await page
    .getByRole("button", { name: `Delete ${before[0]?.name}` })
    .first()
    .click();
  await expect(page.getByRole("alert")).toContainText("another window");
  await other.reload();
  await other.locator("html[data-ready]").waitFor({ state: "attached" });
  expect((await markers(other)).length).toBe(before.length + 1);
});
