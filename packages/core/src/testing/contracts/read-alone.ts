import { idKeyOf } from '../../kinds/identity.js';
import { KINDS, type ListedKind, type ListedRecord } from '../../kinds/kinds.js';
import type { ScopeRef } from '../../kinds/repository-name.js';
import type { ReadContext } from '../../ports/readers.js';
import type { StoreReaders } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import type { OpenedKinds } from '../kind-store.js';
import { LIST_SPECS, reader } from '../list-specs.js';

const approved = Allowlist.of('acme/widget').approved();

/** How to make and read records of a kind that has a `RecordReader`. */
export interface ById {
  readonly make: (repositoryRef: ScopeRef) => ListedRecord;
  readonly read: (readers: Partial<StoreReaders>, approved: ApprovedRepositories, id: string, context: ReadContext) => Promise<ListedRecord | null>;
}

/** Reads one record if its kind can be read by id or sha; `null` if there is none. */
export async function readAlone({ readers, context }: OpenedKinds, record: ListedRecord): Promise<ListedRecord | null> {
  if (record.kind === 'commit') return (await reader(readers, 'commits').bySha(approved, record.sha, context))[0] ?? null;
  if (record.kind === 'news') return reader(readers, 'news').byId(record.id, context);
  if (record.kind === 'incident') return reader(readers, 'incidents').byId(record.id, context);
  return (await scopedById(record.kind)?.read(readers, approved, idKeyOf(record), context)) ?? null;
}

/** How to read one record of a kind that has a `RecordReader`. */
export function scopedById(kind: ListedKind): ById | undefined {
  const facts = KINDS[kind];
  const spec = LIST_SPECS.find((one) => one.kind === kind);
  if (facts.reader !== 'record' || spec === undefined) return undefined;
  return {
    make: (repositoryRef) => spec.example({ repositoryRef }),
    read: (readers, list, id, context) => reader(readers, facts.plural).byId(list, id, context),
  };
}
