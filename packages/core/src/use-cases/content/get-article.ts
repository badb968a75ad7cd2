import type { Article } from '../../domain/content/article.js';
import type { WithOptionalRepository } from '../../domain/repositories/repository.js';
import type { ArticleReader } from '../../ports/article-reader.js';
import type { Answer } from '../shared/answer.js';
import type { IdInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** One article by its public id. */
export class GetArticle {
  readonly #articles: ArticleReader;
  readonly #records: ScopedRecords;

  constructor(articles: ArticleReader, records: ScopedRecords) {
    this.#articles = articles;
    this.#records = records;
  }

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<WithOptionalRepository<Article>>> {
    return this.#records.one('article', await this.#articles.byId(context.approved, id, context), context);
  }
}
