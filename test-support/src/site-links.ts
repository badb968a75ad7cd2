import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of a static site: their texts by their paths. */
export type SiteTexts = ReadonlyMap<string, string>;

/** Every visible file below a folder. */
export function siteTexts(folder: string): SiteTexts {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name))).filter((path) => !path.startsWith('.'));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The links of a static site to itself. */
export interface SiteLinks {
  /** How many links were followed. */
  readonly count: number;
  /** Those to files or elements that do not exist. */
  readonly dead: readonly string[];
}

/** Follows every link of a static site to itself, as a host would that serves only files. @param publicUrl where it is published, without a slash at its end */
export function siteLinks(texts: SiteTexts, publicUrl: string): SiteLinks {
  const { origin, pathname } = new URL(`${publicUrl}/`);
  let count = 0;
  const dead: string[] = [];
  for (const [path, text] of texts)
    for (const link of linksIn(path, text)) {
      const url = new URL(link, `${publicUrl}/${path.replace(/index\.html$/, '')}`);
      if (url.origin !== origin || isElsewhere(link, publicUrl)) continue;
      count += 1;
      if (!leadsSomewhere(url, pathname, texts)) dead.push(`${path}: ${link}`);
    }
  return { count, dead };
}

/** Whether a link names another site, which may be on the same host. */
function isElsewhere(link: string, publicUrl: string): boolean {
  return /^https?:/.test(link) && link !== publicUrl && !link.startsWith(`${publicUrl}/`);
}

function leadsSomewhere({ pathname, search, hash }: URL, basePath: string, texts: SiteTexts): boolean {
  if (search !== '' || !pathname.startsWith(basePath)) return false;
  const rest = decodeURIComponent(pathname.slice(basePath.length));
  const text = texts.get(rest === '' || rest.endsWith('/') ? `${rest}index.html` : rest);
  return text !== undefined && (hash === '' || text.includes(`id="${hash.slice(1)}"`));
}

function linksIn(path: string, text: string): readonly string[] {
  if (path.endsWith('.html')) return found(text, / (?:href|src|action)="([^"]*)"|property="og:url" content="([^"]*)"/g).map(unescaped);
  if (path.endsWith('.json') || path.endsWith('.webmanifest')) return hrefsIn(JSON.parse(text));
  if (path.endsWith('.atom')) return found(text, / href="([^"]*)"/g).map(unescaped);
  if (path.endsWith('.ics')) return found(text.replaceAll('\r\n ', ''), /^URL[^:\r\n]*:(.*)\r$/gm);
  if (path === 'robots.txt') return found(text, /^Sitemap: (.*)$/gm);
  return path === 'sitemap.xml' ? found(text, /<loc>([^<]*)<\/loc>/g).map(unescaped) : [];
}

function found(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, first, second]) => first ?? second ?? '');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** Members that hold an address. An `id` is no link. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'hubHref',
  'url',
  'feed_url',
  'home_page_url',
  'external_url',
  'sourceUrl',
  'src',
  'start_url',
]);

function hrefsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'string' ? (ADDRESSES.has(name) ? inner : []) : hrefsIn(inner),
  );
}
