/** The kinds that search answers, in the order that breaks ties: by name. */
export const SEARCH_TYPES = ['article', 'commit', 'finding', 'mission', 'news', 'release', 'repository', 'status-service'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];
