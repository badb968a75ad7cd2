import type { Instant } from '@vitrine/core';
import type { PlaceName, SiteCopy } from './page-links.js';

/** A link of the footer. */
export interface SiteLink {
  readonly label: string;
  readonly url: string;
}

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** An image file that the pages show. */
export interface Logo {
  /** `image/svg+xml`, `image/png`, `image/webp` or `image/jpeg`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A larger one would make the style sheet slow. */
const MOST_INLINE_BYTES = 3 * 1_024;

/** Whether a logo is so small that the style sheet holds it, which saves a request. */
export function isInline(logo: Logo | null): boolean {
  return logo !== null && logo.bytes.length <= MOST_INLINE_BYTES;
}

/** The address that is the image itself. */
export function dataUrl({ type, bytes }: Logo): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** What a team configures about its pages. */
export interface Site {
  /** The name of the team or the product. */
  readonly title: string;
  /** One sentence for search engines and previews of links; `null`: a general one. */
  readonly description: string | null;
  readonly logo: Logo | null;
  /** A colour as `#rrggbb`; `null`: the default. */
  readonly accent: string | null;
  readonly links: readonly SiteLink[];
  /** A text at the end of each page; `null`: none. */
  readonly footer: string | null;
  readonly language: Language;
  /** The IANA time zone of times and of the days of lists. Days of status, activity and filters are UTC days. */
  readonly timeZone: string;
  /** Whether images in texts of records are loaded from other servers. */
  readonly images: boolean;
}

/** Pages without a team. */
export const DEFAULT_SITE: Site = {
  title: 'Vitrine',
  description: null,
  logo: null,
  accent: null,
  links: [],
  footer: null,
  language: 'en',
  timeZone: 'UTC',
  images: false,
};

/** Where the pages are served. */
export interface Place {
  /** What stands before every path, such as `/vitrine`; empty for none. */
  readonly basePath: string;
  /** The public address that ends with the base path, without a slash at its end. */
  readonly publicUrl: string;
  /** The places of which the team has records or sources; asked for each page. Default: all. Pages do not mention the others. */
  readonly present?: () => ReadonlySet<PlaceName>;
  /** The present moment; asked for each page. Default: that of the clock of the machine. */
  readonly now?: () => Instant;
  /** Makes the pages of a copy; default: pages that Vitrine serves. */
  readonly copy?: SiteCopy | null;
}
