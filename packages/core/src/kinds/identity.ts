import type { Check } from './check.js';
import type { Commit } from './commit.js';
import type { Incident } from './incident.js';
import type { Instant } from './instant.js';
import { KINDS, type ListedKind, type ListedRecord, type RecordOf, type ScopedKind } from './kinds.js';
import type { News } from './news.js';
import { type TimePosition, compareText, remembered } from './page.js';
import { NO_REPOSITORY, type ScopeRef, asciiLowerCase, nameOfRef } from './repository-name.js';
import type { RepositoryRecord } from './repository.js';
import type { Service } from './service.js';
import type { StatusDay } from './status-day.js';
import type { Sync } from './sync.js';

export type StoredRecord = RepositoryRecord | ListedRecord | Service | Check | StatusDay | Sync;

export type RecordKind = StoredRecord['kind'];

/** The fields that identify one stored record within its kind. */
export type RecordIdentity =
  | Pick<RepositoryRecord, 'kind' | 'repositoryRef'>
  | Pick<Commit, 'kind' | 'repositoryRef' | 'sha'>
  | Pick<RecordOf<Exclude<ScopedKind, 'commit'>>, 'kind' | 'repositoryRef' | 'id'>
  | Pick<News, 'kind' | 'id'>
  | Pick<Incident, 'kind' | 'id'>
  | Pick<Sync, 'kind' | 'id'>
  | Pick<Service, 'kind' | 'key'>
  | (Pick<Check, 'kind' | 'serviceKey' | 'checkedAt'> & { readonly source: string })
  | Pick<StatusDay, 'kind' | 'serviceKey' | 'day'>;

/** Every kind that is stored as separate records. Checks and daily counts are stored by service and day instead. */
export type PlainRecord = Exclude<StoredRecord, Check | StatusDay>;
export type PlainIdentity = Exclude<RecordIdentity, { readonly kind: 'check' | 'status-day' }>;
/** The identity of a check or of daily counts. */
export type DayIdentity = Exclude<RecordIdentity, PlainIdentity>;

/** Whether a record, or the identity of one, is that of a check or of daily counts. */
export function isOfDay<Item extends StoredRecord | RecordIdentity>(item: Item): item is Extract<Item, { readonly kind: 'check' | 'status-day' }> {
  return item.kind === 'check' || item.kind === 'status-day';
}

/** The key of a record, unique within its kind. Accepts the record or its identity. */
export function keyOfIdentity(identity: PlainIdentity): string {
  if (identity.kind === 'repository') return identity.repositoryRef;
  return identity.kind === 'service' ? identity.key : keyFor(idKeyOf(identity), scopeOf(identity));
}

type IdentityWithId = Exclude<PlainIdentity, { readonly kind: 'repository' | 'service' }>;

/** The public id of a record for comparisons: its repository part is in lower case, because only that is case-insensitive. Of a commit: `owner/name@sha`. */
export function idKeyOf(identity: IdentityWithId): string {
  if (identity.kind === 'commit') return `${nameOfRef(identity.repositoryRef)}@${identity.sha}`;
  return idKeyOfPublicId(identity.kind, identity.id);
}

/** The same from a kind and a public id. Commits are compared by sha instead. */
export function idKeyOfPublicId(kind: RecordKind, id: string): string {
  return kind === 'release' ? releaseIdKey(id) : id;
}

/** The id of a release for comparisons: `owner/name` in lower case, the tag unchanged. */
export function releaseIdKey(id: string): string {
  const at = id.indexOf('@');
  return at < 0 ? id : asciiLowerCase(id.slice(0, at)) + id.slice(at);
}

export function isListedKind(kind: string): kind is ListedKind {
  return Object.hasOwn(KINDS, kind);
}

/** The repository of a record; {@link NO_REPOSITORY} if its kind belongs to none, whatever else the record of an embedder holds. */
export function scopeOf(identity: PlainIdentity): ScopeRef {
  switch (identity.kind) {
    case 'news':
    case 'incident':
    case 'service':
    case 'sync':
      return NO_REPOSITORY;
    default:
      return identity.repositoryRef;
  }
}

/** {@link keyOfIdentity} of a record: its id, and a tag of its scope, so that two repositories may use the same id. Sorts by id first. */
export function keyFor(idKey: string, scope: ScopeRef): string {
  return scope === NO_REPOSITORY ? idKey : `${idKey} ${scopeTag(scope)}`;
}

/** The time by which the lists of a kind are sorted, and with which `from` and `to` are compared. */
export function timeOf(record: ListedRecord): Instant {
  for (const name of KINDS[record.kind].times) {
    const time: unknown = Reflect.get(record, name);
    if (typeof time === 'number') return time;
  }
  return record.provenance.observedAt;
}

export function positionOf(record: ListedRecord): TimePosition {
  return { time: timeOf(record), id: keyOfIdentity(record) };
}

/** Newest first, then by id: the order of every list except the list of repositories. */
export function comparePositions(a: TimePosition, b: TimePosition): number {
  return b.time - a.time || compareText(a.id, b.id);
}

/** 64 bits of FNV-1a, as 16 hexadecimal digits: short enough for a cursor, and only to distinguish equal ids. Pages and batches contain many records of few scopes. */
export const scopeTag = remembered(1_000, (scope: string) => fnv1a(scope, 0x811c9dc5) + fnv1a(scope, 0x01000193));

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

const MAX_BYTES = 200;
const KEPT = 160;
const PUBLIC_ID = /^(?!\.{1,2}$)[!-~]{1,200}$/;

/**
 * Makes a public id from any text. The id has at most 200 bytes of ASCII; other characters are percent-encoded. A longer id is cut to its
 * first 160 bytes, followed by `~` and the first 32 hexadecimal digits of its SHA-256.
 *
 * @param sha256Hex returns the SHA-256 of a text's UTF-8 bytes in hexadecimal; the core has no implementation
 */
export function publicId(text: string, sha256Hex: (text: string) => string): string {
  const ascii = text.replace(/[^!-~]+/gu, (characters) => encodeURIComponent(characters.toWellFormed()));
  return ascii.length <= MAX_BYTES ? ascii : `${ascii.slice(0, KEPT)}~${sha256Hex(ascii).slice(0, 32)}`;
}

/** Whether stored text can be a public id. `.` and `..` cannot: clients remove them from the path of an address, even percent-encoded, so no request could name such a record. */
export function isPublicId(text: string): boolean {
  return PUBLIC_ID.test(text);
}
