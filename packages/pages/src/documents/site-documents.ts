import type { Repository, ServiceState } from '@vitrine/core';
import { PageLinks, type PlaceName, PLACES } from '../page-links.js';
import { isInline, type Place, type Site } from '../site.js';

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
  return `User-agent: *\nDisallow: ${basePath}/search\nDisallow: ${basePath}/api/\nSitemap: ${publicUrl}/sitemap.xml\n`;
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
  const urls = paths.flatMap((path) => (path === undefined ? [] : `<url><loc>${escapedXml(publicUrl + path)}</loc></url>`));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

/** A text for an element of XML. */
export function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');
}

/** What only a header can say. */
const OF_HEADERS = "; frame-ancestors 'none'";

/**
 * The value of `Content-Security-Policy`. Everything is loaded from the same origin, apart from images where the site allows them and a small logo, which is in the style sheet. Nothing inside a page is
 * run or styled.
 */
export function policyOf(site: Site): string {
  return policyInside(site) + OF_HEADERS;
}

/** The same for a `meta` element, for hosts that send no such header. */
export function policyInside({ images, logo }: Site): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${isInline(logo) ? ' data:' : ''}${images ? ' https:' : ''}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
}

/** The mark of sites without a logo, on a grid of 24 by 24. */
export const MARK = 'M3 7a4 4 0 0 1 4-4h4v8H3zM13 3h4a4 4 0 0 1 4 4v4h-8zM3 13h8v8H7a4 4 0 0 1-4-4zM17 13a4 4 0 1 0 .01 0z';

/** A colour that can be seen on light and on dark tabs, and a shape for each state. */
export const BADGES: Readonly<Record<ServiceState, readonly [colour: string, shape: string]>> = {
  operational: ['#23935c', 'M9.5 16.5l4.5 4.5L23 11.5'],
  degraded: ['#c47a00', 'M16 8v10M16 23v.5'],
  outage: ['#d13434', 'M10.5 10.5l11 11M21.5 10.5l-11 11'],
  maintenance: ['#4a7be0', 'M9 16h14'],
  unknown: ['#77808d', 'M12.5 12.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M16 23v.5'],
};

/** A state on a grid of 32 by 32. @param radius of its corners */
export function badgeOf(state: ServiceState, radius: number): string {
  const [colour, shape] = BADGES[state];
  return (
    `<rect width="32" height="32" rx="${String(radius)}" fill="${colour}"/>` +
    `<path d="${shape}" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/>`
  );
}

/** The icon of the pages, which shows the overall state. */
export function favicon(state: ServiceState): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${badgeOf(state, 8)}</svg>\n`;
}
