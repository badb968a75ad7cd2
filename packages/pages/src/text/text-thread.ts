import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { TextTask } from './text-renderer.js';

/** The file that the thread runs. package.json says where it is: in the published package, or in the sources. */
const WORKER = createRequire(import.meta.url).resolve('#text-worker');

/** A text of a megabyte needs less. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** A thread that renders one text at a time. Once a text has failed in it, it has ended. */
export class TextThread {
  readonly #worker = new Worker(WORKER, { name: 'vitrine texts', resourceLimits: MEMORY });
  /** Resolves to `false` if it cannot start. */
  readonly #started: Promise<boolean>;
  hasEnded = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('error', () => (this.hasEnded = true));
    this.#worker.on('exit', () => (this.hasEnded = true));
    this.#started = this.#answer().then((answer) => answer === 'ready');
  }

  /** The rendered text; `null` if that takes longer, or fails. @param deadlineMs from when the thread begins with the text */
  async render(task: TextTask, deadlineMs: number): Promise<string | null> {
    // A process must not end while it waits for a text.
    this.#worker.ref();
    if (!(await this.#started)) return null;
    const answer = this.#answer();
    this.#worker.postMessage(task);
    const timer = setTimeout(() => void this.end(), deadlineMs);
    const text = await answer;
    clearTimeout(timer);
    if (!this.hasEnded) this.#worker.unref();
    return text;
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await this.#worker.terminate();
  }

  /** The next message; `null` if the thread ends first. */
  async #answer(): Promise<string | null> {
    const ended = new AbortController();
    const exit = once(this.#worker, 'exit', ended).then(() => null);
    const message = once(this.#worker, 'message', ended).then(([answer]) => answer as string | null);
    try {
      return await Promise.race([message, exit]);
    } catch {
      // The thread has failed, for example because it has no memory left.
      return null;
    } finally {
      message.catch(() => undefined);
      exit.catch(() => undefined);
      ended.abort();
    }
  }
}
