import { type RecordIdentity, type StoredRecord, idKeyOf } from '../../kinds/identity.js';
import { MINUTE } from '../../kinds/instant.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { NOW, aBuild, aCommit, aFinding, aMission, aRelease, aRepositoryRecord, aSync } from '../builders.js';
import { someNews } from '../content-builders.js';
import { type ContractCase, type ContractOptions, StandingClock, allOf, assert, assertSame, namedCase, sortedJson, withStore } from '../contract.js';
import { LIST_SPECS } from '../list-specs.js';
import { aCheck, aService, anIncident } from '../status-builders.js';
import { WRITING_PROMISES } from './writing-promises.js';

const approved = Allowlist.of('acme/widget').approved();

/** One record of every kind that a collector writes. */
export function oneOfEach(): readonly StoredRecord[] {
  return [aRepositoryRecord(), ...LIST_SPECS.map((spec) => spec.example()), aService(), aCheck(), aSync()];
}

/** What writing promises. */
export function writingContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: (store: RecordStore, context: ReadContext) => Promise<void>): ContractCase =>
    namedCase(`writing: ${name}`, () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)));
  return [
    on('the same record stored twice is one record', storedTwice),
    on('keeps what is fixed when first stored', fixedWhenFirstStored),
    on('derives the latest release and activity of a repository, nothing of the future', derives),
    on('keeps what only a forge says of a repository and a release, as long as it does', optionalFields),
    on('moves commits to other branches', movesCommits),
    on('tells a collector what is stored, whatever the allowlist says', tellsCollector),
    on('removes what is named, and nothing else', removes),
    on('stores no e-mail address: cuts it from texts, drops the branch, and refuses an id, tag name or URL', keepsEmailOut),
    on('finds nothing by an address that was cut', findsNothingByAddress),
    on('refuses an id that names another repository', refusesForeignIds),
    on('refuses a time that is none, and stores the records beside it', refusesInvalidTimes),
    ...WRITING_PROMISES.map(({ name, run }) => on(name, run)),
    namedCase('writing: all records of a store, put into another one, give an equal store', () => copies(options)),
  ];
}

async function storedTwice({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const records = oneOfEach();
  const first = await writer.put(records, context);
  const second = await writer.put(records, context);
  assertSame([first.stored, second.stored, second.unchanged], [records.length, 0, records.length], 'stored, then stored and unchanged again');
  assertSame((await allOf(collection.records(context))).length, records.length, 'records in the store');
}

async function fixedWhenFirstStored({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([someNews(), aMission(), aService()], context);
  const later = NOW - MINUTE;
  await writer.put(
    [someNews({ title: 'New title', listedAt: later, discoveredAt: later }), aMission({ createdAt: later }), aService({ firstSeenAt: later })],
    context,
  );
  const news = await readers.news.byId('nws_1', context);
  assertSame([news?.title, news?.listedAt, news?.discoveredAt], ['New title', someNews().listedAt, someNews().discoveredAt], 'news');
  assertSame((await readers.missions.byId(approved, 'msn_1', context))?.createdAt, aMission().createdAt, 'mission');
  assertSame((await readers.services.byKey('acme:widget-api', context))?.firstSeenAt, aService().firstSeenAt, 'service');
}

async function derives({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  const read = async (): Promise<unknown> => {
    const [repository] = await readers.repositories.byRefs(approved, ['acme/widget'], context);
    return [repository?.latestRelease?.tagName ?? null, repository?.latestActivityAt ?? null];
  };
  await writer.put([aRepositoryRecord()], context);
  assertSame(await read(), [null, null], 'an empty repository');
  await writer.put([aRelease({ tagName: 'v1', publishedAt: NOW - 9 * MINUTE }), aCommit({ committedAt: NOW - 8 * MINUTE })], context);
  assertSame(await read(), ['v1', NOW - 8 * MINUTE], 'a release and a newer commit');
  await writer.put(
    [aRelease({ tagName: 'v3', publishedAt: NOW + 60 * MINUTE }), aRelease({ tagName: 'v2', publishedAt: NOW - 7 * MINUTE })],
    context,
  );
  assertSame(await read(), ['v2', NOW - 7 * MINUTE], 'a newer release, and one of the future');
  await writer.remove([aRelease({ tagName: 'v2' })], context);
  assertSame(await read(), ['v1', NOW - 8 * MINUTE], 'after the newest release is removed');
  await writer.put([aRepositoryRecord({ defaultBranch: 'next' })], context);
  assertSame(await read(), ['v1', NOW - 8 * MINUTE], 'after the repository is written again');
}

async function optionalFields({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  const repository = aRepositoryRecord({ description: 'Widgets', language: 'TypeScript' });
  const assets = [{ name: 'widget.zip', platform: null, size: null, url: `${repository.provenance.sourceUrl}/widget.zip` }];
  const release = aRelease({ assets });
  const read = async (): Promise<unknown> => {
    const [found] = await readers.repositories.byRefs(approved, ['acme/widget'], context);
    return [found?.description, found?.language, (await readers.releases.byId(approved, idKeyOf(release), context))?.assets];
  };
  await writer.put([repository, release], context);
  assertSame(await read(), ['Widgets', 'TypeScript', assets], 'what a forge says beside git');
  await writer.put([aRepositoryRecord(), aRelease()], context);
  assertSame(await read(), [undefined, undefined, undefined], 'what it does not say any more');
}

async function movesCommits({ writer, readers, collection }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aCommit()], context);
  const { sha, repositoryRef } = aCommit();
  assertSame(
    await writer.moveCommits(
      repositoryRef,
      [
        { sha, branch: 'next' },
        { sha: '0'.repeat(40), branch: 'next' },
      ],
      context,
    ),
    1,
    'moved',
  );
  assertSame(await writer.moveCommits(repositoryRef, [{ sha, branch: 'next' }], context), 0, 'moved again');
  assertSame([...(await collection.commitBranches(repositoryRef, context))], [[sha, 'next']], 'branches');
  const query = { limit: 5, after: null, from: null, to: NOW, author: null, changeType: null };
  const on = async (branch: string): Promise<number> => (await readers.commits.list(approved, { ...query, branch }, context)).items.length;
  assertSame([await on('main'), await on('next')], [0, 1], 'commits by branch');
}

async function tellsCollector({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const hidden = 'acme/secret';
  const times = { firstAttemptAt: NOW - 4_000, lastSuccessAt: NOW - 3_000, lastAttemptAt: NOW - 2_000, lastFailureAt: NOW - 1_000 };
  const sync = aSync({ repositoryRef: hidden, id: 'git acme/secret', ...times, lastFailureCode: 'ENOENT', state: 'where it goes on' });
  await writer.put(
    [aCommit({ repositoryRef: hidden }), aRelease({ repositoryRef: hidden }), aFinding({ repositoryRef: hidden }), aFinding(), aCommit(), sync],
    context,
  );
  assertSame([...(await collection.commitBranches(hidden, context))], [[aCommit().sha, 'main']], 'branches');
  assertSame(await allOf(collection.ofRepository('release', hidden, context)), [aRelease({ repositoryRef: hidden })], 'releases');
  assertSame(await allOf(collection.ofRepository('release', 'acme/none', context)), [], 'releases of a repository without any');
  assertSame(await allOf(collection.ofRepository('finding', hidden, context)), [aFinding({ repositoryRef: hidden })], 'findings');
  assertSame(await collection.sync('git acme/secret', context), sync, 'sync');
  assertSame(await collection.sync('no such source', context), null, 'an unknown source');
}

async function removes({ writer, collection, readers }: RecordStore, context: ReadContext): Promise<void> {
  const records = oneOfEach();
  await writer.put([...records, aCommit({ repositoryRef: 'acme/secret' })], context);
  const identities = records.flatMap((record): RecordIdentity[] => {
    if (record.kind === 'check')
      return [{ kind: record.kind, serviceKey: record.serviceKey, checkedAt: record.checkedAt, source: record.provenance.source }];
    return record.kind === 'status-day' ? [] : [record];
  });
  assertSame(await writer.remove(identities, context), records.length, 'removed');
  assertSame(await writer.remove(identities, context), 0, 'removed again');
  const left = await allOf(collection.records(context));
  assertSame(
    left.map(({ kind }) => kind),
    ['commit'],
    'left',
  );
  const found = await readers.checks.present({ serviceKeys: null, now: NOW }, context);
  assertSame(found.size, 0, 'services with checks');
}

const MAIL = 'Ada <ada@example.org>';

async function keepsEmailOut({ writer, collection, readers }: RecordStore, context: ReadContext): Promise<void> {
  const bad = 'https://git.example/acme/widget/x?to=ada%40example.org';
  const good = [
    aRepositoryRecord({ defaultBranch: 'ada@example.org' }),
    aCommit({ title: `by ${MAIL}`, authorName: MAIL, authorLogin: 'ada@example.org', branch: 'ada@example.org/x', changedPaths: [`${MAIL}.txt`] }),
    anIncident({ updates: [{ id: 'u', state: 'resolved', body: `ask ${MAIL}`, createdAt: NOW - MINUTE }] }),
    aCheck({ rawState: 'q＠example.org' }),
  ];
  const refused = [
    aRelease({ tagName: 'ada@example.org' }),
    aFinding({ id: 'x@[10.0.0.1]' }),
    aBuild({ url: bad }),
    someNews({ provenance: { ...someNews().provenance, sourceUrl: bad } }),
    aCheck({ checkedAt: NOW - 2 * MINUTE, provenance: { ...aCheck().provenance, source: MAIL } }),
  ];
  const report = await writer.put([...refused.slice(0, 2), ...good, ...refused.slice(2)], context);
  assertSame(report.stored, good.length, 'stored');
  const wanted = [0, 1, 6, 7, 8].map((index) => ({ index, reason: 'email-in-identifier' }));
  assertSame(
    [...report.refused].sort((a, b) => a.index - b.index),
    wanted,
    'refused',
  );
  assertSame((await writer.put(good, context)).unchanged, good.length, 'unchanged when put again');
  assertSame(await writer.moveCommits('acme/widget', [{ sha: aCommit().sha, branch: 'b@example.org' }], context), 0, 'moved to no branch');
  const stored = await allOf(collection.records(context));
  assertSame(stored.length, good.length, 'records in the store');
  assert(!JSON.stringify(stored).includes('example.org'), 'an e-mail address is stored');
  const [commit] = await readers.commits.bySha(approved, aCommit().sha, context);
  assertSame([commit?.title, commit?.authorName, commit?.authorLogin, commit?.branch], ['by Ada', 'Ada', '', null], 'the commit');
}

async function findsNothingByAddress({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aCommit({ authorName: MAIL, authorLogin: 'ada@example.org', description: `by ${MAIL}`, branch: 'b@example.org' })], context);
  const found = async (over: object): Promise<number> => {
    const query = { limit: 5, after: null, from: null, to: NOW, author: null, changeType: null, branch: null, ...over };
    return (await readers.commits.list(approved, query, context)).items.length;
  };
  assertSame([await found({ author: 'Ada' }), await found({})], [1, 1], 'by the name that stays, and by none');
  const byAddress = [await found({ author: MAIL }), await found({ author: 'ada@example.org' }), await found({ branch: 'b@example.org' })];
  assertSame(byAddress, [0, 0, 0], 'by the address');
}

async function refusesInvalidTimes({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const wrong = [aCommit({ committedAt: NaN }), aCommit({ committedAt: NOW + 0.5 }), aRelease({ publishedAt: Infinity }), aCheck({ checkedAt: NaN })];
  const good = aCommit();
  const report = await writer.put([...wrong, good], context);
  const reasons = [...report.refused].sort((a, b) => a.index - b.index);
  assertSame([report.stored, reasons], [1, wrong.map((_, index) => ({ index, reason: 'invalid-time' }))], 'stored and refused');
  assertSame(await allOf(collection.records(context)), [good], 'the stored records');
}

async function refusesForeignIds({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const foreign = [aRelease({ id: 'acme/secret@v1' }), aFinding({ id: 'acme/secret@1' })];
  const own = [aRelease({ id: 'ACME/Widget@v1' }), aFinding()];
  const report = await writer.put([...own, ...foreign], context);
  const wanted = [2, 3].map((index) => ({ index, reason: 'foreign-id' }));
  assertSame([report.stored, report.refused], [own.length, wanted], 'stored and refused');
  const released = await allOf(collection.ofRepository('release', 'acme/widget', context));
  assertSame(
    released.map(({ id }) => id),
    ['ACME/Widget@v1'],
    'releases',
  );
}

async function copies(options: ContractOptions): Promise<void> {
  const { context } = options;
  const records: StoredRecord[] = [];
  await withStore(options, new StandingClock(NOW), async ({ writer, collection }) => {
    await writer.put([...oneOfEach(), aCommit({ repositoryRef: 'acme/secret' })], context);
    records.push(...(await allOf(collection.records(context))));
  });
  assert(records[0]?.kind === 'repository', `expected a repository first, found ${String(records[0]?.kind)}`);
  await withStore(options, new StandingClock(NOW), async ({ writer, collection }) => {
    await writer.put(records, context);
    assertSame(sortedJson(await allOf(collection.records(context))), sortedJson(records), 'the copy');
  });
}
