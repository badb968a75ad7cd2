import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than any pause of a busy machine. Only a test that fails waits for so long. */
const LONGEST_MS = 60_000;
const LOOK_EVERY_MS = 10;

/**
 * Waits until a condition holds. Checks it every 10 ms.
 * @param describe says what was missing. It is called only after a failure
 * @throws Error if the condition does not hold after a minute
 */
export async function until(holds: () => boolean | Promise<boolean>, describe: () => string = () => String(holds)): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`This did not happen within ${String(LONGEST_MS / 1_000)} s: ${describe()}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Repeats something until its expectations hold, for expectations that a pause of a busy machine can break once, and a defect always. Its last failure is thrown after a minute.
 * It must not change anything that a repetition would notice.
 */
export async function eventually(expectations: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      await expectations();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(LOOK_EVERY_MS);
  }
}
