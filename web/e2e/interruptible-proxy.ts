/** An HTTP proxy on loopback that can interrupt the network of a test browser. */

import { connect, createServer, type Server, type Socket } from "node:net";

export class InterruptibleProxy {
  acceptedCount = 0;
  refusedCount = 0;
  private isInterrupted = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private port: number,
  ) {
    server.on("connection", (socket) => this.accept(socket));
  }

  /** Forwards all connections to one local port. */
  static async start(port: number): Promise<InterruptibleProxy> {
    const server = createServer();
    const proxy = new InterruptibleProxy(server, port);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get address(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** Closes all connections and refuses new ones. */
  interrupt(): void {
    this.isInterrupted = true;
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }

  /** Forwards new connections to another local port. */
  forwardTo(port: number): void {
    this.port = port;
  }

  restore(): void {
    this.isInterrupted = false;
  }

  async stop(): Promise<void> {
    this.interrupt();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(browser: Socket): void {
    if (this.isInterrupted) {
      this.refusedCount += 1;
      browser.destroy();
      return;
    }
    this.acceptedCount += 1;
    const upstream = connect(this.port, "127.0.0.1");
    for (const [socket, other] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      this.sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    // WebSockets use a CONNECT tunnel. Other requests have absolute URLs, which the server accepts.
    browser.once("data", (start) => {
      const end = start.indexOf("\r\n\r\n") + 4;
      if (start.toString("latin1").startsWith("CONNECT ")) {
        browser.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.write(start.subarray(end));
      } else {
        upstream.write(start);
      }
      browser.pipe(upstream);
      upstream.pipe(browser);
    });
  }
}
