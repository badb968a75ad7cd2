import {
  isPublicId,
  isRepositoryRef,
  isSha,
  NO_REPOSITORY,
  type AnyField,
  type AnyFields,
  type Provenance,
  type RepositoryRef,
  type ScopeRef,
  type TextForm,
} from '@vitrine/core';
import { boolean, instant, list, nullable, number, object, oneOf, optional, text, textWhere, whole, type Codec } from './codec.js';

const REF_PATTERN = '[a-z0-9._-]{1,100}/[a-z0-9._-]{1,100}(#[A-Za-z0-9_.:=-]{1,64})?';

/** Never guessed: a record with a missing or malformed ref is invalid. */
export const repositoryRef: Codec<RepositoryRef> = textWhere(isRepositoryRef, { pattern: `^${REF_PATTERN}$` });

export const scopeRef: Codec<ScopeRef> = textWhere((value): value is ScopeRef => value === NO_REPOSITORY || isRepositoryRef(value), {
  pattern: `^(${NO_REPOSITORY}|${REF_PATTERN})$`,
});

const publicId: Codec<string> = textWhere((value): value is string => typeof value === 'string' && isPublicId(value), {
  pattern: '^[!-~]{1,200}$',
});

const sha: Codec<string> = textWhere((value): value is string => typeof value === 'string' && isSha(value), {
  pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
});

export const serviceKey: Codec<string> = textWhere((value): value is string => typeof value === 'string' && /^[A-Za-z0-9_.:-]{1,64}$/.test(value), {
  pattern: '^[A-Za-z0-9_.:-]{1,64}$',
});

export const provenance: Codec<Provenance> = object({
  source: text,
  sourceKind: text,
  sourceUrl: text,
  observedAt: instant,
  publishedAt: optional(instant),
  confidence: text,
  isOfficialSource: boolean,
});

const STRICT_FORMS: { readonly [Form in TextForm]?: Codec<string> } = { id: publicId, sha, key: serviceKey };

/** The stored form of a field of a kind. Of the limits for records files, only those of identities are checked when a document is read. */
function codecOf(field: AnyField): Codec<unknown> {
  const codec = valueCodec(field) as Codec<unknown>;
  const nulled = field.nullable === true ? nullable(codec) : codec;
  return field.optional === true ? optional(nulled) : nulled;
}

/** The stored form of an object with these fields. */
export function codecOfFields(fields: AnyFields): Codec<object> {
  return object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, codecOf(field)])));
}

function valueCodec(field: AnyField) {
  switch (field.type) {
    case 'text':
      return STRICT_FORMS[field.form] ?? text;
    case 'choice':
      return oneOf(field.values);
    case 'repository':
      return field.always ? repositoryRef : scopeRef;
    case 'list':
      return list(codecOf(field.item));
    case 'object':
      return codecOfFields(field.fields);
    default:
      return PLAIN[field.type];
  }
}

const PLAIN = {
  whole: whole(0),
  seconds: number(0, Number.MAX_SAFE_INTEGER),
  percent: number(0, 100),
  time: instant,
  flag: boolean,
} as const;
