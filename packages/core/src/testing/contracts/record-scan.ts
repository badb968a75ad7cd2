import { keyOfIdentity, scopeOf } from '../../kinds/identity.js';
import { compareText, type TimePosition } from '../../kinds/page.js';
import { NO_REPOSITORY } from '../../kinds/repository-name.js';
import { SEARCHED_KINDS, type SearchableRecord } from '../../kinds/search.js';
import type { RecordScan } from '../../ports/collection-reader.js';
import type { ReadContext } from '../../ports/readers.js';
import type { Clock, IndexedBesideStore } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { searchTimeOf } from '../../rules/search-fields.js';
import { aRepositoryRecord, NOW } from '../builders.js';
import { assertSame, namedCase, StandingClock, withSeeds, type ContractCase } from '../contract.js';
import { Random } from '../random.js';
import { aService } from '../status-builders.js';
import { randomRecord, REFS } from './search.js';

export interface RecordScanOptions {
  /** Opens an empty store whose records can be scanned. */
  readonly open: (clock: Clock) => Promise<IndexedBesideStore>;
  readonly context: ReadContext;
  readonly seed: number;
  readonly runs: number;
}

const LISTS = [Allowlist.of('acme/widget', 'acme/gadget').approved(), Allowlist.of('acme/secret').approved().only('acme/secret')];

/** A scan reads every approved record of a kind once, in its order, and nothing else. */
export function recordScanContract(options: RecordScanOptions): readonly ContractCase[] {
  return [
    namedCase('scan: reads what is approved, page by page, by key, and in number', () =>
      withSeeds(options, (seed) => readsApproved(options, new Random(seed))),
    ),
  ];
}

async function readsApproved({ open, context }: RecordScanOptions, random: Random): Promise<void> {
  const store = await open(new StandingClock(NOW));
  const records = [
    ...REFS.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
    ...['a', 'b', 'c'].map((key) => aService({ key: `acme:${key}` })),
    ...Array.from({ length: 60 }, (_, serial) => randomRecord(random, serial)),
  ];
  await store.writer.put(records, context);
  for (const approved of LISTS) {
    const shown = records.filter((record) => approved.admits(scopeOf(record)));
    for (const kind of SEARCHED_KINDS) await ofKind(store.scan, approved, shown, records, kind, random.pick([1, 3, 1_000]), context);
    assertSame(await store.scan.count(approved, context), shown.length, 'the count');
  }
  await store.close();
}

async function ofKind(
  scan: RecordScan,
  approved: ApprovedRepositories,
  shown: readonly SearchableRecord[],
  all: readonly SearchableRecord[],
  kind: SearchableRecord['kind'],
  limit: number,
  context: ReadContext,
): Promise<void> {
  const found: SearchableRecord[] = [];
  for (let after: TimePosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page: Awaited<ReturnType<RecordScan['page']>> = await scan.page(approved, { kind, limit, after }, context);
    found.push(...page.items);
    after = page.next;
  }
  const expected = shown
    .filter((record) => record.kind === kind)
    .sort((a, b) => searchTimeOf(b) - searchTimeOf(a) || compareText(keyOfIdentity(a), keyOfIdentity(b)));
  const what = `${kind} of ${approved.admits(NO_REPOSITORY) ? 'a list' : 'one repository'}, ${String(limit)} a page`;
  assertSame(found.map(keyOfIdentity), expected.map(keyOfIdentity), what);
  const keys = all.filter((record) => record.kind === kind).map(keyOfIdentity);
  const byKeys = await scan.byKeys(approved, kind, [...keys, 'unknown'], context);
  assertSame(byKeys.map(keyOfIdentity).sort(), expected.map(keyOfIdentity).sort(), `${what}, by key`);
}
