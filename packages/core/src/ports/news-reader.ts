import type { News } from '../domain/content/news.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface NewsQuery extends TimeListQuery {
  readonly source: string | null;
}

export interface NewsReader {
  list(query: NewsQuery, context: ReadContext): Promise<TimePage<News>>;
  byId(id: string, context: ReadContext): Promise<News | null>;
}
