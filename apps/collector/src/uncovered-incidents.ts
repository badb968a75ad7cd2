import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { foundCovers, storedDetected, type StoredDetected } from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { DAY, formatInstant, quotable } from '@vitrine/core';
import type { CommandContext } from './command-context.js';
import { DatabaseError } from './database-error.js';
import { readingStore } from './with-store.js';

/** Older outages are not suggested any more. */
const RECENT_MS = 7 * DAY;
const LONGEST_NAME = 1_000;

/**
 * The detected incidents that no file of the folder covers: those that last or ended within a week, or all. A store that cannot be read is reported, and gives
 * none; one that does not exist yet gives none.
 *
 * @param covered the ids that the files name
 */
export async function uncoveredIncidents(
  config: Config,
  covered: readonly string[],
  all: boolean,
  context: CommandContext,
): Promise<readonly StoredDetected[]> {
  const recentFrom = all ? -Infinity : context.clock.now() - RECENT_MS;
  const { detected, found } = await everyDetected(config, context);
  return detected.filter(({ id, resolvedAt }) => !covered.includes(id) && !found.includes(id) && (resolvedAt ?? Infinity) >= recentFrom);
}

interface Detected {
  readonly detected: readonly StoredDetected[];
  /** The ids of those that files cover without naming them. */
  readonly found: readonly string[];
}

const NONE: Detected = { detected: [], found: [] };

async function everyDetected(config: Config, context: CommandContext): Promise<Detected> {
  const { store, sources } = config;
  if (store.kind === 'embedded' && store.path === null) return NONE;
  const labels = sources.flatMap((source) => (source.kind === 'incidents' ? source.label : []));
  try {
    return await readingStore(config, { ...context, waitMs: 0 }, async ({ collection, signal }) => ({
      detected: await storedDetected(collection, { signal }),
      found: (await Promise.all(labels.map((label) => foundCovers(label, collection, { signal })))).flat(),
    }));
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const isNew = error instanceof StoreFolderError && error.problem === 'missing';
    if (!isNew) context.warn(`Detected incidents are not listed. ${error.message}`);
    return NONE;
  }
}

function isStoreError(error: unknown): error is StoreFolderError | DatabaseError {
  return error instanceof StoreFolderError || error instanceof DatabaseError;
}

export function detectedLine({ id, name, serviceKey, startedAt, resolvedAt }: StoredDetected): string {
  const until = resolvedAt === null ? '' : `, until ${formatInstant(resolvedAt)}`;
  const state = resolvedAt === null ? 'investigating' : 'resolved';
  const title = quotable(`Outage of ${name}`, LONGEST_NAME);
  return `${id}: ${title} (detected, ${state}, ${serviceKey}, from ${formatInstant(startedAt)}${until}); to declare it: incident open --covers ${id}`;
}

export function plainDetected({ id, name, serviceKey, startedAt, resolvedAt }: StoredDetected) {
  return {
    id,
    title: `Outage of ${name}`,
    kind: 'detected',
    state: resolvedAt === null ? 'investigating' : 'resolved',
    impact: 'major',
    services: [serviceKey],
    startedAt: formatInstant(startedAt),
    updatedAt: formatInstant(resolvedAt ?? startedAt),
  };
}
