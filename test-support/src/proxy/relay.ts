import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One connection through a proxy. It passes the bytes of each end to the other, possibly delayed or dropped. */
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

  /** From now on, all bytes are dropped in both directions. */
  swallow(): void {
    this.#swallows = true;
  }

  /** Resets the connection at both ends. */
  reset(): void {
    for (const end of this.#ends) end.resetAndDestroy();
  }

  /** Calls back when the client has disconnected. */
  whenOver(tell: () => void): void {
    const [client, server] = this.#ends;
    client.once('close', () => {
      server.destroy();
      tell();
    });
  }

  #pass(from: Socket, to: Socket): void {
    // One after the other, so that bytes keep their order even if the latency changes.
    let last = Promise.resolve();
    const later = (deliver: () => void): void => {
      const due = Date.now() + this.#latency();
      last = last.then(async () => {
        if (due > Date.now()) await sleep(due - Date.now());
        if (!this.#swallows) deliver();
      });
    };
    from.setNoDelay(true);
    from.on('data', (bytes) => later(() => void to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    // An error at one end resets the other end too.
    from.on('error', () => this.reset());
  }
}
