import type { ListedKind, ListedRecord } from './kinds.js';
import { asciiLowerCase, NO_REPOSITORY, nameOfRef, type ScopeRef } from './repositories/repository-name.js';
import type { Instant } from './shared/instant.js';
import type { TimePosition } from './shared/page.js';
import { compareText } from './shared/text-order.js';

/**
 * The public id of a record for comparisons: the repository part is in lower case, because only that part is case-insensitive. For a
 * commit it is `owner/name@sha`.
 */
export function idKeyOf(record: ListedRecord): string {
  if (record.kind === 'commit') return `${nameOfRef(record.repositoryRef)}@${record.sha}`;
  return idKeyOfPublicId(record.kind, record.id);
}

/** The same from a kind and a public id. Commits are compared by sha instead. */
export function idKeyOfPublicId(kind: ListedKind, id: string): string {
  return kind === 'release' ? releaseIdKey(id) : id;
}

/** The id of a release for comparisons: `owner/name` in lower case, the tag unchanged. */
export function releaseIdKey(id: string): string {
  const at = id.indexOf('@');
  return at < 0 ? id : asciiLowerCase(id.slice(0, at)) + id.slice(at);
}

export function scopeOf(record: ListedRecord): ScopeRef {
  return record.kind === 'news' || record.kind === 'incident' ? NO_REPOSITORY : record.repositoryRef;
}

/** The unique key of a record: its id, and a tag of its scope, so that two repositories may use the same id. Sorts by id first. */
export function recordKey(record: ListedRecord): string {
  return keyFor(idKeyOf(record), scopeOf(record));
}

export function keyFor(idKey: string, scope: ScopeRef): string {
  return scope === NO_REPOSITORY ? idKey : `${idKey} ${scopeTag(scope)}`;
}

/** The time by which the lists of a kind are sorted, and with which `from` and `to` are compared. */
export function timeOf(record: ListedRecord): Instant {
  switch (record.kind) {
    case 'commit':
      return record.committedAt;
    case 'finding':
      return record.detectedAt;
    case 'mission':
      return record.createdAt;
    case 'news':
      return record.listedAt;
    case 'incident':
      return record.startedAt;
    case 'build':
      return record.startedAt ?? record.finishedAt ?? record.provenance.observedAt;
    default:
      return record.publishedAt;
  }
}

export function positionOf(record: ListedRecord): TimePosition {
  return { time: timeOf(record), id: recordKey(record) };
}

/** Newest first, then by id: the order of every list except the list of repositories. */
export function comparePositions(a: TimePosition, b: TimePosition): number {
  return b.time - a.time || compareText(a.id, b.id);
}

const KEPT_TAGS = 1_000;
/** A cache: pages and batches contain many records of few scopes. */
const tags = new Map<string, string>();

/** 64 bits of FNV-1a, as 16 hexadecimal digits. They are short enough for a cursor, and only have to distinguish equal ids. */
export function scopeTag(scope: string): string {
  const known = tags.get(scope);
  if (known !== undefined) return known;
  if (tags.size >= KEPT_TAGS) tags.clear();
  const tag = fnv1a(scope, 0x811c9dc5) + fnv1a(scope, 0x01000193);
  tags.set(scope, tag);
  return tag;
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
