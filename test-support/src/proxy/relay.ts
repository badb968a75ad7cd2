import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One connection through a proxy: what either end says goes to the other, late or not at all. */
export class Relay {
  readonly #ends: readonly [Socket, Socket];
  readonly #latency: () => number;
  #swallows = false;

  constructor(client: Socket, server: Socket, latency: () => number) {
    this.#ends = [client, server];
    this.#latency = latency;
    this.#pass(client, server);
    this.#pass(server, client);
  }

  get swallows(): boolean {
    return this.#swallows;
  }

  /** From now on every byte is lost, in both directions. */
  swallow(): void {
    this.#swallows = true;
  }

  /** Both ends see a connection reset by its peer. */
  reset(): void {
    for (const end of this.#ends) end.resetAndDestroy();
  }

  /** Tells when the client has gone for good. */
  whenOver(tell: () => void): void {
    const [client, server] = this.#ends;
    client.once('close', () => {
      server.destroy();
      tell();
    });
  }

  #pass(from: Socket, to: Socket): void {
    // One after the other, however the latency changes, so that bytes keep their order.
    let last = Promise.resolve();
    const later = (deliver: () => void): void => {
      const due = Date.now() + this.#latency();
      last = last.then(async () => {
        if (due > Date.now()) await sleep(due - Date.now());
        if (!this.#swallows) deliver();
      });
    };
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      later(() => void to.write(bytes));
    });
    from.on('end', () => {
      later(() => to.end());
    });
    // What befalls one end befalls the other.
    from.on('error', () => {
      this.reset();
    });
  }
}
