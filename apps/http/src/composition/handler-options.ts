import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SiteConfig } from '@vitrine/config';
import { DEFAULT_LIMITS, MOST_PER_MINUTE } from '@vitrine/config/limits';
import { assertOptions, FLAG, given, hasMethod, isTimeZone, orNull, required, TEXT, wholeUpTo } from '@vitrine/core';
import type { Rule, RulesOf, StoreReaders } from '@vitrine/core';
import { DEFAULT_SITE, LANGUAGES, type Logo, type Site } from '@vitrine/pages';
import type { RateLimits } from '../serving/client-address.js';
import { unusable } from './start-errors.js';

export function pathOfUrl(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/^\/$/, '');
}

const BASE_PATH = /^(\/[\w.~-]+)*$/;

export const PUBLIC_URL: Rule = required({
  accepts: isPublicUrl,
  means: 'an http(s) address without a slash at its end, such as https://acme.example/vitrine',
});
export const PATH: Rule = {
  accepts: (value) => typeof value === 'string' && BASE_PATH.test(value),
  means: 'a path such as /vitrine, without a slash at its end, or an empty text',
};

export const HEALTH: Rule = {
  accepts: (health) => TEXT.accepts(fieldOf(health, 'state')),
  means: 'an object with a state, such as a connection of connectMongo',
};

function isPublicUrl(value: unknown): boolean {
  const url = typeof value === 'string' && !value.endsWith('/') && URL.canParse(value) ? new URL(value) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && [url.username, url.password, url.search, url.hash].every((part) => part === '');
  return isPlain && BASE_PATH.test(pathOfUrl(url.href));
}

const LIMITS: RulesOf<RateLimits> = { requestsPerMinute: wholeUpTo(MOST_PER_MINUTE), searchesPerMinute: wholeUpTo(MOST_PER_MINUTE), loopback: FLAG };

export function checkedLimits(limits: Partial<RateLimits> | false): RateLimits | null {
  if (limits === false) return null;
  assertOptions('limits', limits, LIMITS);
  return { ...DEFAULT_LIMITS, ...given(limits) };
}

function isLink(link: unknown): boolean {
  return ['label', 'url'].every((name) => TEXT.accepts(fieldOf(link, name)));
}

function isLogo(logo: unknown): boolean {
  return Object.values(LOGO_TYPES).some((type) => type === fieldOf(logo, 'type')) && ArrayBuffer.isView(fieldOf(logo, 'bytes'));
}

const SITE: RulesOf<Site> = {
  title: TEXT,
  description: orNull(TEXT),
  logo: orNull({ accepts: isLogo, means: 'an object such as { type: "image/png", bytes }, with the bytes of an image' }),
  accent: orNull({ accepts: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value), means: 'a colour such as #2f5bd0' }),
  links: {
    accepts: (links) => Array.isArray(links) && links.every(isLink),
    means: 'a list of objects such as { label: "Docs", url: "https://acme.example" }',
  },
  footer: orNull(TEXT),
  language: { accepts: (value) => LANGUAGES.some((language) => language === value), means: `one of ${LANGUAGES.join(', ')}` },
  timeZone: { accepts: isTimeZone, means: 'a time zone such as Europe/Berlin' },
  images: FLAG,
};

export function checkedSite(site: Partial<Site> | false): Site | null {
  if (site === false) return null;
  assertOptions('site', site, SITE);
  return { ...DEFAULT_SITE, ...given(site) };
}

/** The readers of the store. Plain JavaScript can pass anything. */
export function checkedReaders(store: unknown): StoreReaders {
  const readers: unknown = fieldOf(store, 'readers');
  if (fieldOf(readers, 'repositories') === undefined) {
    const found = fieldOf(store, 'repositories') === undefined ? 'has no readers' : 'is the readers of a store';
    throw new TypeError(`store: the value ${found}. Pass the whole store, such as await openSqliteStore({ clock, path }), or { readers }.`);
  }
  // A value with repository readers was meant to be the readers; TypeScript checks the others.
  return readers as StoreReaders;
}

/**
 * The function that gives the permission, called once to see that it gives one. An error that it throws may be a list that cannot be read at this moment,
 * so it is left to the requests.
 */
export function checkedPermission<Permission>(approved: () => Permission): () => Permission {
  const value: unknown = approved;
  if (typeof value !== 'function')
    throw new TypeError('approved: it is not a function. Pass a function that returns the permission, such as () => allowlist.approved().');
  let result: unknown;
  try {
    result = approved();
  } catch {
    return approved;
  }
  // By its shape, because a process may have two copies of the core.
  if (Array.isArray(fieldOf(result, 'scopes')) && hasMethod(result, 'admits')) return approved;
  if (result instanceof Promise) {
    // Nobody waits for it.
    result.catch(() => undefined);
    throw new TypeError(
      'approved: the function returns a promise instead of a permission. It must be synchronous: keep the current list in a variable, and return it.',
    );
  }
  throw new TypeError(
    'approved: the function returns something else instead of a permission. Return allowlist.approved(), not the allowlist itself.',
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export const LOGO_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** A logo is on every page, so it has to be small. */
const MAX_BYTES = 256 * 1_024;

/** The site of a configuration, with its logo. Throws a `StartError` if the logo cannot be read or is too large. */
export async function siteOf(config: SiteConfig | null): Promise<Site | null> {
  return config === null ? null : { ...config, logo: config.logo === null ? null : await logoOf(config.logo) };
}

async function logoOf(path: string): Promise<Logo> {
  const type = LOGO_TYPES[extname(path).toLowerCase()] ?? '';
  try {
    const { size } = await stat(path);
    if (size <= MAX_BYTES) return { type, bytes: await readFile(path) };
  } catch {
    throw unusable(`site.logo: ${path} cannot be read. Write the path of an image, or remove the key.`);
  }
  throw unusable(`site.logo: ${path} is larger than ${String(MAX_BYTES / 1_024)} KiB. Use a smaller image.`);
}
