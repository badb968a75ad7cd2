import { History, revertedIn } from './history.js';

/** A line of commits. Every second of the first ones is a merge, which one of the last ones reverts. */
function lineWithMerges(length: number, merges: number): History {
  const history = new History();
  for (let number = 0; number < length; number++) {
    const isMerge = number > 1 && number % 2 === 0 && number <= 2 * merges;
    history.add(String(number), [number - 1, ...(isMerge ? [number - 2] : [])].filter((parent) => parent >= 0).map(String));
  }
  const last = history.commits.slice(-merges);
  for (const [index, commit] of last.entries()) commit.note = { key: null, reverts: [String(2 * (index + 1))] };
  return history;
}

/** How often something asks for the commits of a history. */
function askedOf(history: History, ask: () => void): number {
  let asked = 0;
  const { commits } = history;
  const get = () => {
    asked++;
    return commits;
  };
  Object.defineProperty(history, 'commits', { get, configurable: true });
  ask();
  Object.defineProperty(history, 'commits', { value: commits });
  return asked;
}

describe('a long history', () => {
  const LENGTH = 5_000;

  it('is not walked to its end for each merge near its beginning that was reverted', () => {
    const history = lineWithMerges(LENGTH, 50);
    const marks = history.reach(history.commits);
    const asked = askedOf(history, () => {
      expect(revertedIn(history, marks).size).toBe(50);
    });
    expect(asked).toBeLessThan(5 * LENGTH);
  });

  it('is not marked for a branch that began at one place', () => {
    const history = lineWithMerges(LENGTH, 1);
    const asked = askedOf(history, () => {
      expect(history.independent(history.known(['4000', '4000']))).toEqual(['4000']);
      expect(history.independent([])).toEqual([]);
    });
    expect(asked).toBe(0);
  });
});
