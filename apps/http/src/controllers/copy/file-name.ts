import { createHash } from 'node:crypto';

const LONGEST = 100;
/** Names that every file system and every host takes as they are, in an address, too. In lower case, because some file systems ignore the case. */
const PLAIN = /^[a-z0-9][a-z0-9._@-]*(?::[a-z0-9][a-z0-9._@-]*)*$/;
/** Files of the copy end like this, so folders must not. */
const LIKE_A_FILE = /\.(?:json|html)$|\.$/;

/**
 * The path of files for a path parameter, such as an id. Different values have different paths. Ids come from other servers, so nothing in them can lead out
 * of its folder: a part that is not plain is replaced by its letters and a hash.
 */
export function fileNameOf(value: string): string {
  return value.split('/').map(segmentOf).join('/');
}

function segmentOf(text: string): string {
  // Windows and artifacts of CI servers take no colon.
  return text.length <= LONGEST && PLAIN.test(text) && !LIKE_A_FILE.test(text) ? text.replaceAll(':', '~') : `${lettersOf(text)}~_${hashOf(text)}`;
}

function lettersOf(text: string): string {
  const words = text
    .toLowerCase()
    .slice(0, LONGEST)
    .match(/[a-z0-9]+/g) ?? ['x'];
  return words.join('-').slice(0, 60);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
