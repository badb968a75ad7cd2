/** The tables of the search index. */
export const SEARCH_TABLES = '';
