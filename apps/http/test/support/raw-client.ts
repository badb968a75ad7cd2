import { once } from 'node:events';
import net from 'node:net';

/** A client that sends bytes as it likes, and may read nothing. */
export class RawClient {
  #text = '';
  #isClosed = false;

  private constructor(readonly socket: net.Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (this.#text += chunk));
    // A server that closes over unread bytes resets the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => (this.#isClosed = true));
  }

  /** Half-open: the server's end does not end this side. */
  static async connect(port: number): Promise<RawClient> {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  /** Everything that came. */
  get text(): string {
    return this.#text;
  }

  /** Status codes of the answers so far. */
  get statuses(): readonly number[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(bytes: string): this {
    this.socket.write(bytes, 'latin1');
    return this;
  }

  /** Resolves when the server has ended its side, or has reset the connection. */
  async ended(): Promise<void> {
    if (!this.socket.readableEnded && !this.#isClosed) await Promise.race([once(this.socket, 'end'), once(this.socket, 'close')]);
  }
}
