import { z } from 'zod';
import { approved } from './approvals.js';
import { leafOrNull, Refusal, parsed, list, object } from './validation/problems.js';
import { PURGE_HEADERS, SITE_LANGUAGES } from './config.js';
import { DEFAULT_LIMITS } from './limits.js';
import { MONGODB } from './environment.js';
import {
  colour,
  connectionString,
  DEFAULT_PORT,
  hops,
  host,
  label,
  linkAddress,
  logoPath,
  network,
  oneOf,
  path,
  perMinute,
  port,
  publicAddress,
  sentence,
  timeZone,
  yesOrNo,
} from './config-fields.js';
import { duration } from './duration.js';
import { canary, heartbeats, service } from './services/service-schema.js';
import { type SourceKinds, sourceOf } from './source-schemas.js';

const MOST_SOURCES = 100_000;
const MOST_NETWORKS = 1_000;

/** The word `mongodb` takes the address from the environment. */
const store = z.preprocess(
  (value) => (value === MONGODB ? {} : value),
  object('the word mongodb, or path and retention, or mongodb and retention below it, or remove the key', {
    path: leafOrNull('the path of a folder', (value) => (typeof value === 'string' && value !== '' ? value : new Refusal('is not a path'))).default(
      '.vitrine',
    ),
    mongodb: connectionString.exactOptional(),
    retention: duration('366d', '3650d').prefault('400d'),
  }),
);

const networkList = list('a number of proxies from 1 to 10, or a list of their addresses such as [10.0.0.0/8]', network, MOST_NETWORKS, 1);

/** A number, or a list. */
const trustProxy = z
  .unknown()
  .transform((value, context) => (typeof value === 'number' ? parsed(hops, value, context) : parsed(networkList, value, context)));

const limitsObject = object('false, or requestsPerMinute, searchesPerMinute and loopback below it, or remove the key', {
  requestsPerMinute: perMinute.default(DEFAULT_LIMITS.requestsPerMinute),
  searchesPerMinute: perMinute.default(DEFAULT_LIMITS.searchesPerMinute),
  loopback: yesOrNo.default(DEFAULT_LIMITS.loopback),
});

/** The word `false` switches the limits off. */
const limits = z.unknown().transform((value, context) => (value === false ? null : parsed(limitsObject, value, context)));

const MOST_LINKS = 20;

const siteObject = object('false, or title, description, logo, accent, links, footer, language, timeZone and images below it, or remove the key', {
  title: label.default('Vitrine'),
  description: sentence.exactOptional(),
  logo: logoPath.exactOptional(),
  accent: colour.exactOptional(),
  links: list('links with label and url, each after a dash', object('an object with label and url', { label, url: linkAddress }), MOST_LINKS).default(
    [],
  ),
  footer: sentence.exactOptional(),
  language: oneOf(SITE_LANGUAGES).default('en'),
  timeZone: timeZone.default('UTC'),
  images: yesOrNo.default(false),
});

/** The word `false` turns the pages off. */
const site = z.unknown().transform((value, context) => (value === false ? null : parsed(siteObject, value, context)));

/** The shape of the configuration file. `cross-checks.ts` has the rules between its parts. */
export function configSchema(kinds: SourceKinds) {
  return object('the keys approved, sources, services, canary, heartbeats, store, cache, server, limits, site and publicUrl', {
    publicUrl: publicAddress.exactOptional(),
    server: object('port, host, keepAlive, cacheAnswers, purgeHeader and trustProxy below it, or remove the key', {
      port: port.default(DEFAULT_PORT),
      host: host.default('127.0.0.1'),
      keepAlive: duration('1s', '1h').prefault('72s'),
      cacheAnswers: yesOrNo.default(true),
      purgeHeader: oneOf(PURGE_HEADERS).exactOptional(),
      trustProxy: trustProxy.exactOptional(),
    }).prefault({}),
    limits: limits.prefault({}),
    site: site.prefault({}),
    store: store.prefault({}),
    cache: path.exactOptional(),
    approved,
    sources: list('sources, each after a dash, or remove the key', sourceOf(kinds), MOST_SOURCES).default([]),
    services: list('services, each after a dash, or remove the key', service, 1_000).default([]),
    canary: canary.exactOptional(),
    heartbeats: heartbeats.exactOptional(),
  });
}

export type ConfigFile = z.output<ReturnType<typeof configSchema>>;
