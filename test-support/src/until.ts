import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than any pause of a busy machine. Only a test that fails waits for so long. */
const LONGEST_MS = 60_000;
/** To look costs the watched process time, too: the longer it takes, the less often. */
const pause = (sinceMs: number): Promise<void> => sleep(Math.min(100, Math.max(10, sinceMs / 10)));

/**
 * Waits until a condition holds. Checks it every 10 ms at first, and every 100 ms after a second.
 * @param describe says what was missing. It is called only after a failure
 * @throws Error if the condition does not hold after a minute
 */
export async function until(holds: () => boolean | Promise<boolean>, describe: () => string = () => String(holds)): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    const sinceMs = performance.now() - startedAt;
    if (sinceMs > LONGEST_MS) throw new Error(`This did not happen within ${String(LONGEST_MS / 1_000)} s: ${describe()}`);
    await pause(sinceMs);
  }
}

/**
 * Repeats something until its expectations hold, for expectations that a pause of a busy machine can break once, and a defect always. Its last failure is thrown after a minute.
 * It must not change anything that a repetition would notice.
 */
export async function eventually(expectations: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await expectations();
      return;
    } catch (error) {
      if (performance.now() - startedAt > LONGEST_MS) throw error;
    }
    await pause(performance.now() - startedAt);
  }
}
