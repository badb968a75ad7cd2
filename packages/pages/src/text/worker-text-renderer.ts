import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { TextRenderer, TextTask } from './text-renderer.js';
import { TextThread } from './text-thread.js';

export interface WorkerTextRendererOptions {
  /** How long one text may take, in milliseconds; default 500. */
  readonly deadlineMs?: number;
  /** How long a page waits for one of its texts, behind those of other pages, too, in milliseconds; default 700. */
  readonly patienceMs?: number;
  /** Called with the length of a text that took too long or failed. Default: no callback. */
  readonly onFailure?: (length: number) => void;
}

interface Kept {
  readonly rendered: string | null;
}

const MAX_KEPT_BYTES = 16 * 1_024 * 1_024;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 200;
/** How long a text that has failed is not tried again. The machine may have been busy. */
const FAILED_FOR_MS = 10 * 60_000;
/** How many characters wait at most. More are not rendered at this time. */
const MOST_WAITING = 4 * 1_024 * 1_024;

/**
 * Renders texts in a separate thread, one after the other, each with a deadline at which the thread is ended. Keeps what it has rendered, by content. The thread starts with
 * the first text.
 */
export class WorkerTextRenderer implements TextRenderer {
  readonly #options: Required<WorkerTextRendererOptions>;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ rendered }) => ENTRY_BYTES + 2 * (rendered?.length ?? 0),
  });
  readonly #waiting = new Map<string, Promise<string | null>>();
  #thread: TextThread | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #waitingLength = 0;

  constructor({ deadlineMs = 500, patienceMs = 700, onFailure = () => undefined }: WorkerTextRendererOptions = {}) {
    this.#options = { deadlineMs, patienceMs, onFailure };
  }

  async render(task: TextTask): Promise<string | null> {
    const key = keyOf(task);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.rendered;
    const waiting = this.#waiting.get(key) ?? this.#enqueue(key, task);
    return waiting === null ? null : this.#inTime(waiting);
  }

  kept(task: TextTask): string | null | undefined {
    return this.#kept.get(keyOf(task))?.rendered;
  }

  async close(): Promise<void> {
    await this.#thread?.end();
    this.#thread = null;
  }

  #enqueue(key: string, task: TextTask): Promise<string | null> | null {
    const { length } = task.text;
    if (this.#waitingLength + length > MOST_WAITING) return null;
    this.#waitingLength += length;
    const result = this.#turn.then(async () => {
      const rendered = await this.#run(task);
      this.#waitingLength -= length;
      this.#waiting.delete(key);
      this.#kept.set(key, { rendered }, { ttl: rendered === null ? FAILED_FOR_MS : 0 });
      if (rendered === null) this.#options.onFailure(length);
      return rendered;
    });
    this.#turn = result;
    this.#waiting.set(key, result);
    return result;
  }

  async #run(task: TextTask): Promise<string | null> {
    try {
      if (this.#thread === null || this.#thread.hasEnded) this.#thread = new TextThread();
      return await this.#thread.render(task, this.#options.deadlineMs);
    } catch {
      // No thread could be created.
      return null;
    }
  }

  async #inTime(waiting: Promise<string | null>): Promise<string | null> {
    const settled = new AbortController();
    const late = pause(this.#options.patienceMs, null, settled).catch(() => null);
    try {
      return await Promise.race([waiting, late]);
    } finally {
      settled.abort();
    }
  }
}

function keyOf({ text, form, images }: TextTask): string {
  return createHash('sha256')
    .update(`${form} ${String(images)} `)
    .update(text, 'utf16le')
    .digest('base64');
}
