import { dirname } from 'node:path';
import { until } from '@vitrine/test-support';
import { start, type Running } from '../../src/composition/start.js';
import { localCollector } from './local-collector.js';

/** The server in the process of the test, which takes far less time than to start a process. It has what `ServerProcess` has, except signals. */
export class LocalServer {
  readonly #running: Promise<Running>;
  #out = '';
  #err = '';

  constructor(configuration: string, uri: string, args: readonly string[]) {
    const env = { VITRINE_CONFIG: configuration, MONGODB_URI: uri, PORT: '0', XDG_CACHE_HOME: dirname(configuration) };
    const print = (line: string): void => void (this.#out += `${line}\n`);
    const logs = { write: (line: string): void => void (this.#err += line) };
    this.#running = start({ args, env, pid: process.pid, print, logs, launch: localCollector(env) });
  }

  get err(): string {
    return this.#err;
  }

  async origin(): Promise<string> {
    await this.#running;
    return String(/http:\S+/.exec(this.#out)?.[0]);
  }

  async eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    await until(holds, () => `${what}:\n${this.#err}`);
  }

  async stop(): Promise<void> {
    await (await this.#running).stop();
  }
}
