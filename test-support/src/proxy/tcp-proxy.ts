import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Relay } from './relay.ts';

/** A proxy between a client and a server on loopback, which can simulate network failures. */
export class TcpProxy {
  readonly #server: Server;
  readonly #relays = new Set<Relay>();
  /** Stays the same while it refuses connections. */
  #port = 0;
  #latency = 0;
  #swallows = false;

  private constructor(target: number) {
    // Either end may close its side while the other one still sends.
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#relay(client, target));
  }

  /** @param target the port of the server on loopback */
  static async to(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.accept();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** A connection string for the server behind the proxy. The client never connects to the server directly. */
  get uri(): string {
    return `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#relays.size;
  }

  /** From now on, every byte is delayed by this time, in each direction. */
  delay(milliseconds: number): void {
    this.#latency = milliseconds;
  }

  /** Resets all connections and refuses new ones, as if the server had ended. */
  async refuse(): Promise<void> {
    await this.close();
  }

  /** Accepts connections again. */
  async accept(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Resets all open connections. New ones work. */
  cut(): void {
    for (const relay of this.#relays) relay.reset();
  }

  /** Simulates a lost network: connections stay open, new ones are accepted, and all bytes are dropped. */
  swallow(): void {
    this.#swallows = true;
    for (const relay of this.#relays) relay.swallow();
  }

  /** Ends all delays and losses. A connection that lost bytes is reset, because its two ends no longer agree. */
  heal(): void {
    this.#latency = 0;
    this.#swallows = false;
    for (const relay of this.#relays) if (relay.swallows) relay.reset();
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #relay(client: Socket, target: number): void {
    const relay = new Relay(client, connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }), () => this.#latency);
    this.#relays.add(relay);
    if (this.#swallows) relay.swallow();
    relay.whenOver(() => this.#relays.delete(relay));
  }
}
