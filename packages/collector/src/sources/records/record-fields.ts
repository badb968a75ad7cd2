import { isWebAddress, leaf, object, privateLeaf, privateText, Refusal, serviceKey, textLeaf } from '@vitrine/config/internal';
import { isPublicId, isRepositoryRef, isSha, parseDate, parseDateTime, parseRepositoryName } from '@vitrine/core';
import type { RepositoryName, RepositoryRef, TextForm } from '@vitrine/core';
import type { z } from 'zod';

const OPEN_WORD = /^[A-Za-z0-9_.:-]{1,64}$/;

/** A text with a limited number of code points. E-mail addresses are removed later from the whole record. */
function text(most: number, least = 0) {
  return privateLeaf(`a text of ${least === 0 ? 'at most' : '1 to'} ${most.toLocaleString('en')} characters`, (value) => {
    if (typeof value !== 'string') return new Refusal('is not a text');
    if (!value.isWellFormed()) return new Refusal('holds half a surrogate pair');
    if (!isWithin(value, most)) return new Refusal('is too long');
    return value.length < least ? new Refusal('is empty') : value;
  });
}

/** Counts code points only if the number of code units does not decide. */
function isWithin(value: string, most: number): boolean {
  return value.length <= most || (value.length <= 2 * most && [...value].length <= most);
}

const someText = text(255, 1);
export const title = text(1_000, 1);

/** A value whose meaning only its source knows. */
export const opaque = privateLeaf('a text', (value) => (typeof value === 'string' ? value : new Refusal('is not a text')));

export const word = textLeaf('1 to 64 of A-Z a-z 0-9 _ . : -', 'is not such a word', (value) => OPEN_WORD.test(value));

export const publicIdText = privateText('an id of 1 to 200 visible ASCII characters, neither . nor ..', 'is not an id', (value) => isPublicId(value));

export const url = privateText(
  'an absolute http or https address of at most 2,048 characters, without user name',
  'is not such an address',
  (value) => isWebAddress(value),
);

export const FORMS: Readonly<Record<TextForm, z.ZodType<string>>> = {
  short: text(255),
  label: someText,
  line: text(1_000),
  title,
  body: text(65_536),
  path: text(4_096),
  word,
  author: text(1_000),
  branch: text(255),
  requiredBranch: text(255),
  // Names of tags are parts of addresses, so they are stored unchanged.
  tag: privateText('a tag of 1 to 255 characters without white space', 'is not a tag', (value) => /^\S{1,255}$/.test(value) && value.isWellFormed()),
  sha: privateLeaf('40 or 64 hexadecimal digits', (value) => {
    const lower = typeof value === 'string' ? value.toLowerCase() : '';
    return isSha(lower) ? lower : new Refusal('is not a commit id');
  }),
  id: publicIdText,
  partId: publicIdText,
  key: serviceKey,
  otherKey: serviceKey,
  repositoryName: someText,
  url,
  hidden: opaque,
  data: privateText(
    'a file of at most 1 MiB in base64',
    'is not such a file',
    (value) => value.length <= 1_500_000 && /^[A-Za-z0-9+/]+={0,2}$/.test(value),
  ),
};

export const instant = leaf('a date and time with offset, such as 2026-11-20T13:41:52Z', (value) => {
  return (typeof value === 'string' ? parseDateTime(value) : null) ?? new Refusal('is not a date and time');
});

export const date = leaf(
  'a date, such as 2026-11-20',
  (value) => (typeof value === 'string' ? parseDate(value) : null) ?? new Refusal('is not a date'),
);

export const flag = leaf('true or false', (value) => (typeof value === 'boolean' ? value : new Refusal('is neither')));

export function whole(least: number, most: number) {
  return leaf(`a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`, (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return new Refusal('is not a whole number');
    return value < least || value > most ? new Refusal('is out of range') : value;
  });
}

export const percent = leaf('a number from 0 to 100', (value) => {
  if (typeof value !== 'number') return new Refusal('is not a number');
  return value < 0 || value > 100 ? new Refusal('is out of range') : value;
});

export const count = whole(0, Number.MAX_SAFE_INTEGER);

export const repository = privateLeaf('owner/name, each of A-Z a-z 0-9 . _ -', (value): RepositoryName | Refusal => {
  const name = typeof value === 'string' ? parseRepositoryName(value) : null;
  return name ?? new Refusal('is not a repository name');
});

export const repositoryRef = privateLeaf(
  'lower-case owner/name, and #id where the allowlist pins one; or leave it out',
  (value): RepositoryRef | Refusal => (isRepositoryRef(value) ? value : new Refusal('is not a ref')),
);

const provenanceFields = { source: someText, sourceKind: word, sourceUrl: url, confidence: word, isOfficialSource: flag };

export const provenance = object('an object with source, sourceKind, sourceUrl, confidence and isOfficialSource', {
  ...provenanceFields,
  observedAt: instant.nullable().default(null),
  publishedAt: instant.exactOptional(),
});

export const provenanceDefaults = object(
  'an object with any of source, sourceKind, sourceUrl, observedAt, publishedAt, confidence and isOfficialSource',
  Object.fromEntries(
    Object.entries({ ...provenanceFields, observedAt: instant, publishedAt: instant }).map(([name, field]) => [name, field.exactOptional()]),
  ),
);
