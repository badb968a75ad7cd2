import { searchFieldsOf, type Page, type SearchEntry, type SearchPosition } from '@vitrine/core';

/** Hits as a message. The fields are left out: they repeat the texts of the record, and the receiver derives them again. */
export type SentHits = Page<Omit<SearchEntry, 'fields'>, SearchPosition>;

export function sentHits({ items, next }: Page<SearchEntry, SearchPosition>): SentHits {
  return { items: items.map(({ position, repositoryRef, record }) => ({ position, repositoryRef, record })), next };
}

export function receivedHits({ items, next }: SentHits): Page<SearchEntry, SearchPosition> {
  return { items: items.map((hit) => ({ ...hit, fields: searchFieldsOf(hit.record) })), next };
}
