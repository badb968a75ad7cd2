import { createHash } from 'node:crypto';
import { asciiLowerCase } from '@vitrine/core';
import { PURGE_SEPARATORS, type PurgeHeader } from '../serving/headers.js';

const KEY_LENGTH = 8;

/**
 * The header that names the repositories of an answer to caches; none when the answer holds none. An answer holds at most a hundred records, so it
 * has at most 900 bytes.
 */
export function purgeHeaders(header: PurgeHeader | null, repositories: () => readonly string[]): Readonly<Record<string, string>> {
  if (header === null) return {};
  const keys = new Set(repositories().map(purgeKeyOf));
  return keys.size === 0 ? {} : { [header]: [...keys].sort().join(PURGE_SEPARATORS[header]) };
}

/** What `printf %s owner/name | sha256sum | cut -c1-8` prints for the lower-case name. */
function purgeKeyOf(fullName: string): string {
  return createHash('sha256').update(asciiLowerCase(fullName)).digest('hex').slice(0, KEY_LENGTH);
}
