import { normalizeQuery, SEARCH_TYPES } from '@vitrine/core';
import { QueryText, TypeList } from './parameters.js';
import { PageQuery } from './query.js';

export class SearchQuery extends PageQuery {
  @QueryText() readonly q?: string;
  @TypeList() readonly type?: string;

  override filters() {
    const types = new Set<string>(this.type?.split(',') ?? []);
    return { q: normalizeQuery(this.q ?? '') ?? '', types: SEARCH_TYPES.filter((type) => types.has(type)) };
  }
}
