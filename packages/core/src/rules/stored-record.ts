import type { PlainRecord } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';
import { byKind, fieldsWhere } from '../kinds/kinds.js';
import type { Sync, SyncTimes } from '../kinds/sync.js';

/** Whether two records are equal. The order of fields does not matter, and an `undefined` field equals an absent one. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(definedEntries(a)), new Map(definedEntries(b))];
  return left.size === right.size && [...left].every(([name, value]) => right.has(name) && sameValue(value, right.get(name)));
}

function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}

/** Whether two versions of a sync record give the same freshness and the same `lastSyncedAt`: all that answers show of it, but for the list of sources. */
export function sameInAnswers(a: Sync | SyncTimes, b: Sync | SyncTimes): boolean {
  return sameValue(answeredBy(a), answeredBy(b));
}

/** The fields that answers depend on. The times of attempts count only until the first run has completed: the warning of an incomplete source names them. */
function answeredBy({ id, sourceType, repositoryRef, feeds, intervalMs, lastSuccessAt, firstAttemptAt, lastFailureAt }: SyncTimes): unknown {
  const failingSince = lastSuccessAt === null && lastFailureAt !== null ? (firstAttemptAt ?? lastFailureAt) : null;
  return { id, sourceType, repositoryRef, feeds, intervalMs, lastSuccessAt, failingSince };
}

/** Takes from the stored version the fields that never change, and each time that is `filledAt`, which stands for "not known". */
export function keepFirst(record: PlainRecord, stored: PlainRecord | null, filledAt?: Instant): PlainRecord {
  if (stored === null) return record;
  const { fixed, filled } = TIMES[record.kind];
  const names = filledAt === undefined ? fixed : [...fixed, ...filled.filter((name) => Reflect.get(record, name) === filledAt)];
  const values = names.map((name): [string, unknown] => [name, Reflect.get(stored, name)]);
  const kept = values.length === 0 ? record : { ...record, ...Object.fromEntries(values) };
  if (filledAt === undefined || kept.kind === 'sync' || stored.kind === 'sync' || kept.provenance.observedAt !== filledAt) return kept;
  return { ...kept, provenance: { ...kept.provenance, observedAt: stored.provenance.observedAt } };
}

/** The times of each kind that never change once stored, and those that a collector fills in when its source does not know them. */
const TIMES = byKind((facts) => ({
  fixed: fieldsWhere(facts, (field) => field.fixed === true),
  filled: fieldsWhere(facts, (field) => field.leftOut === 'now'),
}));
