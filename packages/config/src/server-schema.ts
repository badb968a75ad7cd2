import { isTimeZone } from '@vitrine/core';
import { isIP } from 'node:net';
import { z } from 'zod';
import { DEFAULT_PORT, host, label, linkAddress, oneOf, port, sentence, wholeNumber, yesOrNo } from './config-fields.js';
import { duration } from './duration.js';
import { DEFAULT_LIMITS, MOST_PER_MINUTE } from './limits.js';
import { leaf, list, object, orNull, parsed, Refusal, textLeaf } from './validation/problems.js';

const WITH_BITS = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;
const MOST_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Whether a text is an IP address, or a network in the notation of CIDR. */
function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = WITH_BITS.exec(text) ?? [];
  return Number(bits) <= (MOST_BITS[isIP(address)] ?? -1);
}

const MOST_NETWORKS = 1_000;
const hops = wholeNumber(1, 10);
const network = textLeaf('an IP address such as 10.0.0.1, or a network such as 10.0.0.0/8', 'is not an address', isNetwork);
const networkList = list('a number of proxies from 1 to 10, or a list of their addresses such as [10.0.0.0/8]', network, MOST_NETWORKS, 1);

const trustProxy = z
  .unknown()
  .transform((value, context) => (typeof value === 'number' ? parsed(hops, value, context) : parsed(networkList, value, context)));

const perMinute = wholeNumber(1, MOST_PER_MINUTE);

/** How many requests a client may send to the server in a minute. */
const limitsObject = object('false, or requestsPerMinute, searchesPerMinute and loopback below it, or remove the key', {
  /** Searches included. */
  requestsPerMinute: perMinute.default(DEFAULT_LIMITS.requestsPerMinute),
  searchesPerMinute: perMinute.default(DEFAULT_LIMITS.searchesPerMinute),
  /** Whether clients on the same machine are limited too. */
  loopback: yesOrNo.default(DEFAULT_LIMITS.loopback),
});
export type LimitsConfig = z.output<typeof limitsObject>;

export const limits = z.unknown().transform((value, context) => (value === false ? null : parsed(limitsObject, value, context)));

const MOST_LINKS = 20;

/** Its type follows from the ending of its name. */
const logoPath = leaf('the path of an image whose name ends in .svg, .png, .webp or .jpg', (value) =>
  typeof value === 'string' && /[^/\\]\.(?:svg|png|webp|jpe?g)$/i.test(value) && !value.includes('\0') ? value : new Refusal('is not such a path'),
);

const colour = leaf('a colour in quotes such as "#2f5bd0"', (value) =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : new Refusal('is not a colour'),
);

const zone = textLeaf('a time zone such as UTC or Europe/Berlin', 'is not a time zone', isTimeZone);

/** What the pages say and how they look. */
const siteObject = object('false, or title, description, logo, accent, links, footer, language, timeZone and images below it, or remove the key', {
  title: label.default('Vitrine'),
  /** One sentence for search engines; `null`: a general one. */
  description: orNull(sentence),
  /** The path of an image file. */
  logo: orNull(logoPath),
  /** A colour as `#rrggbb`; `null`: the default. */
  accent: orNull(colour),
  /** Links at the end of each page. */
  links: list('links with label and url, each after a dash', object('an object with label and url', { label, url: linkAddress }), MOST_LINKS).default(
    [],
  ),
  /** A text at the end of each page; `null`: a general one. */
  footer: orNull(sentence),
  language: oneOf(['en', 'de']).default('en'),
  /** The IANA time zone of clock times. */
  timeZone: zone.default('UTC'),
  /** Whether images in texts of records are loaded from other servers. */
  images: yesOrNo.default(false),
});
export type SiteConfig = z.output<typeof siteObject>;

export const site = z.unknown().transform((value, context) => (value === false ? null : parsed(siteObject, value, context)));

export const server = object('port, host, keepAlive, cacheAnswers, purgeHeader and trustProxy below it, or remove the key', {
  port: port.default(DEFAULT_PORT),
  host: host.default('127.0.0.1'),
  /** How long an idle connection stays open after a response. */
  keepAlive: duration('1s', '1h').prefault('72s'),
  /** Whether answers are kept in memory and sent again. */
  cacheAnswers: yesOrNo.default(true),
  /** The response header that tells caches which repositories a response shows; `null`: none. */
  purgeHeader: orNull(oneOf(['Surrogate-Key', 'Cache-Tag'])),
  /** The proxies that are trusted to name the client: their number, or their addresses and networks; `null`: none. */
  trustProxy: orNull(trustProxy),
}).transform(({ keepAlive: keepAliveMs, ...rest }) => ({ ...rest, keepAliveMs }));
export type ServerConfig = z.output<typeof server>;
