import {
  NotFoundError,
  releaseIdKey,
  searchPositionOf,
  type RepositoryRef,
  type SearchEntry,
  type SearchableRecord,
  positionOf,
} from '@vitrine/core';
import { aBuild, aCommit, aFinding, aMission, anArticle, aRelease, aRepositoryRecord, aVideo, NOW } from '@vitrine/core/testing';
import { fakeReaders } from '../../test/fake-readers.js';
import { scopedPage, useCasesOver, widgetOnly } from '../../test/fake-use-cases.js';

const SECRET = 'acme/canary';
const SECRET_SHA = `ca9a${'0'.repeat(36)}`;

/** Newer than everything public, so that a reader that forgets the allowlist returns them first and last. */
const secrets = [
  aRepositoryRecord({ repositoryRef: SECRET }),
  aCommit({ repositoryRef: SECRET, sha: SECRET_SHA, title: 'canary', committedAt: NOW }),
  aRelease({ repositoryRef: SECRET, name: 'canary', publishedAt: NOW }),
  aFinding({ repositoryRef: SECRET, id: 'fnd_canary', title: 'canary', detectedAt: NOW }),
  aBuild({ repositoryRef: SECRET, id: 'bld_canary', name: 'canary', startedAt: NOW }),
  aMission({ repositoryRef: SECRET, id: 'msn_canary', title: 'canary', createdAt: NOW }),
  anArticle({ repositoryRef: SECRET, id: 'art_canary', title: 'canary', publishedAt: NOW }),
  aVideo({ repositoryRef: SECRET, id: 'vid_canary', title: 'canary', publishedAt: NOW }),
];
/** What a broken reader makes of a record whose scope cannot be told. */
const LOST = JSON.parse('{"repositoryRef":"-","title":"Add canary"}') as { readonly repositoryRef: RepositoryRef; readonly title: string };

const open = [
  aRepositoryRecord({ fullName: 'Acme/Widget', repositoryRef: 'acme/widget' }),
  aCommit(),
  aRelease(),
  aFinding(),
  aBuild(),
  aMission(),
  anArticle(),
  aVideo({ repositoryRef: 'acme/widget' }),
];
/** Older secrets too, so that they stand on both sides of what is public. */
const older = [aCommit({ repositoryRef: SECRET, sha: `ca9b${'0'.repeat(36)}`, title: 'canary', committedAt: 1 })];

const leaky = () => useCasesOver(fakeReaders([...secrets, ...open, ...older], { leaky: true }));

function expectNothingSecret(answer: unknown): void {
  expect(JSON.stringify(answer)).not.toMatch(/canary|ca9a|ca9b/);
}

describe('the gate behind a reader that forgets the allowlist', () => {
  it.each([
    ['commit', 'listCommits', 2],
    ['release', 'listReleases', 1],
    ['finding', 'listFindings', 1],
    ['mission', 'listMissions', 1],
    ['article', 'listArticles', 1],
    ['video', 'listVideos', 1],
  ] as const)('drops every %s of %s that is not approved, and reports each', async (kind, name, refused) => {
    const useCases = leaky();
    const answer = await useCases[name].execute({ ...scopedPage }, widgetOnly);
    expectNothingSecret(answer);
    expect(answer.data.items).toHaveLength(1);
    expect(useCases.monitor.heard.filter((heard) => heard === kind)).toHaveLength(refused);
  });

  it.each(['listCommits', 'listReleases', 'listFindings', 'listMissions', 'listArticles', 'listVideos'] as const)(
    'lets %s tell no position of a record that it dropped',
    async (name) => {
      const answer = await leaky()[name].execute({ ...scopedPage, limit: 1 }, widgetOnly);
      expectNothingSecret(answer);
      expect(answer.data).toEqual({ items: [], next: null });
    },
  );

  it('goes on after the last record that it let through', async () => {
    const page = { ...scopedPage, limit: 2 };
    const answer = await leaky().listCommits.execute(page, widgetOnly);
    expect(answer.data.next).toEqual(positionOf(aCommit()));
    const last = await leaky().listCommits.execute({ ...page, after: answer.data.next }, widgetOnly);
    expect(last.data).toEqual({ items: [], next: null });
  });

  it('drops repositories from their list, and tells no position of them', async () => {
    const useCases = leaky();
    const whole = await useCases.listRepositories.execute({ limit: 20, after: null }, widgetOnly);
    expectNothingSecret(whole);
    expect(whole.data.items.map(({ fullName }) => fullName)).toEqual(['Acme/Widget']);
    expect(useCases.monitor.heard).toEqual(['repository']);
    const first = await leaky().listRepositories.execute({ limit: 1, after: null }, widgetOnly);
    expectNothingSecret(first);
  });

  it.each([
    ['getRelease', releaseIdKey('acme/canary@v2.1.0')],
    ['getFinding', 'fnd_canary'],
    ['getMission', 'msn_canary'],
    ['getArticle', 'art_canary'],
    ['getVideo', 'vid_canary'],
  ] as const)('lets %s find nothing, and reports it', async (name, id) => {
    const useCases = leaky();
    await expect(useCases[name].execute({ id }, widgetOnly)).rejects.toEqual(new NotFoundError());
    expect(useCases.monitor.heard).toHaveLength(1);
  });

  it('lets no commit be found by its sha, nor make another one ambiguous', async () => {
    const useCases = leaky();
    await expect(useCases.getCommit.execute({ sha: SECRET_SHA, repository: null }, widgetOnly)).rejects.toEqual(new NotFoundError());
    expect(useCases.monitor.heard).toEqual(['commit']);
    const twins = [aCommit({ repositoryRef: SECRET, sha: `9f1c2d3${'0'.repeat(33)}` }), aCommit()];
    const { getCommit } = useCasesOver(fakeReaders(twins, { leaky: true }));
    const answer = await getCommit.execute({ sha: '9f1c2d3', repository: null }, widgetOnly);
    expect(answer.data.record).toEqual(aCommit());
  });

  it.each(['listCommits', 'listReleases', 'listFindings'] as const)('lets %s show nothing that has lost its repository', async (name) => {
    const strays = [aCommit(LOST), aRelease({ ...LOST, name: 'canary', id: 'canary@1' }), aFinding(LOST)];
    const useCases = useCasesOver(fakeReaders(strays, { leaky: true }));
    const answer = await useCases[name].execute({ ...scopedPage }, widgetOnly);
    expect(answer.data).toEqual({ items: [], next: null });
    expect(useCases.monitor.heard).toHaveLength(1);
  });

  it('keeps the overview clean', async () => {
    const useCases = leaky();
    const answer = await useCases.getOverview.execute({}, widgetOnly);
    expectNothingSecret(answer);
    expect(useCases.monitor.heard.sort()).toEqual(['commit', 'finding', 'release']);
  });

  it('keeps the hub clean, of other approved repositories and of none too', async () => {
    const readers = fakeReaders([...secrets, ...open, ...older, aMission({ id: 'msn_free', repositoryRef: '-' })], { leaky: true });
    const useCases = useCasesOver(readers);
    const answer = await useCases.getRepositoryHub.execute({ fullName: 'acme/widget' }, widgetOnly);
    expectNothingSecret(answer);
    const { commits, releases, findings, builds, missions } = answer.data;
    expect([commits, releases, findings, builds, missions].map((list) => list.length)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(useCases.monitor.heard)).toEqual(new Set(['repository', 'commit', 'release', 'finding', 'build', 'mission']));
  });

  it('shows no repository beside a record but its own', async () => {
    const answer = await leaky().getFinding.execute({ id: 'fnd_1' }, widgetOnly);
    expect(answer.data.repository.fullName).toBe('Acme/Widget');
    expectNothingSecret(await leaky().getRepository.execute({ fullName: 'acme/widget' }, widgetOnly));
  });

  const entryOf = (record: SearchableRecord): SearchEntry => ({ record, position: { tier: 0, ...searchPositionOf(record) } });
  const secretHit = entryOf(aCommit({ repositoryRef: SECRET, sha: SECRET_SHA, title: 'Add canary' }));
  const openHit = entryOf(aCommit());

  it.each([
    ['of a repository that is not approved', secretHit],
    ['that has lost its repository', { ...secretHit, record: aCommit(LOST) }],
  ])('drops a hit %s', async (_, hit) => {
    const readers = fakeReaders(open);
    const search = { search: () => Promise.resolve({ items: [openHit, hit], next: hit.position }) };
    const useCases = useCasesOver({ ...readers, search });
    const answer = await useCases.search.execute({ q: 'add', types: [], limit: 2, after: null }, widgetOnly);
    expectNothingSecret(answer);
    expect(answer.data.items).toHaveLength(1);
    expect(answer.data.next).toEqual(openHit.position);
    expect(useCases.monitor.heard).toEqual(['commit']);
  });
});

describe('a repository that is not approved', () => {
  const readers = () => fakeReaders([...secrets, ...open]);

  it.each(['acme/canary', 'acme/unheard-of', 'acme', '../..', ''])('is not found by name before anything of it is read: %j', async (fullName) => {
    const fake = readers();
    const useCases = useCasesOver(fake);
    await expect(useCases.getRepositoryHub.execute({ fullName }, widgetOnly)).rejects.toEqual(new NotFoundError());
    await expect(useCases.getRepository.execute({ fullName }, widgetOnly)).rejects.toEqual(new NotFoundError());
    await expect(useCases.getCommit.execute({ sha: SECRET_SHA, repository: fullName }, widgetOnly)).rejects.toEqual(new NotFoundError());
    expect(fake.calls.filter((call) => call !== 'sync.list')).toEqual([]);
  });

  it.each(['acme/canary', 'acme/unheard-of'])('gives an empty list as a filter, without a read: %s', async (repository) => {
    const fake = readers();
    const { listCommits, listArticles } = useCasesOver(fake);
    const page = { ...scopedPage, repository };
    const commits = await listCommits.execute(page, widgetOnly);
    const articles = await listArticles.execute(page, widgetOnly);
    expect([commits.data, articles.data]).toEqual([
      { items: [], next: null },
      { items: [], next: null },
    ]);
    expect(fake.calls.filter((call) => call !== 'sync.list')).toEqual([]);
  });

  it('is not found by id either, as a record that does not exist', async () => {
    const useCases = useCasesOver(readers());
    const failure = async (id: string) => useCases.getFinding.execute({ id }, widgetOnly).catch((error: unknown) => error);
    expect(await failure('fnd_canary')).toEqual(await failure('fnd_nothing'));
    expect(useCases.monitor.heard).toEqual([]);
  });
});
