import {
  KINDS,
  type ListedKind,
  type ListedRecord,
  type Neighbours,
  type RecordOf,
  type Repository,
  type SearchType,
  type ShownKind,
  type ViewOf,
} from '@vitrine/core';
import { optionalRepository, ownRepository, presentOptionalRepository, repositorySchema } from './repositories.js';
import { kindSchema } from './shared/kind-schema.js';
import { type Links, addressesOfRecord } from './shared/present.js';
import { type Field, named, type NamedSchema, nullable, optional, ownPath, pageUrl, provenanceSchema, ref, supplied, text } from './shared/schema.js';

/** The kinds whose records have an address of their own. */
export type ViewedKind = Exclude<ListedKind, 'build' | 'image'>;

/** What a use case gives of a kind: the record, beside its repository if the kind can have one. */
export type ItemOf<Kind extends ListedKind> = Kind extends ShownKind ? ViewOf<RecordOf<Kind>> : RecordOf<Kind>;

interface AnyView {
  readonly record: ListedRecord;
  readonly repository: Repository | null;
}

export function viewOf(item: ListedRecord | AnyView): AnyView {
  return 'record' in item ? item : { record: item, repository: null };
}

/** The JSON of a kind's items. It has the fields that the facts of the kind publish, and no others. */
export function itemPresenter<Kind extends ListedKind>(
  kind: Kind,
  { write }: NamedSchema,
): (item: ItemOf<Kind>, links: Links, included?: object) => object {
  return (item, links, included) => {
    const { record, repository } = viewOf(item);
    const own = kind === 'build' || kind === 'image' ? {} : addressesOfRecord(kind, idOf(item), links);
    return write(record, { repository: presentOptionalRepository(repository, links), ...included, ...own });
  };
}

function idOf(item: ListedRecord | AnyView): string {
  const { record, repository } = viewOf(item);
  return record.kind === 'commit' ? `${repository?.fullName ?? ''}@${record.sha}` : record.id;
}

const neighboursSchema = named('Neighbours', 'The records beside one in the list of its repository, or of all, newest first.', {
  older: nullable(text('Path of the next older record; `null` if there is none.', '/api/v1/news/nws_4d1x8b')),
  newer: nullable(text('Path of the next newer record; `null` if there is none, or if too many were published at about the same time.', ''), null),
});

export function neighbourAddresses({ older, newer }: Neighbours<ListedRecord | AnyView>, kind: SearchType, links: Links): object {
  const hrefOf = (item: ListedRecord | AnyView | null) => (item === null ? null : links.record(kind, idOf(item)));
  return { older: hrefOf(older), newer: hrefOf(newer) };
}

/** Further members of the JSON of a kind, and the schemas that they use. */
export interface FurtherMembers {
  readonly fields: Readonly<Record<string, Field>>;
  readonly uses: readonly NamedSchema[];
}

/** The schema of a kind whose records have an address. @param example the address of a record, below the host */
export function itemSchema(kind: ViewedKind, description: string, example: string, { fields, uses }: FurtherMembers): NamedSchema {
  const { ownership } = KINDS[kind];
  const neighbours = supplied(optional(ref(neighboursSchema, 'Only with `include=neighbours`: what is beside it in its list.')));
  const members = { pageUrl, neighbours, ...fields, href: ownPath(example) };
  if (ownership === 'never') return kindSchema(kind, description, members, [provenanceSchema, neighboursSchema, ...uses]);
  const repository = ownership === 'always' ? ownRepository : optionalRepository;
  return kindSchema(kind, description, { repository, ...members }, [repositorySchema, neighboursSchema, ...uses]);
}
