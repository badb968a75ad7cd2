import type { StoredRecord } from '../../kinds/identity.js';
import { SEARCH_TYPES, type SearchableRecord } from '../../kinds/search.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { searchWordsOf } from '../../rules/search-words.js';
import { NOW, aCommit, aFinding, aMission, aRelease, aRepositoryRecord, aSync } from '../builders.js';
import { aVideo, anArticle, someNews } from '../content-builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assert, assertSame, withStore } from '../contract.js';
import { Random } from '../random.js';
import { QUERIES, REFS, everyPage, expectedPositions, randomRecord } from './search.js';

const hidden = { repositoryRef: 'acme/secret' } as const;
const everything = Allowlist.of(...REFS).approved();
const without = Allowlist.of('acme/widget', 'acme/gadget').approved();

/** What the search index contains after a change of the allowlist. Each search here has permission for everything, so that it finds all entries. */
export function approvedSearchContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: (store: RecordStore, context: ReadContext) => Promise<void>): ContractCase => ({
    name: `search of approved repositories: ${name}`,
    run: () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)),
  });
  return [
    on('loses the entries of a repository that leaves the list, and has them again after an approval', leavesAndReturns),
    on('gets no entry for a repository that is not approved, and all of them after an approval', storedWhileHidden),
    on('tells repositories of one name apart by the id of their forge', otherForgeId),
    on('does not bring entries back when the record of a hidden repository changes its name or goes', renamedWhileHidden),
    on('clears what sources remember about repositories that are not approved, and nothing else', clearsSyncStates),
    {
      name: 'search of approved repositories: finds what the rule finds among approved records, whatever was written and approved in between',
      async run() {
        for (let index = 0; index < options.runs; index++) await anyOrder(options, new Random(options.seed + index));
      },
    },
  ];
}

function ofEachKind(repositoryRef: 'acme/secret' | 'acme/widget'): readonly SearchableRecord[] {
  return [
    aRepositoryRecord({ repositoryRef, fullName: repositoryRef }),
    aCommit({ repositoryRef, title: 'zebra' }),
    aRelease({ repositoryRef, name: 'zebra' }),
    aFinding({ repositoryRef, title: 'zebra' }),
    aMission({ repositoryRef, title: 'zebra' }),
    anArticle({ repositoryRef, title: 'zebra' }),
    aVideo({ repositoryRef, title: 'zebra' }),
  ];
}

async function leavesAndReturns({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([...ofEachKind('acme/secret'), ...ofEachKind('acme/widget'), someNews({ title: 'zebra' })], context);
  const after = async (approved: ApprovedRepositories): Promise<string> => {
    await writer.indexFor(approved, context);
    const [zebra, secret] = [await count(readers, 'zebra', context), await count(readers, 'secret', context)];
    return `found ${String(zebra)} and ${String(secret)}`;
  };
  await writer.indexFor(everything, context);
  assertSame(await after(everything), 'found 13 and 6', 'while both are approved');
  assertSame(await after(without), 'found 7 and 0', 'when one is not');
  assertSame(await after(without), 'found 7 and 0', 'after the same call again');
  assertSame(await after(everything), 'found 13 and 6', 'when it is approved again');
}

async function storedWhileHidden({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.indexFor(without, context);
  const { stored } = await writer.put(ofEachKind('acme/secret'), context);
  assertSame([stored, await count(readers, 'zebra', context)], [7, 0], 'stored and found while it is hidden');
  await writer.put([aFinding({ ...hidden, title: 'okapi' })], context);
  await writer.remove([aMission(hidden)], context);
  await writer.moveCommits('acme/secret', [{ sha: aCommit().sha, branch: 'next' }], context);
  assertSame([await count(readers, 'zebra', context), await count(readers, 'okapi', context)], [0, 0], 'found after changes');
  await writer.indexFor(everything, context);
  assertSame((await writer.put([aRelease({ ...hidden, name: 'zebra' })], context)).unchanged, 1, 'unchanged');
  assertSame([await count(readers, 'zebra', context), await count(readers, 'okapi', context)], [4, 1], 'found after the approval');
}

async function otherForgeId({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const name = { fullName: 'acme/widget', owner: 'acme', name: 'widget' };
  const pinned = new Allowlist([{ ...name, forgeId: '9' }]).approved();
  const find = async (approved: ApprovedRepositories): Promise<number> => count(readers, 'zebra', context, approved);
  await writer.put([aFinding({ title: 'zebra' }), aFinding({ repositoryRef: 'acme/widget#9', id: 'fnd_9', title: 'zebra' })], context);
  await writer.indexFor(pinned, context);
  assertSame([await find(without), await find(pinned)], [0, 1], 'found by the old ref and by the new one');
  await writer.indexFor(without, context);
  assertSame([await find(without), await find(pinned)], [1, 0], 'found when the id is gone from the list');
}

async function renamedWhileHidden({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([...ofEachKind('acme/secret'), ...ofEachKind('acme/widget')], context);
  await writer.indexFor(without, context);
  const renamed = aRepositoryRecord({ ...hidden, fullName: 'Acme/SecretKit' });
  await writer.put([renamed], context);
  assertSame([await count(readers, 'kit', context), await count(readers, 'zebra', context)], [0, 6], 'after another name');
  await writer.remove([renamed], context);
  assertSame([await count(readers, 'secret', context), await count(readers, 'zebra', context)], [0, 6], 'after the removal');
  await writer.indexFor(everything, context);
  assertSame([await count(readers, 'secret', context), await count(readers, 'zebra', context)], [5, 12], 'after an approval');
}

async function clearsSyncStates({ writer, collection }: RecordStore, context: ReadContext): Promise<void> {
  const states = async (): Promise<unknown> =>
    Promise.all(['git acme/secret', 'git acme/widget', 'a file'].map(async (id) => (await collection.sync(id, context))?.state));
  const syncs: readonly StoredRecord[] = [
    aSync({ ...hidden, id: 'git acme/secret', state: 'one' }),
    aSync({ id: 'git acme/widget', state: 'two' }),
    aSync({ id: 'a file', repositoryRef: '-', state: 'three' }),
  ];
  await writer.put(syncs, context);
  await writer.indexFor(everything, context);
  assertSame(await states(), ['one', 'two', 'three'], 'while all are approved');
  await writer.indexFor(without, context);
  assertSame(await states(), [null, 'two', 'three'], 'when one is not');
  assertSame((await collection.sync('git acme/secret', context))?.lastSuccessAt, aSync().lastSuccessAt, 'when it last ran');
}

async function anyOrder(options: ContractOptions, random: Random): Promise<void> {
  const { context } = options;
  await withStore(options, new StandingClock(NOW), async ({ readers, writer }) => {
    const stored = new Map<number, SearchableRecord>();
    let approved = everything;
    for (let step = 0; step < 12; step++) {
      await write(writer, stored, random, context);
      if (random.chance(0.5)) approved = Allowlist.of(...REFS.filter(() => random.chance(0.5))).approved();
      if (random.chance(0.5)) await writer.indexFor(approved, context);
    }
    await writer.indexFor(approved, context);
    const shown = [...stored.values()].filter((record) => !('repositoryRef' in record) || approved.admits(record.repositoryRef));
    for (const q of QUERIES) await findsOnly(readers, shown, q, context);
    assert(stored.size > 0, 'something is stored');
  });
}

/** Puts old and new records, and sometimes removes one. */
async function write(writer: RecordStore['writer'], stored: Map<number, SearchableRecord>, random: Random, context: ReadContext): Promise<void> {
  const batch = [...new Set(Array.from({ length: 1 + random.int(6) }, () => random.int(40)))];
  for (const serial of batch) if (!stored.has(serial)) stored.set(serial, randomRecord(random, serial));
  await writer.put(
    batch.flatMap((serial) => stored.get(serial) ?? []),
    context,
  );
  const gone = stored.get(batch[0] ?? -1);
  if (gone === undefined || random.chance(0.7)) return;
  await writer.remove([gone], context);
  stored.delete(batch[0] ?? -1);
}

async function findsOnly(readers: RecordStore['readers'], shown: readonly SearchableRecord[], q: string, context: ReadContext): Promise<void> {
  const words = searchWordsOf(q);
  if (words === null) return;
  const found = await everyPage(readers, everything, { words, types: SEARCH_TYPES, limit: 5 }, context);
  assertSame(
    found.map(({ position }) => position),
    expectedPositions(shown, everything, words, SEARCH_TYPES),
    `positions of "${q}"`,
  );
}

async function count(readers: RecordStore['readers'], q: string, context: ReadContext, approved = everything): Promise<number> {
  const words = searchWordsOf(q);
  if (words === null) return 0;
  return (await everyPage(readers, approved, { words, types: SEARCH_TYPES, limit: 100 }, context)).length;
}
