import { HUB_LENGTH, MINUTE } from '@vitrine/core';
import { aBuild, aCommit, aFinding, aMission, aRelease, aRepositoryRecord, aSync, NOW } from '@vitrine/core/testing';
import { type FakeReaders, failing, fakeReaders, hanging } from '../../../test/fake-readers.js';
import { useCasesOver, widgetOnly } from '../../../test/fake-use-cases.js';

const twelve = Array.from({ length: 12 }, (_, index) => index);
const world = [
  aRepositoryRecord(),
  ...twelve.map((index) => aCommit({ sha: index.toString(16).repeat(40), committedAt: NOW - index })),
  aRelease(),
  aFinding(),
  aBuild(),
  aMission(),
  aSync({ feeds: ['repository', 'commit', 'release', 'finding', 'build', 'mission'] }),
];
const hubOver = (over: Partial<FakeReaders> = {}) => useCasesOver({ ...fakeReaders(world), ...over }).getRepositoryHub;
const widget = { fullName: 'ACME/Widget' };

describe('GetRepositoryHub', () => {
  it('shows the newest ten of each kind', async () => {
    const { data, dataStatus, warnings } = await hubOver().execute(widget, widgetOnly);
    expect(data.commits.map(({ committedAt }) => NOW - committedAt)).toEqual(twelve.slice(0, HUB_LENGTH));
    expect([data.releases, data.findings, data.builds, data.missions].map((list) => list.length)).toEqual([1, 1, 1, 1]);
    expect([data.repository.fullName, data.partial, dataStatus, warnings]).toEqual(['acme/widget', false, 'fresh', []]);
  });

  const parts = ['commits', 'releases', 'findings', 'builds', 'missions'] as const;

  it.each(parts.flatMap((part) => [failing, hanging].map((list) => ({ part, list, name: list.name }))))(
    'does without $part that are $name, and says so',
    async ({ part, list }) => {
      const readers = fakeReaders(world);
      const { data, dataStatus, warnings } = await hubOver({ [part]: { ...readers[part], list } }).execute(widget, widgetOnly);
      expect(parts.filter((other) => data[other].length === 0)).toEqual([part]);
      expect([data.partial, dataStatus, warnings.map(({ source }) => `${source}s`)]).toEqual([true, 'partial', [part]]);
    },
  );

  it('is partial, not unavailable, when only the repository can be read', async () => {
    const readers = fakeReaders(world);
    const over = Object.fromEntries(parts.map((part) => [part, { ...readers[part], list: hanging }]));
    const { data, dataStatus, warnings } = await hubOver({ ...over, syncs: { list: hanging } }).execute(widget, widgetOnly);
    expect([data.repository.fullName, data.partial, dataStatus, warnings.length]).toEqual(['acme/widget', true, 'partial', 5]);
  });

  it('fails when the repository itself cannot be read', async () => {
    const repositories = { ...fakeReaders(world).repositories, byRefs: failing };
    await expect(hubOver({ repositories }).execute(widget, widgetOnly)).rejects.toThrow('connection reset');
  });

  it('shows nothing that is dated in the future', async () => {
    const later = NOW + 5 * MINUTE + 1;
    const future = [
      aRepositoryRecord(),
      aCommit({ committedAt: later }),
      aRelease({ publishedAt: later }),
      aFinding({ detectedAt: later }),
      aBuild({ startedAt: later }),
      aMission({ createdAt: later }),
    ];
    const { data } = await useCasesOver(fakeReaders(future)).getRepositoryHub.execute(widget, widgetOnly);
    expect(parts.map((part) => data[part].length)).toEqual([0, 0, 0, 0, 0]);
  });

  it('shows addresses of its own repository only', async () => {
    const foreign = aRelease({ sourceUrl: 'https://git.example/acme/secret/releases/1' });
    const { data } = await useCasesOver(fakeReaders([aRepositoryRecord(), foreign])).getRepositoryHub.execute(widget, widgetOnly);
    expect(data.releases[0]?.sourceUrl).toBe('https://git.example/acme/widget');
  });
});
