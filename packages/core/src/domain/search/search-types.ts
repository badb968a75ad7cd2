/** The record types that search returns, sorted by name. This order breaks ties. */
export const SEARCH_TYPES = ['article', 'commit', 'finding', 'mission', 'news', 'release', 'repository', 'status-service'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];
