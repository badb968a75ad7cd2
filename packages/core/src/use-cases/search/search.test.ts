import { searchPositionOf, SEARCH_TYPES, type SearchableRecord, type SearchEntry, type SearchQuery } from '@vitrine/core';
import {
  aCheck,
  aCommit,
  aFinding,
  aMission,
  anArticle,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aSync,
  aVideo,
  NOW,
  someNews,
} from '@vitrine/core/testing';
import { type FakeReaders, failing, fakeReaders, hanging } from '../../../test/fake-readers.js';
import { useCasesOver, widgetOnly } from '../../../test/fake-use-cases.js';

const entryOf = (record: SearchableRecord): SearchEntry => ({ record, position: { tier: 0, ...searchPositionOf(record) } });

const all = [
  aRepositoryRecord({ fullName: 'Acme/Widget', repositoryRef: 'acme/widget' }),
  aService(),
  aFinding({ title: 'Widget paging' }),
  aCommit(),
  aRelease(),
  anArticle(),
  someNews(),
  aMission(),
  anIncident(),
  aVideo({ repositoryRef: 'acme/widget' }),
];

function searchOver(found: readonly SearchableRecord[], over: Partial<FakeReaders> = {}, next: SearchEntry['position'] | null = null) {
  const asked: SearchQuery[] = [];
  const search: FakeReaders['search'] = {
    search: (_approved, query) => {
      asked.push(query);
      return Promise.resolve({ items: found.map(entryOf), next });
    },
  };
  const readers = fakeReaders([...all, aCheck(), aSync({ feeds: ['commit'] })]);
  const useCases = useCasesOver({ ...readers, search, ...over });
  const execute = (q: string, types: readonly (typeof SEARCH_TYPES)[number][] = []) =>
    useCases.search.execute({ q, types, limit: 20, after: null }, widgetOnly);
  const executeShort = (q: string) => useCases.search.execute({ q }, widgetOnly);
  return { execute, executeShort, asked, calls: readers.calls };
}

describe('a search of which only the words are given', () => {
  it('finds the first page of records of all types', async () => {
    const { execute, executeShort, asked } = searchOver(all);
    expect((await executeShort('widget')).data).toEqual((await execute('widget')).data);
    expect(asked[0]).toEqual(asked[1]);
  });

  it('finds the same, however its white space and its letters are written', async () => {
    const { executeShort, asked } = searchOver(all);
    const texts = ['caf\u00e9 widget', '  cafe\u0301 \u00a0 widget\n'.trimEnd()];
    const [first, second] = await Promise.all(texts.map(async (text) => (await executeShort(text)).data));
    expect(second).toEqual(first);
    expect(asked[1]).toEqual(asked[0]);
  });
});

describe('Search', () => {
  it('shows a hit of every kind by the rules of its kind', async () => {
    const { data, generatedAt, warnings } = await searchOver(all).execute('widget');
    const shown = data.items.map(({ id, type, title, description, timestamp, repository }) => [
      id,
      type,
      title,
      description,
      timestamp,
      repository?.fullName,
    ]);
    expect(shown).toEqual([
      ['Acme/Widget', 'repository', 'Acme/Widget', '', NOW - 60_000, 'Acme/Widget'],
      ['acme:widget-api', 'status-service', 'Widget API', 'operational', NOW - 60_000, undefined],
      ['fnd_1', 'finding', 'Widget paging', aFinding().summary, aFinding().detectedAt, 'Acme/Widget'],
      [`Acme/Widget@${aCommit().sha}`, 'commit', aCommit().title, aCommit().description, aCommit().committedAt, 'Acme/Widget'],
      ['acme/widget@v2.1.0', 'release', 'Widget 2.1.0', 'Stable cursors.', aRelease().publishedAt, 'Acme/Widget'],
      ['widget-2-1-changelog', 'article', 'Widget 2.1', anArticle().summary, anArticle().publishedAt, 'Acme/Widget'],
      ['nws_1', 'news', 'Widget 2.1 is out', 'Stable cursors and feeds.', someNews().listedAt, undefined],
      ['msn_1', 'mission', 'Public read API for the widget', aMission().summary, aMission().createdAt, 'Acme/Widget'],
      ['inc_1', 'incident', 'Errors on the widget API', 'Requests fail.', anIncident().startedAt, undefined],
      ['vid_1', 'video', 'Widget 2.1 in five minutes', 'Tour of the release.', aVideo().publishedAt, 'Acme/Widget'],
    ]);
    expect([generatedAt, warnings]).toEqual([NOW, []]);
  });

  it('names the fields that match, that of the repository too, unless the kind is not found by it', async () => {
    const { data } = await searchOver([aCommit(), aRelease(), aVideo({ repositoryRef: 'acme/widget' })]).execute('widget');
    expect(data.items.map(({ matchedFields }) => matchedFields)).toEqual([
      ['title', 'repository.fullName'],
      ['name', 'repository.fullName'],
      ['title'],
    ]);
  });

  it('drops a hit whose record no longer matches, and keeps the position', async () => {
    const position = entryOf(aCommit()).position;
    const { data } = await searchOver([aCommit({ title: 'gone', description: '' }), aRelease()], {}, position).execute('cursors');
    expect(data.items.map(({ type }) => type)).toEqual(['release']);
    expect(data.next).toEqual(position);
  });

  it.each(['++', '😀😀', '--'])('finds nothing for %s, which holds no word, without asking', async (q) => {
    const { execute, asked } = searchOver(all);
    expect((await execute(q)).data).toEqual({ items: [], next: null });
    expect(asked).toEqual([]);
  });

  it('asks for all kinds unless some are named, and for nothing dated ahead', async () => {
    const { execute, asked } = searchOver([]);
    await execute('key paging');
    await execute('paging', ['commit', 'news']);
    expect(asked.map(({ types }) => types)).toEqual([SEARCH_TYPES, ['commit', 'news']]);
    expect(asked[0]).toMatchObject({ words: { whole: ['key'], prefix: 'paging' }, limit: 20, after: null, to: NOW + 300_000 });
  });

  it.each([failing, hanging])('leaves services out, and says so, when their checks are %p', async (present) => {
    const checks = { ...fakeReaders([]).checks, present };
    const { data, dataStatus, warnings } = await searchOver(all, { checks }).execute('widget');
    expect(data.items.map(({ type }) => type)).not.toContain('status-service');
    expect(data.items).toHaveLength(all.length - 1);
    expect([dataStatus, warnings.map(({ source }) => source)]).toEqual(['partial', ['status-service']]);
  });

  it('does not ask for checks when no service was found', async () => {
    const checks = { ...fakeReaders([]).checks, present: failing };
    expect((await searchOver([aCommit()], { checks }).execute('keyset')).dataStatus).toBe('fresh');
  });

  it('is partial, and says how much can be found, while the index is being filled', async () => {
    const search: FakeReaders['search'] = { search: () => Promise.resolve({ items: [entryOf(aCommit())], next: null, searchable: 0.4299 }) };
    const { data, dataStatus, warnings } = await searchOver([], { search }).execute('keyset');
    expect([data.items.length, dataStatus]).toEqual([1, 'partial']);
    expect(warnings).toEqual([
      {
        code: 'SEARCH_INCOMPLETE',
        source: 'search',
        detail: 'The search index is being filled: 42 % of the records can be found, the newest first.',
      },
    ]);
  });

  it('fails when nothing can be searched', async () => {
    await expect(searchOver([], { search: { search: failing } }).execute('widget')).rejects.toThrow('connection reset');
  });

  it('shows a service that was never checked as unknown, since it was first seen', async () => {
    const unchecked = aService({ key: 'acme:new' });
    const { data } = await searchOver([unchecked]).execute('widget');
    expect(data.items[0]).toMatchObject({ description: 'unknown', timestamp: unchecked.firstSeenAt });
  });

  it('cuts descriptions at 300 characters, not inside one', async () => {
    const { data } = await searchOver([aCommit({ description: '😀'.repeat(400) }), aRelease({ body: `x${'😀'.repeat(400)}` })]).execute('widget');
    expect(data.items.map(({ description }) => description)).toEqual(['😀'.repeat(300), `x${'😀'.repeat(299)}`]);
  });

  it('shows a release without a name by its tag, and foreign addresses as the own one', async () => {
    const release = aRelease({ name: '', provenance: { ...aRelease().provenance, sourceUrl: 'https://git.example/acme/secret' } });
    const { data } = await searchOver([release]).execute('widget');
    expect(data.items[0]).toMatchObject({ title: 'v2.1.0', provenance: { sourceUrl: 'https://git.example/acme/widget' } });
  });
});
