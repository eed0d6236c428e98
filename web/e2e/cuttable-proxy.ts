/** A network that can be cut: a proxy on loopback, for the browser of a test. Addresses stay as they are, and so do the headers. */

import { connect, createServer, type Server, type Socket } from "node:net";

export class CuttableProxy {
  /** How many connections were let through. */
  opened = 0;
  /** How many were refused. */
  refused = 0;
  private isCut = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {
    server.on("connection", (socket) => this.take(socket));
  }

  /** Everything goes to one port of this machine. */
  static async start(port: number): Promise<CuttableProxy> {
    const server = createServer();
    const proxy = new CuttableProxy(server, port);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get address(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** Breaks all connections, and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }

  mend(): void {
    this.isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(browser: Socket): void {
    if (this.isCut) {
      this.refused += 1;
      browser.destroy();
      return;
    }
    this.opened += 1;
    const program = connect(this.port, "127.0.0.1");
    for (const [socket, other] of [
      [browser, program],
      [program, browser],
    ] as const) {
      this.sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    // WebSockets come through a tunnel that is asked for; requests with whole addresses are understood by any server.
    browser.once("data", (start) => {
      const end = start.indexOf("\r\n\r\n") + 4;
      if (start.toString("latin1").startsWith("CONNECT ")) {
        browser.write("HTTP/1.1 200 OK\r\n\r\n");
        program.write(start.subarray(end));
      } else {
        program.write(start);
      }
      browser.pipe(program);
      program.pipe(browser);
    });
  }
}
