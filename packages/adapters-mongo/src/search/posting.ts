import { scopeTag, type ScopeRef } from '@vitrine/core';

/** A segment has at most so many rows, so that a posting is a positive 32-bit integer. */
export const MAX_ROWS = 32_768;

const TAG_BITS = 16;
const TAG_MASK = 0xffff;
const TAG_DIGITS = TAG_BITS / 4;

/** That a row holds a word: the row, and the tag of the repository that it belongs to. In the order of numbers postings are in that of rows. */
export function postingOf(row: number, tag: number): number {
  return (row << TAG_BITS) | tag;
}

export function rowOf(posting: number): number {
  return posting >>> TAG_BITS;
}

export function tagIn(posting: number): number {
  return posting & TAG_MASK;
}

/** The first 16 bits of a scope's tag. Scopes may share one: it only spares looking at most rows that are not approved. */
export function tagOf(scope: ScopeRef): number {
  return Number.parseInt(scopeTag(scope).slice(0, TAG_DIGITS), 16);
}

/** For each tag whether one of the scopes bears it. */
export function tagsOf(scopes: readonly ScopeRef[]): Uint8Array {
  const tags = new Uint8Array(TAG_MASK + 1);
  for (const scope of scopes) tags[tagOf(scope)] = 1;
  return tags;
}
