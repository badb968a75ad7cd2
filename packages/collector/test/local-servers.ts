import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Servers of the tests of one file, on ports of this machine. They end with each test. */
export class LocalServers {
  /** The requests that {@link serving} has received in this test. */
  seen: IncomingMessage[] = [];
  readonly #ends: (() => Promise<unknown>)[] = [];

  constructor() {
    beforeEach(() => {
      this.seen = [];
    });
    afterEach(() => this.end());
  }

  /** Ends all that are left. */
  async end(): Promise<void> {
    await Promise.all(this.#ends.splice(0).map((end) => end()));
  }

  /** Calls this at the end of the test. */
  endWith(end: () => Promise<unknown>): void {
    this.#ends.push(end);
  }

  /** Resolves with the port. */
  async listening(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.endWith(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  /** The address of a server that answers so. */
  async serving(answer: RequestListener): Promise<string> {
    const server = createServer((request, response) => {
      this.seen.push(request);
      answer(request, response);
    });
    return `http://127.0.0.1:${String(await this.listening(server))}`;
  }
}
