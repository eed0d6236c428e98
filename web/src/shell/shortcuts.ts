import type { App } from "../app"; export function followShortcuts(_app: App): void {}
