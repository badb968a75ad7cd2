import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { FileAccess } from './file-access.js';

const never = (): Promise<never> => new Promise(() => undefined);
const { signal } = new AbortController();

/** An operation that ends when the test says so. */
function held<Result>(result: Result) {
  let end: () => void = () => undefined;
  let begun = 0;
  const operation = (): Promise<Result> => {
    begun++;
    return new Promise((resolve) => {
      end = () => resolve(result);
    });
  };
  return { operation, end: () => end(), begun: () => begun };
}

describe('FileAccess', () => {
  it('returns the result of the operation, and passes on its error', async () => {
    const access = new FileAccess();
    expect(await access.run('a', signal, () => Promise.resolve(7))).toBe(7);
    await expect(access.run('a', signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await access.run('a', signal, () => Promise.resolve(8))).toBe(8);
  });

  it('times a hanging operation out, and starts no other one for its path before it has ended', async () => {
    const access = new FileAccess({ patienceMs: 50 });
    const hanging = held('late');
    const late: string[] = [];
    await expect(access.run('a', signal, hanging.operation, (result) => late.push(result))).rejects.toThrow('did not answer within 0.05 s');
    await expect(access.run('a', signal, hanging.operation)).rejects.toThrow('still does not answer');
    expect(hanging.begun()).toBe(1);
    hanging.end();
    await sleep(0);
    expect(late).toEqual(['late']);
    expect(await access.run('a', signal, () => Promise.resolve('again'))).toBe('again');
  });

  it('does not mistake a busy process for a hanging disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-busy-'));
    const file = join(folder, 'records.ndjson');
    writeFileSync(file, 'whole');
    const access = new FileAccess({ patienceMs: 500 });
    const reading = access.run(file, signal, async () => {
      for (let step = 1; step < 3; step++) await stat(file);
      return readFile(file, 'utf8');
    });
    // Block the process, like a long parse or a garbage collection, for longer than the time-out.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    expect(await reading).toBe('whole');
    rmSync(folder, { recursive: true });
  });

  it('keeps threads free: hanging operations count as running', async () => {
    const access = new FileAccess({ patienceMs: 50, atOnce: 2 });
    await Promise.allSettled([access.run('a', signal, never), access.run('b', signal, never)]);
    const third = held(1);
    await expect(access.run('c', signal, third.operation)).rejects.toThrow('reads of other files hang');
    expect(third.begun()).toBe(0);
  });

  it('ends at once when it is aborted, while it works and while it waits', async () => {
    const access = new FileAccess({ atOnce: 1 });
    const stop = new AbortController();
    const outcomes = Promise.allSettled([access.run('a', stop.signal, never), access.run('b', stop.signal, never)]);
    stop.abort(new Error('stopped'));
    expect((await outcomes).map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(['Error: stopped', 'Error: stopped']);
    await expect(access.run('c', stop.signal, () => Promise.resolve(1))).rejects.toThrow('stopped');
  });

  it('gives its place back when it is aborted at the moment when it has it', async () => {
    const access = new FileAccess({ patienceMs: 50, atOnce: 1 });
    const stop = new AbortController();
    const aborted = access.run('a', stop.signal, () => Promise.resolve(1));
    stop.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    expect(await access.run('b', signal, () => Promise.resolve(2))).toBe(2);
  });

  it('never exceeds its limit of operations, and forgets none, whatever ends, fails or is aborted', async () => {
    const plan = fc.array(fc.record({ milliseconds: fc.nat(3), fails: fc.boolean(), stopsAfter: fc.option(fc.nat(3)) }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 3 }), async (operations, atOnce) => {
        const access = new FileAccess({ atOnce });
        let running = 0;
        let most = 0;
        await Promise.allSettled(
          operations.map(({ milliseconds, fails, stopsAfter }, index) => {
            const stop = new AbortController();
            if (stopsAfter !== null) setTimeout(() => stop.abort(), stopsAfter);
            return access.run(String(index), stop.signal, async () => {
              most = Math.max(most, ++running);
              await sleep(milliseconds);
              running--;
              if (fails) throw new Error('failed');
            });
          }),
        );
        expect(most).toBeLessThanOrEqual(atOnce);
        expect(await access.run('last', signal, () => Promise.resolve('done'))).toBe('done');
      }),
      { numRuns: 30 },
    );
  });
});
