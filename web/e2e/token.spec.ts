/** The token of the server. */

import { expect, test } from "./holotape";

test("a browser without the token can paste it", async ({ page, view }) => {
  const { address } = await view();
  const url = new URL(address);
  const token = url.searchParams.get("token") ?? "";
  await page.goto(url.origin);
  await expect(page.getByRole("heading")).toHaveText("This server requires a token");
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByRole("alert")).toHaveText("This token is wrong.");
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Open" }).click();
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
  expect(page.url(), "not in the address bar").toBe(`${url.origin}/`);
  await page.reload();
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
});

test("a link on another page opens the viewer", async ({ page, view }) => {
  const { address } = await view();
  await page.route("https://example.org/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${address}">open</a>` }),
  );
  await page.goto("https://example.org/");
  await page.getByRole("link").click();
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
  expect(page.url()).toBe(`${new URL(address).origin}/`);
});
