import type { ReachedServiceConfig } from '@vitrine/config';
import { holdsEmail } from '@vitrine/core';

/**
 * The address of a service that may be published: its `url`, otherwise the checked address without query and fragment, which may contain tokens.
 *
 * @param page the page of the service in Vitrine, for services whose address is private, is not to be published (`url: false`), or is no web address
 */
export function publishedAddress({ url, allowPrivate, check, target }: ReachedServiceConfig, page: string): string {
  if (url === false) return page;
  if (url !== null) return url;
  if (allowPrivate || check !== 'http') return page;
  const { origin, pathname } = new URL(target);
  return holdsEmail(pathname) ? page : origin + pathname;
}

/** The page of a service in Vitrine. @param base see `addressBase` */
export function serviceAddress(base: string, key: string): string {
  return `${base}/status/services/${encodeURIComponent(key)}`;
}
