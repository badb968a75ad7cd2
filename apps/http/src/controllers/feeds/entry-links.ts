import type { EntryLinks } from '@vitrine/feeds';
import { PageLinks } from '@vitrine/pages';
import { routeLinks } from '../route-links.js';
import type { FeedContext } from './feed-context.js';

/** The public address has the base path at its end, so the paths begin after it. */
const records = routeLinks('');

/** The absolute addresses of records, at the public address of this moment. */
export function entryLinks({ publicUrl, hasPages, copy }: Pick<FeedContext, 'publicUrl' | 'hasPages' | 'copy'>): EntryLinks {
  const origin = publicUrl();
  const pages = new PageLinks(origin, copy);
  return {
    // Also in a copy, where it is an id and leads nowhere: readers know the entries again.
    record: (type, id) => origin + records.record(type, id),
    page: (type, id) => (hasPages ? (pages.record(type, id) ?? null) : null),
  };
}
