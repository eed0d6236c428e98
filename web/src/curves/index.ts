import type { App } from "../app"; export function mountCurves(_host: HTMLElement, _app: App): void {}
