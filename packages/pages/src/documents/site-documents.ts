import type { Repository } from '@vitrine/core';
import { PageLinks, PLACES, type PlaceName } from '../page-links.js';
import type { Place, Site } from '../site.js';

/** The web manifest, for pages that are put on a home screen. */
export function manifest({ title, language, accent }: Site, basePath: string): string {
  return JSON.stringify({
    name: title,
    short_name: title.slice(0, 12),
    lang: language,
    start_url: `${basePath}/`,
    scope: `${basePath}/`,
    display: 'browser',
    theme_color: accent ?? '#4f46e5',
    icons: [{ src: `${basePath}/favicon.svg`, type: 'image/svg+xml', sizes: 'any' }],
  });
}

/** Search engines may read every page but the results of searches. */
export function robots({ basePath, publicUrl }: Place): string {
  return `User-agent: *\nDisallow: ${basePath}/search\nDisallow: ${basePath}/api/\nSitemap: ${publicUrl()}/sitemap.xml\n`;
}

function fixedPages(present: ReadonlySet<PlaceName>): readonly string[] {
  return [
    '/',
    ...PLACES.filter((place) => present.has(place)).map((place) => `/${place}`),
    ...(present.has('status') ? ['/status/history'] : []),
    '/about',
  ];
}

/** What the site map lists beside the fixed pages. */
export interface SiteMapData {
  readonly repositories: readonly Pick<Repository, 'fullName'>[];
  readonly serviceKeys: readonly string[];
  readonly releaseIds: readonly string[];
  readonly articleIds: readonly string[];
}

/** The site map: the lists, and the newest records that have a text. */
export function siteMap(
  { repositories, serviceKeys, releaseIds, articleIds }: SiteMapData,
  { publicUrl, copy, present = () => new Set(PLACES) }: Place,
): string {
  // The public address has the base path at its end.
  const links = new PageLinks('', copy);
  const paths = [
    ...fixedPages(present()).map((path) => links.to(path)),
    ...repositories.map(({ fullName }) => links.record('repository', fullName)),
    ...serviceKeys.map((key) => links.record('status-service', key)),
    ...releaseIds.map((id) => links.record('release', id)),
    ...articleIds.map((id) => links.record('article', id)),
  ];
  const origin = publicUrl();
  const urls = paths.flatMap((path) => (path === undefined ? [] : `<url><loc>${escapedXml(origin + path)}</loc></url>`));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');
}
