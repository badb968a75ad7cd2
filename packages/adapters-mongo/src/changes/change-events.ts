import {
  isRepositoryRef,
  LATEST_INSTANT,
  NO_REPOSITORY,
  parseDateTime,
  sameInAnswers,
  startOfDay,
  SYNCED_KINDS,
  type Instant,
  type RecordKind,
  type ScopeRef,
  type StoreChange,
  type Sync,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { STORED_KINDS } from '../documents/documents.js';
import { FACTS_PENDING } from '../documents/repository-document.js';
import { syncDocument } from '../documents/status-documents.js';
import { VOUCHERS } from '../documents/voucher-index.js';

const KIND_OF: ReadonlyMap<string, RecordKind> = new Map([
  ...Object.entries(STORED_KINDS).map(([kind, { collection }]) => [collection, kind as RecordKind] as const),
  ['status_checks', 'check'],
  ['status_days', 'status-day'],
]);

/** The collections whose documents readers show. What else is stored is derived from them, and written a moment later. */
const COLLECTIONS = [...KIND_OF.keys()];
/** Fields that no reader shows. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([FACTS_PENDING, VOUCHERS]);
const WRITES = ['insert', 'update', 'replace', 'delete'];
const LOSSES = ['drop', 'rename', 'dropDatabase', 'invalidate'];

/** What the stream tells, as small as possible: of long documents only what a change says. */
export const PIPELINE: Document[] = [
  {
    $match: {
      $or: [
        { operationType: { $in: WRITES }, 'ns.coll': { $in: COLLECTIONS } },
        { operationType: { $in: LOSSES }, 'ns.coll': { $in: [...COLLECTIONS, null] } },
      ],
    },
  },
  {
    $project: {
      operationType: 1,
      'ns.coll': 1,
      documentKey: 1,
      clusterTime: 1,
      ref: '$fullDocument.repositoryRef',
      sync: { $cond: [{ $eq: ['$ns.coll', 'syncs'] }, '$fullDocument', null] },
      updated: { $map: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, in: '$$this.k' } },
      removed: { $ifNull: ['$updateDescription.removedFields', []] },
    },
  },
];

/** An event of the stream. Every field can be anything, because anybody may write to the database. */
export interface ChangeEvent extends Document {
  readonly operationType?: unknown;
}

/** Whether changes are lost with this event: a collection was dropped or renamed, as a restore does. */
export function isLoss({ operationType }: ChangeEvent): boolean {
  return LOSSES.includes(String(operationType));
}

/** Turns the events of one stream into changes. */
export class ChangeEvents {
  readonly #expires: (day: Instant) => boolean;
  /** The sync records as the stream has told them, to find out what a new version changes. */
  readonly #syncs = new Map<string, Sync>();

  /** @param expires whether raw checks of a day are deleted because they are old */
  constructor(expires: (day: Instant) => boolean) {
    this.#expires = expires;
  }

  /** `null` if no reader shows what has changed. */
  changeOf(event: ChangeEvent): StoreChange | null {
    const kind = KIND_OF.get(String(event['ns']?.coll));
    const key = String(event['documentKey']?._id);
    if (kind === undefined || isHidden(event)) return null;
    const operation = event.operationType === 'delete' ? 'remove' : 'put';
    if (kind === 'check' || kind === 'status-day') return this.#ofDay(operation, kind, key);
    if (kind === 'sync') return this.#ofSync(operation, key, event['sync']);
    const serviceKey = kind === 'service' ? key : null;
    return { operation, kind, key, repositoryRef: scopeOf(kind, key, event['ref']), serviceKey, day: null, sync: null };
  }

  #ofDay(operation: 'put' | 'remove', kind: 'check' | 'status-day', id: string): StoreChange | null {
    const [serviceKey = '', time = ''] = id.split(' ');
    const day = kind === 'check' ? startOfDay(LATEST_INSTANT - Number(time)) : parseDateTime(`${time}T00:00:00Z`);
    if (day === null || Number.isNaN(day) || (operation === 'remove' && this.#expires(day))) return null;
    return { operation, kind, key: null, repositoryRef: NO_REPOSITORY, serviceKey, day, sync: null };
  }

  #ofSync(operation: 'put' | 'remove', key: string, document: unknown): StoreChange {
    const decoded = syncDocument.toRecord(document);
    const [before, after] = [this.#syncs.get(key) ?? null, decoded instanceof BadValue ? null : decoded];
    if (after === null) this.#syncs.delete(key);
    else this.#syncs.set(key, after);
    const isKnown = before !== null && after !== null;
    const feeds = after === null ? SYNCED_KINDS : [...new Set([...(before?.feeds ?? []), ...after.feeds])].sort();
    // Without the version of before, nobody knows which repository it has fed.
    const repositoryRef = isKnown && before.repositoryRef === after.repositoryRef ? after.repositoryRef : null;
    const sync = { feeds, onlyAttempts: isKnown && sameInAnswers(before, after) };
    return { operation, kind: 'sync', key, repositoryRef, serviceKey: null, day: null, sync };
  }
}

function isHidden({ operationType, updated, removed }: ChangeEvent): boolean {
  if (operationType !== 'update') return false;
  return [...(updated as string[]), ...(removed as string[])].every((name) => HIDDEN_FIELDS.has(name.split('.', 1)[0] ?? ''));
}

/** `null` if only the key is known: it has a tag of the scope. */
function scopeOf(kind: RecordKind, key: string, ref: unknown): ScopeRef | null {
  if (kind === 'service' || kind === 'news' || kind === 'incident') return NO_REPOSITORY;
  const found = kind === 'repository' ? key : ref;
  return found === NO_REPOSITORY || isRepositoryRef(found) ? found : null;
}
