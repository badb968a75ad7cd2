import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isTorture, itInTorture } from '@vitrine/test-support';
import fc from 'fast-check';
import { type TextTask, WorkerTextRenderer, type WorkerTextRendererOptions } from './worker-text-renderer.js';
import { proseOfHtml, proseOfMarkdown, wordsOfMarkdown } from './markdown.js';

/** Limits that no pause of a busy machine reaches. */
const PATIENT = { startMs: 100_000, deadlineMs: 100_000, patienceMs: 100_000 };
/** Takes any machine longer than {@link SHORT} allows. */
const SLOW: TextTask = markdown('[*a*](https://acme.example/a) '.repeat(30_000));
const SHORT = { ...PATIENT, deadlineMs: 50 };

const open: WorkerTextRenderer[] = [];
let threads = 0;
const count = (): void => {
  threads++;
};
beforeEach(() => {
  threads = 0;
  subscribe('worker_threads', count);
});
afterEach(async () => {
  unsubscribe('worker_threads', count);
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function markdown(text: string): TextTask {
  return { text, form: 'markdown', images: false, anchors: false };
}

function renderer(options: WorkerTextRendererOptions = PATIENT): WorkerTextRenderer {
  const made = new WorkerTextRenderer(options);
  open.push(made);
  return made;
}

/** A worker that starts when the test says so, and then answers each text with its words. It does not tell when it has ended. */
class HeldWorker extends EventEmitter {
  hasEnded = false;
  readonly rendered: string[] = [];
  ref(): void {}
  unref(): void {}
  postMessage({ text }: TextTask): void {
    this.rendered.push(text);
    setImmediate(() => this.emit('message', text));
  }
  terminate(): Promise<number> {
    this.hasEnded = true;
    return new Promise(() => undefined);
  }
  begin(): void {
    this.emit('message', 'ready');
  }
}

describe('WorkerTextRenderer', () => {
  it('starts its thread with the first text, and renders each text once', async () => {
    const workers: HeldWorker[] = [];
    const texts = new WorkerTextRenderer(PATIENT, () => {
      const worker = new HeldWorker();
      workers.push(worker);
      setImmediate(() => worker.begin());
      return worker;
    });
    expect(workers).toEqual([]);
    const both = await Promise.all([texts.render(markdown('a')), texts.render(markdown('a'))]);
    void texts.close();
    await new Promise(setImmediate);
    expect([...both, await texts.render(markdown('a'))]).toEqual(['a', 'a', 'a']);
    expect(workers).toHaveLength(1);
    await texts.render(markdown('b'));
    expect(workers.map(({ rendered }) => rendered)).toEqual([['a'], ['b']]);
  });

  it('ends its thread at the deadline, goes on with a new one, and does not try the text again', async () => {
    const failed: number[] = [];
    const texts = renderer({ ...SHORT, onFailure: (length) => failed.push(length) });
    expect(await texts.render(SLOW)).toBeNull();
    expect(await texts.render(SLOW)).toBeNull();
    expect(failed).toEqual([SLOW.text.length]);
    expect(threads).toBe(1);
    // A busy machine can make even a short text late, but not each time.
    let answer: string | null = null;
    for (let attempt = 0; answer === null; attempt++) answer = await texts.render(markdown(`*${String(attempt)}*`));
    expect(answer).toMatch(/^<p><em>\d+<\/em><\/p>\n$/);
    expect(threads).toBeGreaterThan(1);
  });

  itInTorture('does not hold up anything else meanwhile', async () => {
    const texts = renderer({ ...SHORT, deadlineMs: 500 });
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    await texts.render(SLOW);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('lets nobody wait longer than its patience, and keeps the text for the next one who asks', async () => {
    const worker = new HeldWorker();
    const texts = new WorkerTextRenderer({ ...PATIENT, patienceMs: 1 }, () => worker);
    worker.postMessage = () => undefined;
    const first = texts.render(markdown('a'));
    await new Promise(setImmediate);
    worker.begin();
    expect(await first).toBeNull();
    const later = texts.render(markdown('a'));
    worker.emit('message', 'rendered');
    expect(await later).toBe('rendered');
  });

  it('counts its patience from the start of the thread', async () => {
    const worker = new HeldWorker();
    const texts = new WorkerTextRenderer({ ...PATIENT, patienceMs: 1 }, () => worker);
    const answers = Promise.all([texts.render(markdown('a')), texts.render(markdown('b'))]);
    // Timers run in order, so its patience of 1 ms would be over.
    expect(await Promise.race([answers, pause(50, 'waits')])).toBe('waits');
    worker.begin();
    await answers;
    expect(worker.hasEnded).toBe(false);
  });

  it('does not wait for a thread that neither starts nor ends, and tries another one with the next text', async () => {
    const [held, next] = [new HeldWorker(), new HeldWorker()];
    const waiting = [held, next];
    const failed: number[] = [];
    const options = { ...PATIENT, startMs: 20, onFailure: (length: number) => failed.push(length) };
    const texts = new WorkerTextRenderer(options, () => waiting.shift() ?? next);
    expect(await texts.render(markdown('a'))).toBeNull();
    expect([failed, held.hasEnded]).toEqual([[1], true]);
    const later = texts.render(markdown('bc'));
    await new Promise(setImmediate);
    next.begin();
    expect(await later).toBe('bc');
  });

  it('survives a text that needs more memory than its thread has, and then renders what the functions render, in any order', async () => {
    const texts = renderer({ ...PATIENT, memoryMb: isTorture ? 96 : 20 });
    expect(await texts.render(markdown('<b>*'.repeat(isTorture ? 1_000_000 : 50_000)))).toBeNull();
    const task = fc.record({
      text: fc.array(
        fc.constantFrom('*a*', '<b>', '[x](https://acme.example/)', '\n\n', '# ', '<script>', '![i](https://acme.example/i.png)', '\ud800'),
      ),
      form: fc.constantFrom('markdown' as const, 'html' as const, 'excerpt' as const),
      images: fc.boolean(),
      anchors: fc.boolean(),
    });
    const direct = ({ text, form, ...options }: TextTask): string => {
      if (form === 'excerpt') return wordsOfMarkdown(text);
      return form === 'html' ? proseOfHtml(text, options) : proseOfMarkdown(text, options);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(task, { maxLength: 5 }), async (parts) => {
        const tasks = parts.map((part) => ({ ...part, text: part.text.join('') }));
        expect(await Promise.all(tasks.map((one) => texts.render(one)))).toEqual(tasks.map(direct));
      }),
      { numRuns: isTorture ? 15 : 5 },
    );
    expect(threads).toBe(2);
  });

  it('refuses more text than may wait', async () => {
    const worker = new HeldWorker();
    const texts = new WorkerTextRenderer(PATIENT, () => worker);
    const large = texts.render(markdown('a'.repeat(4_000_000)));
    expect(await texts.render(markdown('b'.repeat(1_000_000)))).toBeNull();
    const next = texts.render(markdown('c'));
    await new Promise(setImmediate);
    worker.begin();
    await Promise.all([large, next]);
    expect(worker.rendered.map((text) => text.slice(0, 1))).toEqual(['a', 'c']);
  });
});

it('is the only way to the libraries that render', () => {
  const folder = join(__dirname, '..');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!test)\.tsx?$/.test(name));
  const importing = (pattern: RegExp) => sources.filter((name) => pattern.test(readFileSync(join(folder, name), 'utf8')));
  expect(importing(/from '[^']*\/markdown\.js'/)).toEqual([join('text', 'text-worker.ts')]);
  expect(importing(/markdown-it'|sanitize-html'/)).toEqual([join('text', 'markdown.ts')]);
});
