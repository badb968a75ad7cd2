import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR, MINUTE } from '@vitrine/core';
import { FakeStore } from '../testing/fake-store.js';
import { readNotes, RunNotes } from './run-notes.js';
import { Scheduler } from './scheduler.js';
import type { RunReport, Source } from './source.js';

const NOW = Date.parse('2026-11-20T14:00:00Z');
const DONE: RunReport = { stored: 0, unchanged: 0, removed: 0, warnings: [] };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-notes-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function sourceOf(run: Source['run']): Source {
  const registration = { id: 'feed:Blog', sourceType: 'feed', label: 'Blog', repositoryRef: '-', feeds: ['news'] } as const;
  return { id: 'feed Blog', intervalMs: MINUTE, isRemote: true, registration, run };
}

/** The time from now on at which the notes say that a source is tried again, after runs that ended like this. */
async function retryAfter(...errors: readonly (Error | null)[]): Promise<number | null> {
  const file = join(folder, 'notes.json');
  const store = new FakeStore();
  const left = [...errors];
  const source = sourceOf(() => {
    const error = left.shift() ?? null;
    return error === null ? Promise.resolve(DONE) : Promise.reject(error);
  });
  const notes = new RunNotes(file, null);
  let scheduler: Scheduler | undefined;
  await new Promise<void>((failed) => {
    scheduler = new Scheduler({
      writer: store,
      collection: store,
      clock: { now: () => NOW },
      notes,
      onError: () => {
        failed();
      },
    });
    scheduler.start([source]);
  });
  for (let run = 1; run < errors.length; run++) await scheduler?.runNow(source);
  // The scheduler decides about the next run after the end of this one.
  await new Promise(setImmediate);
  await scheduler?.stop();
  const retryAt = (await readNotes(file)).get('feed:Blog')?.retryAt ?? null;
  return retryAt === null ? null : retryAt - NOW;
}

describe('RunNotes', () => {
  const broken = new Error('broken');

  it('say when a source that fails again and again is tried next, and not after its interval', async () => {
    const after = await retryAfter(broken, broken, broken, broken);
    expect(after).toBeGreaterThanOrEqual(3.2 * MINUTE);
    expect(after).toBeLessThanOrEqual(4 * MINUTE);
  });

  it('say how long the server asks to wait', async () => {
    expect(await retryAfter(Object.assign(new Error('busy'), { retryAfterMs: 3 * HOUR }))).toBeGreaterThanOrEqual(3 * HOUR);
  });

  it('say nothing of it after a run that has completed', async () => {
    expect(await retryAfter(broken, broken, null)).toBeNull();
  });

  it('do not create the data folder, which somebody has moved', async () => {
    const dataFolder = join(folder, 'data');
    const notes = new RunNotes(join(dataFolder, 'notes.json'), dataFolder);
    const source = sourceOf(() => Promise.resolve(DONE));
    await notes.failed(source, broken);
    await notes.settled();
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(dataFolder);
    await notes.completed(source, DONE);
    await notes.settled();
    expect((await readNotes(join(dataFolder, 'notes.json'))).get('feed:Blog')?.lastFailure).toBe('broken');
  });
});
