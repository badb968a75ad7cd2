import { isWebAddress } from '@vitrine/config/internal';

const TRACKING = /^utm_/i;

/**
 * The canonical form of an address: absolute, http or https, without user name, password and `utm_*` parameters. The fragment stays. `null` for other schemes,
 * such as `javascript:` and `data:`, and for addresses of more than 2,048 characters.
 *
 * @param base resolves relative addresses; `null` gives `null` for them
 */
export function canonicalAddress(text: string | undefined, base: string | null): string | null {
  const url = text === undefined || text.trim() === '' ? null : resolved(text, base ?? undefined);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  [url.username, url.password] = ['', ''];
  // Only if there is something to remove, because other parameters must stay as they are written.
  if (/[?&]utm_/i.test(url.search)) url.search = withoutTracking(url.search);
  return isWebAddress(url.href) ? url.href : null;
}

function resolved(text: string, base: string | undefined): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

function withoutTracking(search: string): string {
  return search
    .slice(1)
    .split('&')
    .filter((parameter) => !TRACKING.test(parameter))
    .join('&');
}

/** An address in the form in which it may be published: without its query, which may hold a token. */
export function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
