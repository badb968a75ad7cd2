/** The description of the API. */
export const API_DESCRIPTION =
  'A read-only API over public development activity: commits, releases, findings, repositories, news, articles, videos, service status with honest uptime, one overview and one search. Every body below `/api/v1` carries the same envelope. Version 1 grows by addition only: ignore members that you do not know. The number of requests that a client may send in a minute is limited; the header `RateLimit` says how many are left, and health checks are not counted.';

/** The groups of routes with their descriptions. */
export const TAGS = {
  Development: 'Commits, releases, findings and missions of approved repositories.',
  Repositories: 'Repositories that are approved for public display.',
  Content: 'News, articles and videos.',
  Overview: 'The newest of everything, and search over it.',
  Status: 'Health of public services, from stored checks only.',
  Sources: 'Where records come from, and how current each source is.',
  'Feeds and badges': 'The same records as feeds (Atom, JSON Feed), a calendar and badges (SVG, JSON for shields.io).',
  Service: 'The service itself.',
} as const;
export type Tag = keyof typeof TAGS;
