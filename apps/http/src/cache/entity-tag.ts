import { hash } from 'node:crypto';

/** 128 bits in base64url. */
const HASH_LENGTH = 22;

/** The times that change with every run of a source, or with every answer. */
const VOLATILE = ['"generatedAt', '"observedAt'] as const;
const VOLATILE_OR_NESTED = [...VOLATILE, '"lastSyncedAt'] as const;
/** The end of these names, and the beginning of their values. To search for it takes a fifth of the time of a regular expression with the whole names. */
const NAME_END = 'dAt":"';
const LETTERS_OF_NAME = 'dAt'.length;

/**
 * A weak entity tag of an answer: a hash of its JSON text without volatile fields.
 *
 * @param isOfRepositories whether the answer's own records are repositories; otherwise a `lastSyncedAt` belongs to a nested repository, and is volatile
 */
export function entityTagOf(text: string, isOfRepositories: boolean): string {
  const lasting = withoutValues(text, isOfRepositories ? VOLATILE : VOLATILE_OR_NESTED);
  return `W/"${hash('sha256', lasting, 'base64url').slice(0, HASH_LENGTH)}"`;
}

/** In JSON, quotation marks inside of strings are escaped, so only names of fields can match. */
function withoutValues(text: string, names: readonly string[]): string {
  let lasting = '';
  let from = 0;
  for (let at = text.indexOf(NAME_END); at >= 0; at = text.indexOf(NAME_END, at + 1)) {
    const end = at + LETTERS_OF_NAME;
    if (!names.some((name) => text.startsWith(name, end - name.length))) continue;
    lasting += text.slice(from, at);
    from = text.indexOf('"', at + NAME_END.length);
  }
  return lasting + text.slice(from);
}

/** Whether an `If-None-Match` names the tag: a list of tags, compared weakly, or `*`. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string | null): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === '' || etag === null) return false;
  // Other servers' tags may hold commas, but no part of them can be equal to a whole tag of Vitrine.
  return ifNoneMatch === etag || ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => strong(tag.trim()) === strong(etag));
}

/** Two tags are equal by weak comparison if their strong forms are. */
function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
