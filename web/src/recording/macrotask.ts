/** Waits until all pending tasks have run, and the browser had a chance to draw. Unlike timers, not slowed down in background tabs. */
export function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
