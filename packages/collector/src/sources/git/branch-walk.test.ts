import fc from 'fast-check';
import { isTorture } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { compareText } from '@vitrine/core';

const HISTORY = fc.record({
  parents: fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 }),
  tips: fc.uniqueArray(fc.tuple(fc.constantFrom('main', 'a', 'B', 'ä', '\u{1f600}', '\uffee'), fc.nat()), {
    selector: ([name]) => name,
    minLength: 1,
  }),
});

/** The numbers of the commits that a tip reaches. */
function reached(parents: readonly (readonly number[])[], tip: number): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [tip];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(parents[next] ?? []));
  }
  return found;
}

describe('walkBranches', () => {
  it('gives each commit the same branch as a separate read of every branch', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, async ({ parents: drawn, tips }) => {
        const fixture = new GitFixture();
        const parents = drawn.map((list, number) => (number === 0 ? [] : [...new Set(list.map((parent) => parent % number))]));
        const repository = fixture.repository();
        const person = 'Ada <ada@example.org> 1700000000 +0000';
        const script = parents.map((list, number) => {
          const lines = list.map((parent, index) => `${index === 0 ? 'from' : 'merge'} :${parent + 1}\n`).join('');
          return `reset refs/heads/work\n\ncommit refs/heads/work\nmark :${number + 1}\ncommitter ${person}\ndata ${String(number).length}\n${number}\n${lines}\n`;
        });
        const refs = tips.map(([name, tip]) => `reset refs/heads/${name}\nfrom :${(tip % parents.length) + 1}\n\n`);
        repository.gitWith(
          `${script.join('')}${refs.join('')}reset refs/heads/work\nfrom ${'0'.repeat(40)}\n\n`,
          'fast-import',
          '--quiet',
          '--force',
        );
        await fixture.run(fixture.source(repository.path));
        // HEAD names no branch. If there is a branch main, it is the default; if there is only one branch, that one is.
        const ordered = [...tips].sort(([a], [b]) => Number(b === 'main') - Number(a === 'main') || compareText(a, b));
        const expected: Record<string, string> = {};
        for (const [name, tip] of ordered) for (const number of reached(parents, tip % parents.length)) expected[number] ??= name;
        fixture.folder.remove();
        expect(fixture.branches()).toEqual(expected);
      }),
      { numRuns: isTorture ? 100 : 2 },
    );
  });
});
