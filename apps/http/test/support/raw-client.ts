import { once } from 'node:events';
import net from 'node:net';

/** A client that can send any bytes, and may read nothing. */
export class RawClient {
  #text = '';
  #isClosed = false;

  private constructor(readonly socket: net.Socket) {
    socket.setEncoding('latin1');
    // A client that a test leaves half-open must not keep the worker of Jest from ending.
    socket.unref();
    socket.on('data', (chunk: string) => (this.#text += chunk));
    // A server that closes a connection with unread bytes resets it.
    socket.on('error', () => undefined);
    socket.on('close', () => (this.#isClosed = true));
  }

  /** Half-open: if the server closes its side, this side stays open. */
  static async connect(port: number): Promise<RawClient> {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  /** Everything that was received. */
  get text(): string {
    return this.#text;
  }

  /** The status codes of the responses so far. */
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

  /** Resolves when the server has closed its side, or has reset the connection. */
  async ended(): Promise<void> {
    if (this.socket.readableEnded || this.#isClosed) return;
    await new Promise((resolve) => this.socket.once('end', resolve).once('close', resolve));
  }
}
