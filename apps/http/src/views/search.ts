import { hitJudgedAgain, MAX_QUERY_LENGTH, MIN_QUERY_LENGTH, normalizeQuery, SEARCH_TYPES, SEARCHED_KINDS, type SearchResult } from '@vitrine/core';
import { optionalRepository } from './repositories.js';
import { searchCodec } from './shared/cursors.js';
import { listRoute, PageQuery } from './shared/lists.js';
import { pageOf, readList } from './shared/page.js';
import { parameter, rule, ValuesFilter } from './shared/parameters.js';
import { addressMembers, closed, from, instant, list, named, provenance, text } from './shared/schema.js';

const { href, pageUrl } = addressMembers(
  '/api/v1/repositories/acme%2Fwidget',
  ({ type, id }: SearchResult) => [type, id],
  'Path of the record, below this host.',
);

export const searchResultSchema = named('SearchResult', 'A public record that matches.', {
  id: text('Stable id of the record; of a commit `owner/name@sha`, of a repository its full name, of a service its key.', 'acme/widget'),
  type: closed('Kind of the record.', SEARCH_TYPES, 'repository'),
  title: text('Matched public text.', 'acme/widget'),
  description: text('Public text of the record, at most 300 characters.', 'Widget 2.1.0', { maxLength: 300 }),
  href,
  source: text('Label of the origin.', 'GitHub'),
  repository: from('repository', optionalRepository),
  timestamp: instant('The time that orders it in its own list.', '2026-11-20T13:41:52.000Z'),
  matchedFields: list('The record’s fields in which a word matches, as dot paths.', text('One field.', 'fullName')),
  provenance,
  pageUrl,
});

const QUERY = { minLength: MIN_QUERY_LENGTH, maxLength: MAX_QUERY_LENGTH } as const;

class SearchQuery extends PageQuery {
  @parameter(
    {
      description:
        'Words that must all match; the last one matches as a prefix too. Plain text without operators. White space at the ends does not count, and inner white space counts once.',
      schema: { type: 'string', ...QUERY },
      example: 'widget',
      required: true,
      limits: QUERY,
      write: (value) => normalizeQuery(String(value)) ?? String(value),
    },
    rule('INVALID_PARAMETER', (value) =>
      normalizeQuery(value) === null ? `must be ${String(QUERY.minLength)} to ${String(QUERY.maxLength)} characters long` : null,
    ),
  )
  readonly q?: string;

  @ValuesFilter('Only hits of these types; `service` means `status-service`.', {
    values: SEARCH_TYPES,
    example: 'commit,release',
    short: { service: ['status-service'] },
  })
  readonly type?: readonly string[];

  /** Cursors are bound to them, and are valid for every spelling of a text. */
  override filters() {
    return { q: normalizeQuery(this.q ?? '') ?? '', types: SEARCH_TYPES.filter((type) => this.type?.includes(type) === true) };
  }
}

export const searchRoute = listRoute({
  id: 'search',
  path: '/api/v1/search',
  tag: 'Overview',
  summary: 'Search',
  description:
    'Public records in which every word of `q` matches. Those whose title holds every word come first; within each group repositories, then services, then the rest, newest first.',
  query: SearchQuery,
  schema: searchResultSchema,
  // Checks tell the state of a service.
  shows: ['check', ...SEARCHED_KINDS],
  isComposed: true,
  cache: 'live',
  isSearch: true,
  codec: searchCodec,
  execute: (page, { query, context }, { useCases }) => useCases.search.execute({ ...query.filters(), ...page }, context()),
  judgedAgain: hitJudgedAgain,
});

const NOTHING_ASKED = { items: [], address: { path: '/search', json: null, next: null, first: null }, dataStatus: 'fresh' } as const;

/** What a search found, or a form if nothing is searched yet. */
export const searchPage = pageOf(searchRoute, {
  read: async (call, _parts, context) => {
    const { q, types } = call.query.filters();
    const { items, ...found } = q === '' ? NOTHING_ASKED : await readList(searchRoute, call, context);
    return { ...found, query: q, types, results: items };
  },
  draw: (pages) => pages.search,
  shows: ({ results }) => results,
});
