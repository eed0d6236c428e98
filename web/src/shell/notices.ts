/** Notices that disappear after a while. Screen readers announce them. */

import "./notices.css";
import type { Notify } from "../app";
import { element } from "../dom";

const SHOWN_MS = 6_000;
const SHOWN_LONG_MS = 20_000;
const MAX_NOTICES = 4;

export function showNotices(body: HTMLElement): Notify {
  const list = element("div", { class: "notices", role: "status", "aria-live": "polite" });
  body.append(list);
  return (text, tone = "info") => {
    const isError = tone === "error";
    const close = element("button", { type: "button", "aria-label": "Dismiss" }, "×");
    const notice = element("div", { class: `notice ${tone}`, role: isError ? "alert" : null }, text, close);
    close.addEventListener("click", () => notice.remove());
    setTimeout(() => notice.remove(), isError ? SHOWN_LONG_MS : SHOWN_MS);
    list.append(notice);
    while (list.childElementCount > MAX_NOTICES) {
      list.firstElementChild?.remove();
    }
  };
}
