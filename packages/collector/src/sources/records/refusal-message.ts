import type { RefusedRecord } from '@vitrine/core';

const MESSAGES: Readonly<Record<RefusedRecord['reason'], string>> = {
  'frozen-day': 'checkedAt: lies on a day that is older than the retention, so its counts are final; leave the check out',
  'open-day': 'date: lies within the retention, where counts come from the checks; write the checks instead',
  'unknown-commit': 'no source has stored this commit, and a forge alone does not; collect its repository with git first',
  'email-in-identifier': 'the line holds an e-mail address in an id, a tag name or a URL, where it cannot be cut out; remove it there',
  'foreign-id': 'id: names another repository than the record has; write an id of its own repository',
};

/** The reason why the store rejects a record, and how to fix it. */
export function refusalMessage(reason: RefusedRecord['reason']): string {
  return MESSAGES[reason];
}
