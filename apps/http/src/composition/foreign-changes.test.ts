import { StandingClock } from '@vitrine/core/testing';
import { ForeignChanges } from './foreign-changes.js';

function watched(...found: readonly (boolean | Error)[]) {
  const clock = new StandingClock(0);
  let calls = 0;
  const foreign = new ForeignChanges(() => {
    const next = found[calls++] ?? false;
    if (next instanceof Error) throw next;
    return next;
  }, clock);
  const after = (milliseconds: number): boolean => {
    clock.set(clock.now() + milliseconds);
    return foreign.hasNew();
  };
  return { after, calls: () => calls };
}

describe('writes of other processes', () => {
  it('are found once', () => {
    const { after } = watched(false, true, false);
    expect([after(0), after(50), after(50)]).toEqual([false, true, false]);
  });

  it('are asked for at most every 50 ms', () => {
    const { after, calls } = watched(false, true);
    expect([after(0), after(20), after(29), calls()]).toEqual([false, false, false, 1]);
    expect([after(1), calls()]).toEqual([true, 2]);
  });

  it('are assumed while the store cannot be asked', () => {
    const { after } = watched(new Error('closed'), false);
    expect([after(0), after(50)]).toEqual([true, false]);
  });
});
