import type { App } from "../app"; export function mountTimeline(_host: HTMLElement, _app: App): void {}
