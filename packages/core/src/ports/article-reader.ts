import type { Article } from '../domain/content/article.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface ArticleQuery extends TimeListQuery {
  readonly articleKind: string | null;
  readonly tag: string | null;
  readonly language: string | null;
}

export interface ArticleReader {
  list(approved: ApprovedRepositories, query: ArticleQuery, context: ReadContext): Promise<TimePage<Article>>;
  /** If two approved repositories use the same id, the record of the repository whose name sorts first. */
  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Article | null>;
}
