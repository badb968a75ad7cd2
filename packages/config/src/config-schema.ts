import { z } from 'zod';
import { approved } from './approvals.js';
import { leafOrNull, list, object, orNull } from './validation/problems.js';
import { MONGODB } from './environment.js';
import { connectionString, ownAddress, path, readPath } from './config-fields.js';
import { duration } from './duration.js';
import { canary, heartbeats, service } from './services/service-schema.js';
import { limits, server, site } from './server-schema.js';
import { type SourceKinds, sourceOf } from './source-file.js';

const MOST_SOURCES = 100_000;

/** The word `mongodb` takes the address from the environment. */
const store = z.preprocess(
  (value) => (value === MONGODB ? {} : value),
  object('the word mongodb, or path and retention, or mongodb and retention below it, or remove the key', {
    path: leafOrNull('the path of a folder', readPath).default('.vitrine'),
    mongodb: orNull(connectionString),
    retention: duration('366d', '3650d').prefault('400d'),
  }),
);

/** The shape of the configuration file. `cross-checks.ts` has the rules between its parts. */
export function configSchema(kinds: SourceKinds) {
  return object('the keys approved, sources, services, canary, heartbeats, store, cache, server, limits, site and publicUrl', {
    publicUrl: orNull(ownAddress),
    server: server.prefault({}),
    limits: limits.prefault({}),
    site: site.prefault({}),
    store: store.prefault({}),
    cache: orNull(path),
    approved,
    sources: list('sources, each after a dash, or remove the key', sourceOf(kinds), MOST_SOURCES).default([]),
    services: list('services, each after a dash, or remove the key', service, 1_000).default([]),
    canary: orNull(canary),
    heartbeats: orNull(heartbeats),
  });
}

export type ConfigFile = z.output<ReturnType<typeof configSchema>>;
