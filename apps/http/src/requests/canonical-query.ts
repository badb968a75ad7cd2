import { parametersOf } from './parameter.js';
import type { Query } from './query.js';

export interface CanonicalQuery {
  /** The query without the cursor, which is the same for all pages of a list. */
  readonly filters: string;
  /** The whole query. */
  readonly whole: string;
}

/**
 * Writes queries of one class in one form: parameters in the order of their declaration, the cursor at the end, without default values. Two queries have the
 * same text exactly when they ask for the same.
 */
export function canonicalQuery<Q extends Query>(queryClass: new () => Q): (query: Q) => CanonicalQuery {
  const parameters = parametersOf(queryClass);
  return (query) => {
    const pairs: string[] = [];
    let cursor = '';
    for (const { name, schema, canonical } of parameters) {
      const value: unknown = Reflect.get(query, name);
      if (typeof value !== 'string') continue;
      const text = canonical === undefined ? value : canonical(value);
      if ('default' in schema && text === String(schema['default'])) continue;
      if (name === CURSOR) cursor = text;
      else pairs.push(`${name}=${encodeURIComponent(text)}`);
    }
    const filters = pairs.join('&');
    return { filters, whole: cursor === '' ? filters : withCursor(filters, cursor) };
  };
}

const CURSOR = 'cursor';

/** The query of the page that begins at a cursor. */
export function withCursor(filters: string, cursor: string): string {
  return `${filters}${filters === '' ? '' : '&'}${CURSOR}=${cursor}`;
}
