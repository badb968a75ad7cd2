import { isPublicId, isRepositoryRef, isSha, NO_REPOSITORY, type Provenance, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import { object, type Codec } from './codec.js';
import { boolean, instant, optional, text, textWhere } from './values.js';

const REF_PATTERN = '[a-z0-9._-]{1,100}/[a-z0-9._-]{1,100}(#[A-Za-z0-9_.:=-]{1,64})?';

/** Never guessed: a record with a missing or malformed ref is invalid. */
export const repositoryRef: Codec<RepositoryRef> = textWhere(isRepositoryRef, { pattern: `^${REF_PATTERN}$` });

export const scopeRef: Codec<ScopeRef> = textWhere((value): value is ScopeRef => value === NO_REPOSITORY || isRepositoryRef(value), {
  pattern: `^(${NO_REPOSITORY}|${REF_PATTERN})$`,
});

export const publicId: Codec<string> = textWhere((value): value is string => typeof value === 'string' && isPublicId(value), {
  pattern: '^[!-~]{1,200}$',
});

export const sha: Codec<string> = textWhere((value): value is string => typeof value === 'string' && isSha(value), {
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
