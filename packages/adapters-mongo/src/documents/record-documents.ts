import { byKind, CONFIGURATION, SOURCE_TYPES, SYNCED_KINDS, syncOf, timeOf, type DescribedRecords, type Sync } from '@vitrine/core';
import { BadValue, object, type Codec } from './codec.js';
import { documentSpec, type DocumentSpec } from './document-spec.js';
import { codecOfFields, scopeRef } from './shared-fields.js';
import { instant, list, nullable, oneOf, optional, text, whole } from './values.js';

type Documents = { readonly [Kind in keyof Omit<DescribedRecords, 'check'>]: DocumentSpec<DescribedRecords[Kind]> };

const codecs = byKind(({ fields }) => codecOfFields(fields));

/** The fields of a kind, as its table describes them. */
function fieldsOf<Kind extends keyof Documents>(kind: Kind): Codec<Omit<DescribedRecords[Kind], 'kind'>> {
  // The compiler compares the table with the type of the record, but cannot follow it through the codec.
  return codecs[kind] as unknown as Codec<Omit<DescribedRecords[Kind], 'kind'>>;
}

const syncFields = object({
  id: text,
  sourceType: optional(oneOf<Sync['sourceType']>([...SOURCE_TYPES, CONFIGURATION])),
  label: optional(text),
  repositoryRef: scopeRef,
  feeds: list(oneOf(SYNCED_KINDS)),
  intervalMs: whole(0),
  firstAttemptAt: optional(nullable(instant)),
  lastAttemptAt: optional(nullable(instant)),
  lastSuccessAt: nullable(instant),
  lastFailureAt: optional(nullable(instant)),
  lastFailureCode: optional(nullable(text)),
  state: nullable(text),
});

/** Another collector may write sync records of an older version, which have fewer fields. */
const anySync: Codec<Omit<Sync, 'kind'>> = {
  schema: syncFields.schema,
  encode: (sync) => syncFields.encode(sync),
  decode: (stored, path) => {
    const fields = syncFields.decode(stored, path);
    if (fields instanceof BadValue) return fields;
    const { kind: _kind, ...sync } = syncOf(fields);
    return sync;
  },
};

/** How the records of each kind are stored. */
export const DOCUMENTS: Documents = {
  repository: documentSpec('repository', fieldsOf('repository')),
  commit: documentSpec('commit', fieldsOf('commit'), {
    authorKeys: { schema: list(text).schema, of: ({ authorLogin, authorName }) => authorKeys(authorLogin, authorName) },
  }),
  release: documentSpec('release', fieldsOf('release')),
  finding: documentSpec('finding', fieldsOf('finding')),
  build: documentSpec('build', fieldsOf('build'), { listedAt: { schema: instant.schema, of: (build) => instant.encode(timeOf(build)) } }),
  mission: documentSpec('mission', fieldsOf('mission')),
  news: documentSpec('news', fieldsOf('news')),
  article: documentSpec('article', fieldsOf('article')),
  image: documentSpec('image', fieldsOf('image')),
  video: documentSpec('video', fieldsOf('video')),
  service: documentSpec('service', fieldsOf('service')),
  incident: documentSpec('incident', fieldsOf('incident')),
  sync: documentSpec('sync', anySync),
};

/** The stored values that the filter `author` matches: a login in any case, or an exact name. */
export function authorFilter(author: string): readonly string[] {
  return [loginKey(author), nameKey(author)];
}

function authorKeys(login: string, name: string): readonly string[] {
  return [...(login === '' ? [] : [loginKey(login)]), nameKey(name)].map((key) => key.toWellFormed());
}

function loginKey(login: string): string {
  return `login=${login.toLowerCase()}`;
}

function nameKey(name: string): string {
  return `name=${name}`;
}
