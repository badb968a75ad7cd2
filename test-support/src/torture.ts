/** Whether the suites run at their full size, one after the other, on a machine that does nothing else: `npm run torture`. */
export const isTorture = process.env['VITRINE_TORTURE'] === '1';

/** Every one in a torture run, otherwise every nth, so that a normal run samples long suites. */
export const everyNth = (nth: number): number => (isTorture ? 1 : nth);

/**
 * The time that a promise allows, for `toBeLessThan`. It holds on an idle machine, so only a torture run checks it. Other runs share the machine and expect that the condition is
 * met at some time.
 */
export const idleMachine = (milliseconds: number): number => (isTorture ? milliseconds : Infinity);

/** All cases in a torture run, else every nth, for tables of cases that each take long. */
export const sampled = <Case>(cases: readonly Case[], nth: number): readonly Case[] => cases.filter((_, index) => index % everyNth(nth) === 0);

/** A test that takes long, of something that other tests of `npm test` prove in part: it runs in a torture run only. */
export const itInTorture = (name: string, run: jest.ProvidesCallback, timeoutMs?: number): void => {
  if (isTorture) it(name, run, timeoutMs);
};
