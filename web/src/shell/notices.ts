/** Notices that disappear after a while. Screen readers announce them. */

import "./notices.css";
import type { Notify } from "../app";
import { element } from "../dom";
import { ERROR_NOTICE_MS, NOTICE_MS } from "../expiry";

const MAX_NOTICES = 4;

export function showNotices(body: HTMLElement): Notify {
  const list = element("div", { class: "notices", role: "status", "aria-live": "polite" });
  body.append(list);
  return (text, tone = "info") => {
    const isError = tone === "error";
    const close = element("button", { type: "button", "aria-label": "Dismiss" }, "×");
    const notice = element("div", { class: `notice ${tone}`, role: isError ? "alert" : null }, text, close);
    close.addEventListener("click", () => notice.remove());
    setTimeout(() => notice.remove(), isError ? ERROR_NOTICE_MS : NOTICE_MS);
    list.append(notice);
    while (list.childElementCount > MAX_NOTICES) {
      list.firstElementChild?.remove();
    }
  };
}
