import { createHash } from 'node:crypto';

const HASH_LENGTH = 20;
const MAX_NAME = 40;

/** The public id of an item with a name that is unique within its source: the source's label for people, and a hash. Never shows the name, which may be an e-mail address. */
export function idOf(label: string, name: string): string {
  const readable = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-|-$/g, '');
  const hash = createHash('sha256')
    .update(JSON.stringify([label, name]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  return readable === '' ? hash : `${readable}-${hash}`;
}
