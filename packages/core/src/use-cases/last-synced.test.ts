import { HOUR, MINUTE, positionOf, type SearchReader } from '@vitrine/core';
import { aCommit, aFinding, aMission, anArticle, aRelease, aRepositoryRecord, aSync, aVideo, NOW } from '@vitrine/core/testing';
import { fakeReaders } from '../../test/fake-readers.js';
import { firstPage, scopedPage, useCasesOver, widgetOnly } from '../../test/fake-use-cases.js';

const STORED_AT = NOW - 9 * HOUR;
const OLDEST = NOW - 5 * MINUTE;
const RECORDS = [
  aRepositoryRecord({ lastSyncedAt: STORED_AT }),
  aCommit(),
  aRelease(),
  aFinding(),
  aMission({ repositoryRef: 'acme/widget' }),
  anArticle({ repositoryRef: 'acme/widget' }),
  aVideo({ repositoryRef: 'acme/widget' }),
];
const SYNCS = [
  aSync({ id: 'git:acme/widget', lastSuccessAt: NOW - MINUTE }),
  aSync({ id: 'github:acme/widget', lastSuccessAt: OLDEST }),
  aSync({ id: 'gitea:acme/widget', lastSuccessAt: null }),
  aSync({ id: 'records:1', repositoryRef: '-', lastSuccessAt: NOW - HOUR }),
];
const PENDING = [aSync({ id: 'git:acme/widget', lastSuccessAt: null, firstAttemptAt: NOW - MINUTE, lastAttemptAt: NOW - MINUTE })];

/** Finds one commit. */
const search: SearchReader = {
  search: () => {
    const record = aCommit();
    const position = { tier: 0, type: 'commit', ...positionOf(record) } as const;
    return Promise.resolve({ items: [{ record, position }], next: null });
  },
};

const page = { ...scopedPage };
const RESPONSES = {
  listCommits: (use) => use.listCommits.execute(page, widgetOnly),
  listReleases: (use) => use.listReleases.execute(page, widgetOnly),
  listFindings: (use) => use.listFindings.execute(page, widgetOnly),
  listMissions: (use) => use.listMissions.execute(page, widgetOnly),
  listArticles: (use) => use.listArticles.execute(page, widgetOnly),
  listVideos: (use) => use.listVideos.execute(page, widgetOnly),
  listRepositories: (use) => use.listRepositories.execute({ limit: 20, after: null }, widgetOnly),
  getCommit: (use) => use.getCommit.execute({ sha: aCommit().sha, repository: null }, widgetOnly),
  getRelease: (use) => use.getRelease.execute({ id: 'acme/widget@v2.1.0' }, widgetOnly),
  getFinding: (use) => use.getFinding.execute({ id: 'fnd_1' }, widgetOnly),
  getMission: (use) => use.getMission.execute({ id: 'msn_1' }, widgetOnly),
  getArticle: (use) => use.getArticle.execute({ id: 'widget-2-1-changelog' }, widgetOnly),
  getVideo: (use) => use.getVideo.execute({ id: 'vid_1' }, widgetOnly),
  getRepository: (use) => use.getRepository.execute({ fullName: 'acme/widget' }, widgetOnly),
  getRepositoryHub: (use) => use.getRepositoryHub.execute({ fullName: 'acme/widget' }, widgetOnly),
  getOverview: (use) => use.getOverview.execute({}, widgetOnly),
  search: (use) => use.search.execute({ q: 'widget', types: [], limit: firstPage.limit, after: null }, widgetOnly),
} satisfies Record<string, (use: ReturnType<typeof useCasesOver>) => Promise<unknown>>;

/** Each `lastSyncedAt` of a response, however deep. */
function timesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'lastSyncedAt' ? [inner] : timesIn(inner)));
}

describe.each(Object.keys(RESPONSES) as (keyof typeof RESPONSES)[])('a repository in the response of %s', (name) => {
  const times = async (syncs: readonly ReturnType<typeof aSync>[]) =>
    new Set(timesIn(await RESPONSES[name](useCasesOver({ ...fakeReaders([...RECORDS, ...syncs]), search }))));

  it('was last synced at the oldest last success of its sources', async () => {
    expect(await times(SYNCS)).toEqual(new Set([OLDEST]));
  });

  it('was last synced when it was first stored if no source has completed a run, or if no source is known', async () => {
    expect(await times(PENDING)).toEqual(new Set([STORED_AT]));
    expect(await times([])).toEqual(new Set([STORED_AT]));
  });
});
