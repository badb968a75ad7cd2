import type { ListedRecord } from '@vitrine/core';

/** The kinds that stand in lists of their own. */
export const LISTED_KINDS = [
  'commit',
  'release',
  'finding',
  'build',
  'mission',
  'news',
  'article',
  'video',
  'incident',
] as const satisfies readonly ListedRecord['kind'][];
export type ListedKind = (typeof LISTED_KINDS)[number];

/** The record of one listed kind. */
export type RecordOf<Kind extends ListedKind> = Extract<ListedRecord, { readonly kind: Kind }>;

export function isOfKind<Kind extends ListedKind>(kind: Kind, record: ListedRecord | null): record is RecordOf<Kind> {
  return record?.kind === kind;
}
