import { DAY, LATEST_INSTANT, MINUTE, NotFoundError } from '@vitrine/core';
import {
  aCommit,
  aFinding,
  aMission,
  anArticle,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aCheck,
  aSync,
  aVideo,
  NOW,
  someNews,
} from '@vitrine/core/testing';
import { context, failing, fakeReaders } from '../../test/fake-readers.js';
import { firstPage, useCasesOver, widgetOnly } from '../../test/fake-use-cases.js';

const everything = firstPage;

/** One record of each listed kind that bears the given time. */
function dated(time: number) {
  return [
    aCommit({ committedAt: time }),
    aRelease({ publishedAt: time }),
    aFinding({ detectedAt: time }),
    aMission({ createdAt: time }),
    anArticle({ publishedAt: time }),
    aVideo({ publishedAt: time }),
    someNews({ listedAt: time }),
    anIncident({ startedAt: time }),
  ];
}

const LISTS = ['listCommits', 'listReleases', 'listFindings', 'listMissions', 'listArticles', 'listVideos', 'listNews', 'listIncidents'] as const;
const BY_ID = [
  ['getRelease', 'acme/widget@v2.1.0'],
  ['getFinding', 'fnd_1'],
  ['getMission', 'msn_1'],
  ['getArticle', 'widget-2-1-changelog'],
  ['getVideo', 'vid_1'],
  ['getNews', 'nws_1'],
  ['getIncident', 'inc_1'],
] as const;

describe('an input that leaves everything out', () => {
  const page = { limit: 20, after: null };
  it.each([
    ...LISTS.map((name) => [name, firstPage] as const),
    ['listRepositories', page] as const,
    ['listSources', page] as const,
    ['listActivity', { repository: null, from: null, to: null }] as const,
  ])('gives the first page of %s, without a filter', async (name, whole) => {
    const useCases = useCasesOver(fakeReaders([...dated(NOW), aRepositoryRecord(), aSync()]));
    const { data } = await useCases[name].execute({}, widgetOnly);
    expect(data).toEqual((await useCases[name].execute(whole, widgetOnly)).data);
    expect('items' in data ? data.items : data).not.toEqual([]);
  });
});

describe('a record dated ahead', () => {
  it.each(LISTS)('is listed by %s up to five minutes ahead, not later', async (name) => {
    for (const [ahead, length] of [
      [0, 1],
      [5 * MINUTE, 1],
      [5 * MINUTE + 1, 0],
    ] as const) {
      const answer = await useCasesOver(fakeReaders(dated(NOW + ahead)))[name].execute(everything, widgetOnly);
      expect(answer.data.items).toHaveLength(length);
    }
  });

  it.each(LISTS)('is not listed by %s when a later end is asked for', async (name) => {
    const answer = await useCasesOver(fakeReaders(dated(NOW + DAY)))[name].execute({ ...everything, to: NOW + 9 * DAY }, widgetOnly);
    expect(answer.data).toEqual({ items: [], next: null });
  });

  it.each(BY_ID)('is found by %s up to five minutes ahead, not later', async (name, id) => {
    const at = (ahead: number) => useCasesOver(fakeReaders(dated(NOW + ahead)))[name].execute({ id }, widgetOnly);
    await expect(at(5 * MINUTE)).resolves.toMatchObject({ data: {} });
    await expect(at(5 * MINUTE + 1)).rejects.toEqual(new NotFoundError());
    // Later than any time that can be written, as only a broken reader returns it.
    await expect(at(LATEST_INSTANT)).rejects.toEqual(new NotFoundError());
  });

  it('is not found by its sha, nor makes another commit ambiguous', async () => {
    const later = aCommit({ sha: `9f1c2d3${'0'.repeat(33)}`, committedAt: NOW + DAY });
    const { getCommit } = useCasesOver(fakeReaders([later, aCommit()]));
    await expect(getCommit.execute({ sha: later.sha, repository: null }, widgetOnly)).rejects.toEqual(new NotFoundError());
    const answer = await getCommit.execute({ sha: '9f1c2d3', repository: null }, widgetOnly);
    expect(answer.data.record.sha).toBe(aCommit().sha);
  });

  it('is shown when it is planned maintenance', async () => {
    const planned = anIncident({ startedAt: NOW + 3 * DAY, incidentKind: 'maintenance', state: 'scheduled' });
    const useCases = useCasesOver(fakeReaders([planned, aService()]));
    expect((await useCases.listIncidents.execute(everything, context)).data.items).toEqual([planned]);
    expect((await useCases.getIncident.execute({ id: planned.id }, context)).data).toEqual(planned);
    expect((await useCases.getStatus.execute({}, context)).data.incidents.current).toEqual([planned]);
  });
});

describe('a list', () => {
  it('is empty, and no error, when nothing is stored', async () => {
    for (const name of LISTS) {
      const answer = await useCasesOver(fakeReaders([]))[name].execute(everything, widgetOnly);
      expect([name, answer.data, answer.dataStatus]).toEqual([name, { items: [], next: null }, 'unknown']);
    }
  });

  it('is joined from its pages', async () => {
    const commits = Array.from({ length: 7 }, (_, index) => aCommit({ sha: index.toString(16).repeat(40), committedAt: NOW - (index >> 1) }));
    const { listCommits } = useCasesOver(fakeReaders(commits));
    const shas: string[] = [];
    let after = null;
    do {
      const { data } = await listCommits.execute({ ...everything, limit: 2, after }, widgetOnly);
      shas.push(...data.items.map(({ record }) => record.sha));
      after = data.next;
    } while (after !== null);
    expect(shas).toEqual(commits.map(({ sha }) => sha));
  });

  it('keeps a record whose repository has no record of its own yet', async () => {
    const { data } = await useCasesOver(fakeReaders([aCommit()])).listCommits.execute(everything, widgetOnly);
    expect(data.items[0]?.repository).toMatchObject({ fullName: 'Acme/Widget', repositoryRef: 'acme/widget', latestRelease: null });
  });

  it('shows a record of no repository without one', async () => {
    const { data } = await useCasesOver(fakeReaders([aVideo(), aRepositoryRecord()])).listVideos.execute(everything, widgetOnly);
    expect(data.items).toEqual([{ record: aVideo(), repository: null }]);
  });

  it('leaves out records of no repository when one is asked for', async () => {
    const { data } = await useCasesOver(fakeReaders([aVideo()])).listVideos.execute({ ...everything, repository: 'acme/widget' }, widgetOnly);
    expect(data.items).toEqual([]);
  });

  it('needs one read for records and one for their repositories', async () => {
    const readers = fakeReaders([aRepositoryRecord(), aCommit(), aCommit({ sha: 'b'.repeat(40) })]);
    await useCasesOver(readers).listCommits.execute(everything, widgetOnly);
    expect(readers.calls.sort()).toEqual(['commit.list', 'repository.byRefs', 'sync.list']);
  });

  it('knows how fresh it is, and does without when that cannot be read', async () => {
    const fresh = fakeReaders([aCommit(), aSync()]);
    const stale = fakeReaders([aCommit(), aSync({ lastSuccessAt: NOW - DAY })]);
    const status = async (readers: ReturnType<typeof fakeReaders>) =>
      (await useCasesOver(readers).listCommits.execute(everything, widgetOnly)).dataStatus;
    expect([await status(fresh), await status(stale), await status({ ...fresh, syncs: { list: failing } })]).toEqual(['fresh', 'stale', 'unknown']);
  });

  it('fails when its records cannot be read', async () => {
    const readers = fakeReaders([]);
    const { listCommits } = useCasesOver({ ...readers, commits: { ...readers.commits, list: failing } });
    await expect(listCommits.execute(everything, widgetOnly)).rejects.toThrow('connection reset');
  });
});

describe('GetCommit', () => {
  const other = aCommit({ sha: `9f1c2d3${'0'.repeat(33)}` });

  it('refuses an abbreviation of several commits', async () => {
    const { getCommit } = useCasesOver(fakeReaders([aCommit(), other]));
    await expect(getCommit.execute({ sha: '9f1c2d3', repository: 'acme/widget' }, widgetOnly)).rejects.toMatchObject({
      kind: 'invalid_input',
      code: 'INVALID_PARAMETER',
      field: 'sha',
    });
  });

  it('finds a commit by its sha, an abbreviation, and in its repository', async () => {
    const { getCommit } = useCasesOver(fakeReaders([aCommit(), aRepositoryRecord()]));
    for (const [sha, repository] of [
      [aCommit().sha, null],
      ['9f1c2d3', null],
      ['9f1c2d3', 'ACME/widget'],
    ] as const) {
      expect((await getCommit.execute({ sha, repository }, widgetOnly)).data.record).toEqual(aCommit());
    }
  });
});

describe('ListServiceChecks', () => {
  it('lists the checks of one service, newest first, up to a minute ahead', async () => {
    const times = [NOW + 61_000, NOW + 60_000, NOW, NOW - DAY];
    const checks = times.map((checkedAt) => aCheck({ checkedAt }));
    const useCases = useCasesOver(fakeReaders([aService(), ...checks, aCheck({ serviceKey: 'acme:other' })]));
    const answer = await useCases.listServiceChecks.execute({ ...firstPage, key: 'acme:widget-api' }, context);
    expect(answer.data.items.map(({ checkedAt }) => checkedAt)).toEqual(times.slice(1));
    await expect(useCases.listServiceChecks.execute({ ...firstPage, key: 'acme:other' }, context)).rejects.toEqual(new NotFoundError());
  });
});
