import { KINDS, LISTED_KINDS, type ListedKind, type OnlyListedKind, type PlainKind, type PluralOf } from '../domain/kinds.js';
import type { ListReader, RecordReader } from './record-reader.js';

/** The readers of all kinds without a separate port, by the plural of the kind. */
export type KindReaders = { readonly [Kind in PlainKind as PluralOf<Kind>]: RecordReader<Kind> } & {
  readonly [Kind in OnlyListedKind as PluralOf<Kind>]: ListReader<Kind>;
};

type KindWithoutOwnPort = PlainKind | OnlyListedKind;

function hasNoOwnPort(kind: ListedKind): kind is KindWithoutOwnPort {
  return KINDS[kind].reader !== 'own';
}

/** Makes the reader of each of these kinds, for an adapter that has one class for all of them. */
export function readersOfKinds(make: <Kind extends KindWithoutOwnPort>(kind: Kind) => RecordReader<Kind>): KindReaders {
  // TypeScript cannot follow that each name gets the reader of its own kind.
  return Object.fromEntries(LISTED_KINDS.filter(hasNoOwnPort).map((kind) => [KINDS[kind].plural, make(kind)])) as unknown as KindReaders;
}
