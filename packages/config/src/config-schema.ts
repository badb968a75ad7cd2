import { nearest } from '@vitrine/core';
import { z } from 'zod';
import { leafOrNull, Refusal } from './validation/leaf.js';
import { list, object } from './validation/structure.js';
import { FORGES, LOCAL, PURGE_HEADERS, SITE_LANGUAGES } from './config.js';
import { MONGODB } from './mongo-address.js';
import {
  branchPattern,
  colour,
  connectionString,
  forgeId,
  gitLocation,
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
  remoteName,
  repositoryAddress,
  repositoryName,
  sentence,
  serviceKey,
  timeZone,
  yesOrNo,
} from './config-fields.js';
import { duration } from './duration.js';

const MOST_ENTRIES = 100_000;
const MOST_PATTERNS = 100;
const SOURCE_KINDS = ['git', 'records'] as const;
const MOST_NETWORKS = 1_000;
const INTERVALS = ['10s', '8h'] as const;

const approvedEntry = z.preprocess(
  (value) => (typeof value === 'string' ? { name: value } : value),
  object('owner/name, or an object with name and id', { name: repositoryName, id: forgeId.exactOptional() }),
);

/** An empty list shows nothing. It must be explicit, so that a missing key is an error and not an empty list. */
const approved = list('a list of repositories such as [acme/widget], or [] to show none', approvedEntry, MOST_ENTRIES);

const branchList = list('the word local, or a list of branches and patterns such as [main, "release/*"]', branchPattern, MOST_PATTERNS, 1);

/** The word `local`, or a list. */
const branches = z.unknown().transform((value, context) => (value === LOCAL ? LOCAL : parsed(branchList, value, context)));

const gitSource = object('an object with git, repository and url, or with records', {
  git: gitLocation,
  repository: repositoryName,
  url: repositoryAddress,
  label: label.exactOptional(),
  forge: oneOf(FORGES).exactOptional(),
  remote: remoteName.exactOptional(),
  branches: branches.exactOptional(),
  interval: duration(...INTERVALS).prefault('5m'),
});

const recordsSource = object('an object with records', { records: path, interval: duration(...INTERVALS).prefault('10s') });

/** The kind of a source is the key that it has or most likely means. So its problems are reported for one kind only. */
const source = z.unknown().transform((value, context): z.output<typeof gitSource> | z.output<typeof recordsSource> => {
  const kind = sourceKind(value);
  if (kind !== null) return parsed(kind === 'git' ? gitSource : recordsSource, value, context);
  context.issues.push({ code: 'custom', message: 'has neither git nor records; write git, repository and url, or write records', input: value });
  return z.NEVER;
});

/** A value that is not an object counts as a git source, whose message names both forms. `null`: an object without a key that means a kind. */
function sourceKind(value: unknown): 'git' | 'records' | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'git';
  if ('git' in value) return 'git';
  const meant = Object.keys(value).map((key) => nearest(key, SOURCE_KINDS));
  return SOURCE_KINDS.findLast((kind) => meant.includes(kind)) ?? null;
}

/** Parses a value with another schema, and adds that schema's problems to this one. */
function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, context: z.core.$RefinementCtx): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const { message, path, ...issue } of result.error.issues) {
    const place = { message, path: [...path] };
    context.issues.push(
      issue.code === 'unrecognized_keys' ? { code: issue.code, keys: issue.keys, input: {}, ...place } : { code: 'custom', input: value, ...place },
    );
  }
  return z.NEVER;
}

const service = object('an object with key, name and check', {
  key: serviceKey,
  name: label,
  check: oneOf(['self']),
  interval: duration(...INTERVALS).prefault('30s'),
});

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
  requestsPerMinute: perMinute.default(300),
  searchesPerMinute: perMinute.default(60),
  loopback: yesOrNo.default(false),
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
export const configSchema = object('the keys approved, sources, services, store, cache, server, limits, site and publicUrl', {
  publicUrl: publicAddress.exactOptional(),
  server: object('port, host, keepAlive, cacheAnswers, purgeHeader and trustProxy below it, or remove the key', {
    port: port.default(3000),
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
  sources: list('git and records sources, each after a dash, or remove the key', source, MOST_ENTRIES).default([]),
  services: list('services, each after a dash, or remove the key', service, 1_000).default([]),
});

/** Only the allowlist. All other keys are ignored. */
export const approvedSchema = z.looseObject(
  { approved },
  { error: () => 'has no allowlist; write approved: and a list of repositories, or approved: [] to show none' },
);

export type ConfigFile = z.output<typeof configSchema>;
