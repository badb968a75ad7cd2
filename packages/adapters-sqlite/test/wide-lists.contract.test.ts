import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, comparePositions, positionOf, type Commit, type RepositoryRef, type TimePosition } from '@vitrine/core';
import { aCommit, NOW, Random, StandingClock } from '@vitrine/core/testing';
import { openLocalStore } from './open-local-store.js';

const context = { signal: new AbortController().signal };
const random = new Random(3);
const refs = Array.from({ length: 450 }, (_, index): RepositoryRef => `acme/r${String(index)}`);
/** Few times, so that many places are equal. Ada is found by her login and by her name. */
const commits = Array.from({ length: 900 }, (_, serial) =>
  aCommit({
    repositoryRef: refs[random.int(refs.length)] ?? 'acme/r0',
    sha: serial.toString(16).padStart(40, '0'),
    committedAt: NOW - random.int(60) * 1_000,
    ...random.pick([
      { authorLogin: 'ada', authorName: 'ada' },
      { authorLogin: '', authorName: 'ada' },
      { authorLogin: 'bo', authorName: 'Bo' },
    ]),
    branch: random.pick(['main', 'next']),
  }),
);
const approved = Allowlist.of(...refs.slice(20)).approved();

describe('the pages of more repositories than one statement merges', () => {
  const path = mkdtempSync(join(tmpdir(), 'vitrine-wide-'));
  const opened = openLocalStore({ clock: new StandingClock(NOW), path });
  beforeAll(async () => {
    await (await opened).writer.put(commits, context);
  });
  afterAll(async () => {
    await (await opened).close();
    rmSync(path, { recursive: true });
  });

  it.each([
    { name: 'without a filter', filters: {}, matches: () => true },
    { name: 'of an author', filters: { author: 'ada' }, matches: ({ authorName }: Commit) => authorName === 'ada' },
    {
      name: 'of an author on a branch',
      filters: { author: 'ada', branch: 'next' },
      matches: ({ authorName, branch }: Commit) => authorName === 'ada' && branch === 'next',
    },
  ])('have each record once and in order, $name', async ({ filters, matches }) => {
    const { readers } = await opened;
    const expected = commits.filter((commit) => approved.admits(commit.repositoryRef) && matches(commit));
    expected.sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
    for (const limit of [7, 100]) {
      const found: Commit[] = [];
      let after: TimePosition | null = null;
      do {
        const query = { limit, after, from: NOW - 50_000, to: NOW - 5_000, author: null, branch: null, changeType: null, ...filters };
        const page: { readonly items: readonly Commit[]; readonly next: TimePosition | null } = await readers.commits.list(approved, query, context);
        found.push(...page.items);
        after = page.next;
      } while (after !== null);
      expect(found.map(({ sha }) => sha)).toEqual(
        expected.filter(({ committedAt }) => committedAt >= NOW - 50_000 && committedAt <= NOW - 5_000).map(({ sha }) => sha),
      );
    }
  });
});
