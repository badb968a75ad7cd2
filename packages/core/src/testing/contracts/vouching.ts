import { MINUTE } from '../../kinds/instant.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { searchWordsOf } from '../../rules/search-words.js';
import { NOW, aCommit, aFinding, aRelease, aRepositoryRecord, aSync } from '../builders.js';
import { someNews } from '../content-builders.js';
import { type ContractCase, type ContractOptions, StandingClock, allOf, assert, assertSame, namedCase, sortedJson, withStore } from '../contract.js';
import { LIST_SPECS } from '../list-specs.js';
import { aCheck, aService } from '../status-builders.js';

const approved = Allowlist.of('acme/widget').approved();
const GIT = 'git:acme/widget';
const GITHUB = 'github:acme/widget';
const FILE = 'records:0123456789ab';

/** More records than a store writes at once. */
const MANY = 1_100;

/** One record of every kind for which sources vouch. */
const VOUCHED = [aRepositoryRecord(), ...LIST_SPECS.map((spec) => spec.example()), aService()];

/** What a store promises about the sources that vouch for its records. */
export function vouchingContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: (store: RecordStore, context: ReadContext) => Promise<void>): ContractCase =>
    namedCase(`vouching: ${name}`, () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)));
  return [
    on('a record of any kind stays until the last source that vouches for it withdraws', staysWhileVouched),
    on('a source removes a record for which nobody vouches, and no source is needed to remove any', removesUnvouched),
    on('withdrawing a source removes what it alone brought, and leaves checks and sync records', withdraws),
    on('withdrawing a source works for many records, and can be repeated', withdrawsMany),
    on('each field is what the source with the authority says, in whatever order the sources run', decidesFields),
    on('what a source said stays when another source puts the record again', keepsStatements),
    on('a record is again what the others say after a source has withdrawn', showsTheRest),
    on('a forge names the author of a stored commit, and brings no commit', namesAuthors),
    on('a moved commit stays moved when a forge names its author', staysMoved),
    on('a source that takes over a record for which nobody vouches changes nothing that is shown', takesOver),
    on('a source is told of its own commits, releases and findings, and of those for which nobody vouches', tellsOwn),
    on('putting the statements of a store into another one gives an equal store', (store, context) => copies(store, options, context)),
    on('withdraw rejects when its signal has aborted', rejectsWhenAborted),
  ];
}

async function staysWhileVouched({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  for (const source of [GIT, FILE]) await writer.put(VOUCHED, { ...context, source });
  assertSame(await writer.remove(VOUCHED, { ...context, source: GITHUB }), 0, 'removed by a source that vouches for nothing');
  assertSame(await writer.remove(VOUCHED, { ...context, source: GIT }), 0, 'removed by the first of two sources');
  assertSame(await writer.remove(VOUCHED, { ...context, source: GIT }), 0, 'removed by the first source again');
  assertSame((await allOf(collection.records(context))).length, VOUCHED.length, 'records that the second source vouches for');
  assertSame(await writer.remove(VOUCHED, { ...context, source: FILE }), VOUCHED.length, 'removed by the second source');
  assertSame(await allOf(collection.records(context)), [], 'records for which nobody vouches any more');
}

async function removesUnvouched({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put(VOUCHED, context);
  assertSame(await writer.remove(VOUCHED, { ...context, source: GIT }), VOUCHED.length, 'records for which nobody vouches, removed by a source');
  for (const source of [GIT, FILE]) await writer.put(VOUCHED, { ...context, source });
  assertSame(await writer.remove(VOUCHED, context), VOUCHED.length, 'records with two sources, removed without one');
  assertSame(await allOf(collection.records(context)), [], 'records that are left');
}

async function withdraws({ writer, collection, readers }: RecordStore, context: ReadContext): Promise<void> {
  const shared = someNews({ id: 'shared' });
  const release = aRelease({ tagName: 'v9', publishedAt: NOW - MINUTE, name: 'Singular' });
  await writer.put([aRepositoryRecord(), someNews({ id: 'nobody' })], context);
  await writer.put([shared, aCommit()], { ...context, source: FILE });
  await writer.put([shared, release, aCheck(), aSync({ id: GIT })], { ...context, source: GIT });
  assertSame(await writer.withdraw(GIT, context), 1, 'removed');
  assertSame(await writer.withdraw(GIT, context), 0, 'removed again');
  assertSame(await writer.withdraw('git:acme/none', context), 0, 'removed with a source that vouches for nothing');
  const left = (await allOf(collection.records(context))).map((record) => ('id' in record ? record.id : record.kind));
  assertSame(left.sort(), ['check', 'commit', GIT, 'nobody', 'repository', 'shared'].sort(), 'records that are left');
  const [repository] = await readers.repositories.byRefs(approved, ['acme/widget'], context);
  assertSame([repository?.latestRelease, repository?.latestActivityAt], [null, aCommit().committedAt], 'the facts of the repository');
  assertSame(await found(readers, 'singular', context), [], 'hits for the removed release');
  assertSame(await writer.withdraw(FILE, context), 2, 'removed with the other source');
}

async function withdrawsMany({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const many = Array.from({ length: MANY }, (_, index) => someNews({ id: `n${String(index)}` }));
  const shared = many.slice(0, 5);
  await writer.put(many, { ...context, source: GIT });
  await writer.put(shared, { ...context, source: FILE });
  assertSame(await writer.withdraw(GIT, context), MANY - shared.length, 'removed');
  assertSame(
    (await allOf(collection.statements(context))).map(({ source }) => source),
    shared.map(() => FILE),
    'sources of the records that are left',
  );
}

const TAG = aRelease({ name: 'v2.1.0', body: 'tag message', publishedAt: NOW - 40 * MINUTE });
const assets = [{ name: 'widget.zip', platform: null, size: 1, url: 'https://acme.example/widget.zip' }];
const NOTES = aRelease({ name: 'Widget', body: 'Notes', platform: 'linux', releaseType: 'beta', publishedAt: NOW - 30 * MINUTE, assets });
const MERGED = { ...NOTES, publishedAt: TAG.publishedAt };

async function decidesFields({ writer, collection, readers }: RecordStore, context: ReadContext): Promise<void> {
  const orders = [
    [GIT, GITHUB],
    [GITHUB, GIT],
  ] as const;
  for (const order of orders) {
    for (const source of order) {
      const { stored } = await writer.put([source === GIT ? TAG : NOTES], { ...context, source });
      assertSame(stored, 1, `stored for ${source}`);
    }
    assertSame(await allOf(collection.records(context)), [MERGED], `the release after ${order.join(' and ')}`);
    const query = { limit: 5, after: null, from: null, to: NOW, releaseType: null };
    const list = async (platform: string): Promise<number> => (await readers.releases.list(approved, { ...query, platform }, context)).items.length;
    assertSame([await list('linux'), await list('windows')], [1, 0], 'releases by platform');
    await writer.remove([TAG], context);
  }
}

async function keepsStatements({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const [first, later] = [NOW - 2 * MINUTE, NOW - MINUTE];
  const at = (observedAt: number) => aRepositoryRecord({ lastSyncedAt: observedAt, provenance: { ...aRepositoryRecord().provenance, observedAt } });
  await writer.put([NOTES], { ...context, source: GITHUB });
  for (const body of ['tag message', 'edited', 'edited again']) await writer.put([{ ...TAG, body }], { ...context, source: GIT });
  await writer.put([at(NOW)], { ...context, source: GITHUB });
  for (const time of [first, later]) {
    const { stored } = await writer.put([at(time)], { ...context, source: GIT, filledAt: time });
    assertSame(stored, time === first ? 1 : 0, 'a repository whose times were filled in');
  }
  const [repository, release] = await allOf(collection.records(context));
  assertSame(release, MERGED, 'the release');
  assertSame(repository?.kind === 'repository' ? repository.lastSyncedAt : null, first, 'the time that git filled in first');
}

async function showsTheRest({ writer, collection, readers }: RecordStore, context: ReadContext): Promise<void> {
  const records = () => allOf(collection.records(context));
  await writer.put([aRepositoryRecord()], context);
  await writer.put([NOTES], { ...context, source: GITHUB });
  await writer.put([TAG], { ...context, source: GIT });
  await writer.withdraw(GITHUB, context);
  assertSame(await records(), [aRepositoryRecord(), TAG], 'after the forge has withdrawn');
  assertSame(await found(readers, 'notes', context), [], 'hits for the notes of the forge');
  assertSame(await found(readers, 'message', context), [TAG.id], 'hits for the message of the tag');
  await writer.put([NOTES], { ...context, source: GITHUB });
  assertSame(await writer.remove([TAG], { ...context, source: GIT }), 0, 'removed by git');
  assertSame(await records(), [aRepositoryRecord(), NOTES], 'after git has removed its tag');
  assertSame(await writer.remove([NOTES], { ...context, source: GITHUB }), 1, 'removed by the forge');
  assertSame(await records(), [aRepositoryRecord()], 'after both have gone');
}

const FROM_GIT = aCommit({ authorLogin: '' });
const FROM_FORGE = aCommit({ title: 'Another title', additions: 0, authorLogin: 'ada' });

async function namesAuthors({ writer, collection, readers }: RecordStore, context: ReadContext): Promise<void> {
  const refused = await writer.put([aRelease(), FROM_FORGE], { ...context, source: GITHUB });
  assertSame(refused, { stored: 1, unchanged: 0, refused: [{ index: 1, reason: 'unknown-commit' }] }, 'a commit that no other source has stored');
  for (const title of ['first', 'second']) {
    await writer.put([{ ...FROM_GIT, title }], { ...context, source: GIT });
    await writer.put([FROM_FORGE], { ...context, source: GITHUB });
    const [commit] = await readers.commits.bySha(approved, FROM_GIT.sha, context);
    assertSame(commit, { ...FROM_GIT, title, authorLogin: 'ada' }, 'the commit');
  }
  const query = { limit: 5, after: null, from: null, to: NOW, changeType: null, branch: null };
  assertSame((await readers.commits.list(approved, { ...query, author: 'ada' }, context)).items.length, 1, 'commits by the login');
  await writer.put([FROM_GIT], { ...context, source: GIT });
  assertSame(await readers.commits.bySha(approved, FROM_GIT.sha, context), [{ ...FROM_GIT, authorLogin: 'ada' }], 'after git has put it again');
  assertSame(await writer.remove([FROM_GIT], { ...context, source: GIT }), 1, 'removed by git');
  assertSame(
    (await allOf(collection.records(context))).map(({ kind }) => kind),
    ['release'],
    'records that are left',
  );
}

async function staysMoved({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([FROM_GIT], { ...context, source: GIT });
  await writer.put([FROM_FORGE], { ...context, source: GITHUB });
  await writer.moveCommits('acme/widget', [{ sha: FROM_GIT.sha, branch: 'next' }], context);
  await writer.put([{ ...FROM_FORGE, authorLogin: 'grace' }], { ...context, source: GITHUB });
  assertSame(await allOf(collection.records(context)), [{ ...FROM_GIT, branch: 'next', authorLogin: 'grace' }], 'the commit');
}

async function takesOver(store: RecordStore, context: ReadContext): Promise<void> {
  const { writer, collection } = store;
  await writer.put(VOUCHED, context);
  const report = await writer.put(VOUCHED, { ...context, source: GIT });
  assertSame(report, { stored: 0, unchanged: VOUCHED.length, refused: [] }, 'the report');
  assertSame(await writer.remove(VOUCHED, { ...context, source: FILE }), 0, 'removed by another source');
  assertSame(await writer.withdraw(GIT, context), VOUCHED.length, 'removed with the source');
  assertSame(await allOf(collection.records(context)), [], 'records that are left');
}

async function tellsOwn({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  for (const [index, source] of [GIT, FILE, null].entries()) await writer.put(numbered(index), { ...context, source });
  await writer.put(numbered(7), { ...context, source: GIT });
  await writer.put(numbered(7), { ...context, source: FILE });
  const told = async (source: string | null): Promise<string> => {
    const commits = [...(await collection.commitBranches('acme/widget', { ...context, source })).keys()].map((sha) => sha[0]);
    const idsOf = async (kind: 'release' | 'finding') =>
      (await allOf(collection.ofRepository(kind, 'acme/widget', { ...context, source }))).map(({ id }) => id.at(-1));
    const [releases, findings] = [await idsOf('release'), await idsOf('finding')];
    return [commits, releases, findings].map((numbers) => numbers.sort().join('')).join(' ');
  };
  assertSame(await told(GIT), '027 027 027', 'what git is told');
  assertSame(await told(FILE), '127 127 127', 'what the records file is told');
  assertSame(await told(GITHUB), '2 2 2', 'what a source that vouches for nothing is told');
  assertSame(await told(null), '0127 0127 0127', 'what is told without a source');
}

/** Records that end in a digit. */
function numbered(digit: number) {
  return [aCommit({ sha: String(digit).repeat(40) }), aRelease({ tagName: `v${String(digit)}` }), aFinding({ id: `f${String(digit)}` })];
}

async function copies(store: RecordStore, options: ContractOptions, context: ReadContext): Promise<void> {
  await fillWithSources(store, context);
  const statements = await allOf(store.collection.statements(context));
  const releases = statements.flatMap(({ record, source }) => (record.kind === 'release' ? [[record, source]] : []));
  const said = [TAG, NOTES].map((record, index) => [record, [GIT, GITHUB][index]]);
  assertSame(releases, said, 'the statements about a release');
  await withStore(options, new StandingClock(NOW), async (copy) => {
    for (const { record, source } of statements) await copy.writer.put([record], { ...context, source });
    assertSame(sortedJson(await allOf(copy.collection.statements(context))), sortedJson(statements), 'the statements of the copy');
    assertSame(
      sortedJson(await allOf(copy.collection.records(context))),
      sortedJson(await allOf(store.collection.records(context))),
      'the records of the copy',
    );
  });
}

async function fillWithSources({ writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([...VOUCHED, aCheck(), aSync()], context);
  for (const source of [GIT, 'forgejo:acme/widget']) await writer.put([aRepositoryRecord({ lastSyncedAt: NOW }), aCommit()], { ...context, source });
  await writer.put([TAG, FROM_GIT], { ...context, source: GIT });
  await writer.put([NOTES, FROM_FORGE], { ...context, source: GITHUB });
}

async function rejectsWhenAborted({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aCommit()], { ...context, source: GIT });
  const controller = new AbortController();
  controller.abort(new Error('The test ended this call.'));
  const ended = await writer.withdraw(GIT, { signal: controller.signal }).then(
    () => false,
    () => true,
  );
  assert(ended, 'withdraw, called with a signal that has aborted: expected it to reject, found that it resolved');
  assertSame((await allOf(collection.records(context))).length, 1, 'the record of the call that was ended');
}

async function found(readers: RecordStore['readers'], q: string, context: ReadContext): Promise<readonly string[]> {
  const words = searchWordsOf(q) ?? { whole: [], prefix: null };
  const { items } = await readers.search.search(approved, { words, types: ['release'], limit: 5, after: null, to: NOW }, context);
  return items.map(({ record }) => ('id' in record ? record.id : record.kind));
}
