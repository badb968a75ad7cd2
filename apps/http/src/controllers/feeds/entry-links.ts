import type { EntryLinks } from '@vitrine/feeds';
import { PageLinks } from '@vitrine/pages';
import { routeLinks } from '../route-links.js';
import type { FeedContext } from './feed-context.js';

/** The public address has the base path at its end, so the paths begin after it. */
const [records, pages] = [routeLinks(''), new PageLinks('')];

/** The absolute addresses of records, at the public address of this moment. */
export function entryLinks({ publicUrl, hasPages }: Pick<FeedContext, 'publicUrl' | 'hasPages'>): EntryLinks {
  const origin = publicUrl();
  return {
    record: (type, id) => origin + records.record(type, id),
    page: (type, id) => (hasPages ? origin + pages.record(type, id) : null),
  };
}
