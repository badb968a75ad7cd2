import { type ApprovedRepositories, type Article, type ArticleQuery, type ArticleReader, type ReadContext, type TimePage } from '@vitrine/core';
import { articleDocument } from '../documents/content-documents.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { scopedById } from '../reading/single-record.js';

export class MongoArticleReader implements ArticleReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Article>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, articleDocument, LISTS.article);
  }

  list(approved: ApprovedRepositories, query: ArticleQuery, context: ReadContext): Promise<TimePage<Article>> {
    return this.#list.page(
      { approved, query, values: fieldValues(LISTS.article, { tag: query.tag, articleKind: query.articleKind, language: query.language }) },
      context,
    );
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Article | null> {
    return scopedById(this.#reading, articleDocument, 'articles', approved, id, context);
  }
}
