import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** The file that the thread runs. package.json says where it is: in the published package, or in the sources. */
const WORKER = createRequire(import.meta.url).resolve('#text-worker');

/** A text of a megabyte needs less. */
const MEMORY_MB = 96;

/** What a thread of texts needs of a worker. */
export type TextWorker = NodeJS.EventEmitter & Pick<Worker, 'ref' | 'unref' | 'postMessage' | 'terminate'>;

/** A thread takes 0.3 s to start on an idle machine. */
const START_MS = 5_000;

const startNode = (memoryMb = MEMORY_MB): TextWorker =>
  new Worker(WORKER, { name: 'vitrine texts', resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 } });

/** A thread that renders one text at a time. Once a text has failed in it, or it has not started in time, it has ended. */
export class TextThread {
  readonly #worker: TextWorker;
  /** Resolves to `false` if it cannot start. */
  readonly started: Promise<boolean>;
  hasEnded = false;

  /** @param startMs how long it may take to start, in milliseconds */
  constructor(startMs: number, startWorker: () => TextWorker = startNode) {
    this.#worker = startWorker();
    this.#worker.unref();
    this.#worker.on('error', () => (this.hasEnded = true));
    this.#worker.on('exit', () => (this.hasEnded = true));
    this.started = this.#answer(startMs).then((answer) => answer === 'ready');
  }

  /** The rendered text; `null` if that takes longer, or fails. @param deadlineMs from when the thread begins with the text */
  async render(task: TextTask, deadlineMs: number): Promise<string | null> {
    // A process must not end while it waits for a text.
    this.#worker.ref();
    if (!(await this.started)) return null;
    const answer = this.#answer(deadlineMs);
    this.#worker.postMessage(task);
    const text = await answer;
    if (!this.hasEnded) this.#worker.unref();
    return text;
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await this.#worker.terminate();
  }

  /** The next message; `null` if the thread ends first. It is ended when the time is over, and nobody waits for that. */
  async #answer(limitMs: number): Promise<string | null> {
    const settled = new AbortController();
    const exit = once(this.#worker, 'exit', settled).then(() => null);
    const message = once(this.#worker, 'message', settled).then(([answer]) => answer as string | null);
    const late = pause(limitMs, null, { signal: settled.signal, ref: false }).then(() => {
      void this.end();
      return null;
    });
    try {
      return await Promise.race([message, exit, late]);
    } catch {
      // The thread has failed, for example because it has no memory left.
      return null;
    } finally {
      settled.abort();
    }
  }
}

/** A text of a record, and how it is to be shown. */
export interface TextTask {
  readonly text: string;
  /**
   * `excerpt`: the words of a Markdown text on one line, as plain text. `picture`: an SVG as PNG, in base64. Otherwise HTML is made of a text in this format.
   */
  readonly form: 'markdown' | 'html' | 'excerpt' | 'picture';
  /** Whether images may be loaded from other servers. */
  readonly images: boolean;
  /** Whether headings and other elements get ids, to which links can lead. */
  readonly anchors: boolean;
}

/** Renders untrusted texts without delaying other requests. */
export interface TextRenderer {
  /** The rendered text; `null` if that takes too long or fails: then the text is shown as it is. Never rejects. */
  render(task: TextTask): Promise<string | null>;
  /** What was made of the text before; `undefined`: it is not known. */
  kept(task: TextTask): string | null | undefined;
  /** Releases the resources of the renderer. It can be used again. */
  close(): Promise<void>;
}

export interface WorkerTextRendererOptions {
  /** How long one text may take, in milliseconds; default 500. */
  readonly deadlineMs?: number;
  /** How long the thread may take to start, in milliseconds; default 5,000. */
  readonly startMs?: number;
  /** How long a page waits for one of its texts once the thread has started, behind those of other pages, too, in milliseconds; default 700. */
  readonly patienceMs?: number;
  /** How much memory the thread may use for long-lived objects, in megabytes; default 96. */
  readonly memoryMb?: number;
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
  readonly #options: Required<Omit<WorkerTextRendererOptions, 'startMs' | 'memoryMb'>>;
  readonly #startThread: () => TextThread;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ rendered }) => ENTRY_BYTES + 2 * (rendered?.length ?? 0),
  });
  readonly #waiting = new Map<string, Promise<string | null>>();
  #thread: TextThread | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #waitingLength = 0;

  /** @param startWorker default: a thread of Node */
  constructor(options: WorkerTextRendererOptions = {}, startWorker: () => TextWorker = () => startNode(options.memoryMb)) {
    const { deadlineMs = 500, patienceMs = 700, startMs = START_MS, onFailure = () => undefined } = options;
    this.#options = { deadlineMs, patienceMs, onFailure };
    this.#startThread = () => new TextThread(startMs, startWorker);
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
      return await this.#present().render(task, this.#options.deadlineMs);
    } catch {
      // No thread could be created.
      return null;
    }
  }

  #present(): TextThread {
    if (this.#thread === null || this.#thread.hasEnded) this.#thread = this.#startThread();
    return this.#thread;
  }

  async #inTime(waiting: Promise<string | null>): Promise<string | null> {
    const settled = new AbortController();
    const late = async (): Promise<null> => {
      await this.#present().started;
      return pause(this.#options.patienceMs, null, settled);
    };
    try {
      // It rejects when the text has come, or if no thread could be created.
      return await Promise.race([waiting, late().catch(() => null)]);
    } finally {
      settled.abort();
    }
  }
}

function keyOf({ text, form, images, anchors }: TextTask): string {
  return createHash('sha256')
    .update(`${form} ${String(images)} ${String(anchors)} `)
    .update(text, 'utf16le')
    .digest('base64');
}
