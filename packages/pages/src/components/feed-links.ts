import type { ListName } from '../page-links.js';
import type { FilterValues } from './filter-form.js';
import type { Alternate } from './head.js';

const WITH_FEED: ReadonlySet<string> = new Set(['commits', 'releases', 'findings', 'news', 'articles', 'videos', 'incidents']);

/** The feeds of a list with the same filters; none for lists that have no feed. */
export function feedLinks(name: ListName | 'incidents', title: string, filters: FilterValues): readonly Alternate[] {
  if (!WITH_FEED.has(name)) return [];
  const query = new URLSearchParams(filters).toString();
  const path = (format: string): string => `/feeds/${name}.${format}${query === '' ? '' : `?${query}`}`;
  return [
    { type: 'application/atom+xml', title, path: path('atom') },
    { type: 'application/feed+json', title, path: path('json') },
  ];
}
