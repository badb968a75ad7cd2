import type { Random } from '@vitrine/core/testing';

const FEEDS = ['commits', 'releases', 'findings', 'news', 'articles', 'videos', 'incidents'] as const;
const FORMATS = ['atom', 'json'] as const;

/** Every feed, in both formats. */
export const FEED_TARGETS: readonly string[] = FEEDS.flatMap((name) => FORMATS.map((format) => `/feeds/${name}.${format}`));

/** Every badge of things that tests have, in both formats. */
export const BADGE_TARGETS: readonly string[] = [
  'status',
  ...['state', 'uptime', 'response'].map((name) => `services/acme:widget-api/${name}`),
  ...['release', 'activity'].map((name) => `repositories/acme/widget/${name}`),
].flatMap((path) => [`/badges/${path}.svg`, `/badges/${path}.json`]);

/** Every document outside `/api/v1` that is made from records, of records that tests have. */
export const DOCUMENT_TARGETS: readonly string[] = [...FEED_TARGETS, ...BADGE_TARGETS, '/feeds/maintenance.ics'];

const FILTERS = [
  '',
  '?repository=acme/widget',
  '?repository=ACME/Gadget',
  '?repository=acme/secret',
  '?from=2026-11-19',
  '?to=2026-11-18T12:00:00Z',
  '?utm_source=x&limit=1',
  '?repository=none',
  '?style=plastic',
] as const;

/** The address of a document, sometimes with a filter that it does not have or that is not valid. */
export function randomDocument(random: Random): string {
  return `${DOCUMENT_TARGETS[random.int(DOCUMENT_TARGETS.length)] ?? ''}${random.pick(FILTERS)}`;
}

/** Types of documents by the ends of their paths. */
const TYPES: Readonly<Record<string, string>> = {
  '/feeds/atom': 'application/atom+xml; charset=utf-8',
  '/feeds/json': 'application/feed+json; charset=utf-8',
  '/feeds/ics': 'text/calendar; charset=utf-8',
  '/badges/svg': 'image/svg+xml; charset=utf-8',
  '/badges/json': 'application/json; charset=utf-8',
  '/images/png': 'image/png',
  '/images/gif': 'image/gif',
};

/** The type that a successful document at this address has; `null` for other addresses. */
export function documentTypeOf(target: string): string | null {
  const [, folder, end] = /^(\/(?:feeds|badges|images)\/)[^?]*\.(\w+)(?:\?|$)/.exec(target) ?? [];
  return folder === undefined || end === undefined ? null : (TYPES[folder + end] ?? null);
}
