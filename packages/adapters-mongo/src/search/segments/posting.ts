import { scopeTag, type ScopeRef } from '@vitrine/core';

/** The maximum number of entries in a segment. It makes every posting fit into a positive 32-bit integer. */
export const MAX_ENTRIES = 32_768;

const TAG_BITS = 16;
const TAG_MASK = 0xffff;
const TAG_DIGITS = TAG_BITS / 4;

/** A posting says that an entry contains a term. It encodes the document id of the entry and the tag of its repository. Sorted postings are in the order of document ids. */
export function postingOf(docId: number, tag: number): number {
  return (docId << TAG_BITS) | tag;
}

export function docIdOf(posting: number): number {
  return posting >>> TAG_BITS;
}

export function tagIn(posting: number): number {
  return posting & TAG_MASK;
}

/** The first 16 bits of a hash of the scope. Two scopes may have the same tag: the tag only saves reading most entries that are not approved. */
export function tagOf(scope: ScopeRef): number {
  return Number.parseInt(scopeTag(scope).slice(0, TAG_DIGITS), 16);
}

/** For each tag, 1 if one of the scopes has it. */
export function tagsOf(scopes: readonly ScopeRef[]): Uint8Array {
  const tags = new Uint8Array(TAG_MASK + 1);
  for (const scope of scopes) tags[tagOf(scope)] = 1;
  return tags;
}
