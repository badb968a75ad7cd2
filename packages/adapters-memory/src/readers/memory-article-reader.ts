import type { ApprovedRepositories, Article, ArticleQuery, ArticleReader, ReadContext, TimePage } from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { isOfKind } from '../records/listed-kinds.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryArticleReader implements ArticleReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: ArticleQuery, context: ReadContext): Promise<TimePage<Article>> {
    const filters = [present('articleKind', query.articleKind), present('tag', query.tag), present('language', query.language)];
    return answerNow(context, () => pageOfKind(this.#store, 'article', { scopes: approved.scopes, query, filters }));
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Article | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('article').ids.find(id, (scope) => approved.admits(scope));
      return isOfKind('article', found) ? found : null;
    });
  }
}
