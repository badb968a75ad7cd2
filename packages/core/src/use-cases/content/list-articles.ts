import type { Article } from '../../domain/content/article.js';
import type { WithOptionalRepository } from '../../domain/repositories/repository.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { ArticleReader } from '../../ports/article-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { ScopedListInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** `null` means any. */
export interface ListArticlesInput extends ScopedListInput {
  /** `article`, `help` or `changelog`. */
  readonly articleKind: string | null;
  readonly tag: string | null;
  readonly language: string | null;
}

/** Public articles, help pages and changelogs, newest first. */
export class ListArticles {
  readonly #articles: ArticleReader;
  readonly #records: ScopedRecords;

  constructor(articles: ArticleReader, records: ScopedRecords) {
    this.#articles = articles;
    this.#records = records;
  }

  execute(input: ListArticlesInput, context: UseCaseContext): Promise<PageAnswer<WithOptionalRepository<Article>, TimePosition>> {
    const { articleKind, tag, language } = input;
    return this.#records.page('article', input, context, (approved, range) =>
      this.#articles.list(approved, { ...range, articleKind, tag, language }, context),
    );
  }
}
