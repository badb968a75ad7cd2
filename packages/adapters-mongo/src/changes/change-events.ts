import {
  compareText,
  isRepositoryRef,
  LATEST_INSTANT,
  NO_REPOSITORY,
  parseDateTime,
  sameInAnswers,
  scopeTag,
  startOfDay,
  SYNCED_KINDS,
} from '@vitrine/core';
import type { Instant, RecordKind, ScopeRef, StoreChange, Sync, SyncEffect } from '@vitrine/core';
import type { Document } from 'mongodb';
import { FACTS_PENDING, VOUCHERS } from '../collections.js';
import { BadValue, instant } from '../documents/codec.js';
import { DOCUMENTS, type DocumentSpec, isUnscoped } from '../documents/documents.js';

const LATEST_STATES = 'status_trails';
const KIND_OF: ReadonlyMap<string, RecordKind> = new Map([
  ...Object.entries<DocumentSpec>(DOCUMENTS).map(([kind, { collection }]) => [collection, kind as RecordKind] as const),
  ['status_checks', 'check'],
  ['status_days', 'status-day'],
  // Another collector writes it last, and readers take the newest checks from it.
  [LATEST_STATES, 'status-day'],
]);

/** The collections whose documents readers show. All other documents are derived from them, and written a moment later. */
const COLLECTIONS = [...KIND_OF.keys()];
/** Fields that no reader shows. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([FACTS_PENDING, VOUCHERS]);
const WRITES = ['insert', 'update', 'replace', 'delete'];
const LOSSES = ['drop', 'rename', 'dropDatabase', 'invalidate'];

/** The events of the stream, as small as possible: only the fields that a change needs. */
export const PIPELINE: Document[] = [
  {
    $match: {
      $or: [
        { operationType: { $in: WRITES }, 'ns.coll': { $in: COLLECTIONS } },
        { operationType: { $in: LOSSES }, 'ns.coll': { $in: [...COLLECTIONS, null] } },
        // `$out` renames a new collection to the old name. MongoDB then reports neither documents nor a drop.
        { operationType: 'rename', 'to.coll': { $in: COLLECTIONS } },
      ],
    },
  },
  {
    $project: {
      operationType: 1,
      clusterTime: 1,
      coll: '$ns.coll',
      id: '$documentKey._id',
      ref: '$fullDocument.repositoryRef',
      sync: { $cond: [{ $eq: ['$ns.coll', 'syncs'] }, '$fullDocument', null] },
      checkedAt: '$fullDocument.lastCheckedAt',
      updated: { $map: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, in: '$$this.k' } },
      removed: { $ifNull: ['$updateDescription.removedFields', []] },
    },
  },
];

/** An event of the stream. Anybody may write to the database, so every field can be anything. `_id` is the token after it, `checkedAt` the time of a service's newest check. */
export type ChangeEvent = Readonly<Partial<Record<EventField, unknown>>>;
type EventField = '_id' | 'clusterTime' | 'operationType' | 'coll' | 'id' | 'ref' | 'sync' | 'checkedAt' | 'updated' | 'removed';

/** Whether changes are lost with this event: a collection was dropped or renamed, as a restore does. */
export function isLoss({ operationType }: ChangeEvent): boolean {
  return LOSSES.includes(String(operationType));
}

export class ChangeEvents {
  /** The last versions of the sync records, to compare them with new ones. */
  readonly #syncs = new Map<string, Sync>();

  /** @param expires whether raw checks of a day are deleted because they are old @param syncs documents of the sync records from before the stream, if they are known */
  constructor(
    private readonly expires: (day: Instant) => boolean,
    syncs: readonly unknown[],
  ) {
    for (const document of syncs) this.#keep(document);
  }

  /** `null` if no reader shows the change. */
  changeOf(event: ChangeEvent): StoreChange | null {
    const [kind, key] = [KIND_OF.get(String(event.coll)), String(event.id)];
    if (kind === undefined || isHidden(event)) return null;
    const change = { operation: event.operationType === 'delete' ? 'remove' : 'put', kind, key, serviceKey: null, day: null, sync: null } as const;
    if (kind === 'sync') return { ...change, ...this.#effectOf(event, key) };
    if (kind === 'check' || kind === 'status-day') return this.#ofDay({ ...change, key: null, repositoryRef: NO_REPOSITORY }, event);
    return { ...change, repositoryRef: scopeOf(kind, key, event.ref), serviceKey: kind === 'service' ? key : null };
  }

  #ofDay(change: StoreChange, { coll, id, checkedAt }: ChangeEvent): StoreChange | null {
    if (coll === LATEST_STATES) return { ...change, serviceKey: String(id), day: dayOfTime(checkedAt) };
    const [serviceKey = '', time = ''] = String(id).split(' ');
    const day = change.kind === 'check' ? dayOfTime(new Date(LATEST_INSTANT - Number(time))) : parseDateTime(`${time}T00:00:00Z`);
    // Only checks expire.
    if (day === null || (`${change.operation} ${change.kind}` === 'remove check' && this.expires(day))) return null;
    return { ...change, serviceKey, day };
  }

  #effectOf({ operationType, sync: document }: ChangeEvent, key: string): Pick<StoreChange, 'repositoryRef' | 'sync'> {
    const before = this.#syncs.get(key);
    this.#syncs.delete(key);
    const after = this.#keep(document);
    const versions = [before, after].filter((sync) => sync !== undefined);
    // Without the version before or after, what has changed is not known.
    const isKnown = versions.length === 2 || operationType === 'insert' || operationType === 'delete';
    return { repositoryRef: isKnown ? onlyRefOf(versions) : null, sync: effectOf(before, after) };
  }

  #keep(document: unknown): Sync | undefined {
    const sync = DOCUMENTS.sync.toRecord(document);
    if (sync instanceof BadValue) return undefined;
    this.#syncs.set(sync.id, sync);
    return sync;
  }
}

/** `null` if there are none or several. */
function onlyRefOf(versions: readonly Sync[]): ScopeRef | null {
  const [ref, ...others] = new Set(versions.map(({ repositoryRef }) => repositoryRef));
  return others.length === 0 ? (ref ?? null) : null;
}

function effectOf(before: Sync | undefined, after: Sync | undefined): SyncEffect {
  const feeds = [...(before?.feeds ?? []), ...(after?.feeds ?? [])];
  const onlyAttempts = before !== undefined && after !== undefined && sameInAnswers(before, after);
  return { feeds: feeds.length === 0 ? SYNCED_KINDS : [...new Set(feeds)].sort(compareText), onlyAttempts };
}

function dayOfTime(stored: unknown): Instant | null {
  const time = instant.decode(stored, '');
  return time instanceof BadValue ? null : startOfDay(time);
}

function isHidden({ operationType, updated, removed }: ChangeEvent): boolean {
  if (operationType !== 'update') return false;
  return [...(updated as string[]), ...(removed as string[])].every((name) => HIDDEN_FIELDS.has(name.split('.', 1)[0] ?? ''));
}

/** `null` if the key alone says whose record it is: it was removed, or the ref contradicts the key, so the document was one of another repository or of none. */
function scopeOf(kind: RecordKind, key: string, ref: unknown): ScopeRef | null {
  if (isUnscoped(kind)) return NO_REPOSITORY;
  const found = kind === 'repository' ? key : ref;
  if (found === NO_REPOSITORY) return key.includes(' ') ? null : found;
  if (!isRepositoryRef(found)) return null;
  return kind === 'repository' || key.endsWith(` ${scopeTag(found)}`) ? found : null;
}
