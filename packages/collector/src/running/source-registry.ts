import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  DAY,
  type Instant,
  HOUR,
  NO_REPOSITORY,
  sameValue,
  type ApprovedRepositories,
  type Clock,
  type CollectionReader,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type Sync,
} from '@vitrine/core';
import { z } from 'zod';
import type { Candidates } from './current-approval.js';
import { hiddenIdOfSource } from './stored-approvals.js';
import { parseState } from './registered-source.js';
import type { Source } from './source.js';
import { configurationSync, failedSync, pendingSync, type Registration } from './sync-records.js';

const schema = z.record(z.string(), z.object({ ids: z.array(z.string()), at: z.number() }));

/** Which sync records the configurations of a store have created: the ids, and when a collector said so last. By {@link ownerOf}. */
type SourceClaims = z.output<typeof schema>;

/** A configuration that was not collected for this long counts as gone: its file may have been renamed. */
const GONE_AFTER_MS = 30 * DAY;
const HASH_LENGTH = 12;

/** Stands for a configuration file in the store. Only a hash of its path is stored. @param file empty: one without a name */
function ownerOf(file: string): string {
  if (file === '') return '-';
  return hashOfPath(file);
}

/** Stands for the path of a configuration file where the path itself may not stand. */
export function hashOfPath(file: string): string {
  return hash('sha256', resolve(file), 'hex').slice(0, HASH_LENGTH);
}

interface OtherClaims {
  readonly living: SourceClaims;
  readonly goneIds: readonly string[];
}

function otherClaims(claims: SourceClaims, owner: string, now: Instant): OtherClaims {
  const others = Object.entries(claims).filter(([name]) => name !== owner);
  const [living, gone] = [others.filter(([, { at }]) => now - at <= GONE_AFTER_MS), others.filter(([, { at }]) => now - at > GONE_AFTER_MS)];
  return { living: Object.fromEntries(living), goneIds: gone.flatMap(([, { ids }]) => ids) };
}

interface SourceRegistryOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Sources of the configuration that another process runs, by their ids: they stay registered. */
  readonly isForeign?: (id: string) => boolean;
  /** The allowlist of the moment. A source that is missing because its repository is not approved has not left the configuration. */
  readonly approved?: () => ApprovedRepositories;
  /** What the allowlist would be if nothing was hidden: a source that is missing while its repository is hidden has left. Default: `approved`. */
  readonly candidates?: () => Candidates;
  /** The path of the configuration file: others may collect into the same store with theirs. Default: one without a name. */
  readonly configuration?: string;
  /** Resolves when the previous registry of this store has finished. */
  readonly after?: Promise<void>;
}

interface Registered {
  readonly registration: Registration;
  readonly source: Source;
}

interface Changes {
  readonly living: SourceClaims;
  readonly left: readonly string[];
  readonly kept: readonly string[];
  /** Those of `left` that no other configuration has. */
  readonly dropped: readonly string[];
}

/** Remembers the ids that each configuration has registered, so that sync records of others are never removed. */
const MEMORY = 'configuration:sources';

/**
 * Writes a sync record for each configured source before its first run. Removes those of sources that have left the configuration, and withdraws these sources
 * from their records. It knows its own ones by the list of ids that it stores beside them. A source that another configuration of the store has registered
 * too stays.
 */
export class SourceRegistry {
  readonly #options: SourceRegistryOptions;
  readonly #registered: readonly Registered[];
  readonly #owner: string;
  #done: Promise<void> | null = null;
  #registeredAt = 0;
  #leaving: Promise<void> = Promise.resolve();

  constructor(sources: readonly Source[], options: SourceRegistryOptions) {
    this.#options = options;
    this.#owner = ownerOf(options.configuration ?? '');
    this.#registered = sources.flatMap((source) => (source.registration === undefined ? [] : [{ registration: source.registration, source }]));
  }

  /** Resolves when all sources are registered. A call that failed is made again by the next one, and once a day so that others see that this configuration is alive. */
  register(): Promise<void> {
    const now = this.#options.clock.now();
    if (this.#done === null || now - this.#registeredAt > DAY) [this.#done, this.#registeredAt] = [null, now];
    this.#done ??= this.#register().catch((error: unknown) => {
      this.#done = null;
      throw error;
    });
    return this.#done;
  }

  /** Resolves when nothing that was begun is still written. */
  async settled(): Promise<void> {
    await this.#done?.catch(() => undefined);
    await this.#leaving;
  }

  /** Keeps in the source's sync record that a run failed. @param ended aborts when the source is no longer collected */
  async failed({ registration }: Source, startedAt: number, error: unknown, ended: AbortSignal): Promise<void> {
    const { writer, collection, clock, signal } = this.#options;
    const before = registration === undefined ? null : await collection.sync(registration.id, { signal });
    if (before === null || ended.aborted) return;
    await writer.put([failedSync(before, { startedAt, failedAt: clock.now(), error })], { signal });
  }

  async #register(): Promise<void> {
    const { writer, after } = this.#options;
    await after;
    const context = { signal: this.#options.signal };
    const changes = await this.#changes(context);
    const syncs = await Promise.all(this.#registered.map((one) => this.#syncOf(one, context)));
    // The ids come first: a record whose id is not in the list would stay forever.
    await this.#remember(changes, [...changes.kept, ...changes.left], context);
    await writer.put(
      syncs.flatMap((sync) => sync ?? []),
      context,
    );
    // Nobody would ask the forge of a source that has left again.
    const shown = changes.dropped.flatMap(hiddenIdOfSource);
    await writer.remove(
      [...changes.dropped, ...shown].map((id): RecordIdentity => ({ kind: 'sync', id })),
      context,
    );
    // Sources do not wait for this, because one that has left may have many records.
    this.#leaving = this.#leave(changes, context).catch(() => {
      this.#done = null;
    });
  }

  /** If this is interrupted, the sources are still remembered, and the next registration withdraws them. */
  async #leave(changes: Changes, context: ReadContext): Promise<void> {
    for (const id of changes.dropped) await this.#options.writer.withdraw(id, context);
    if (changes.left.length > 0) await this.#remember(changes, changes.kept, context);
  }

  async #changes(context: ReadContext): Promise<Changes> {
    const { clock, isForeign = () => false } = this.#options;
    const claims = parseState(schema, (await this.#options.collection.sync(MEMORY, context))?.state) ?? {};
    const { living, goneIds } = otherClaims(claims, this.#owner, clock.now());
    const claimedByOthers = new Set(Object.values(living).flatMap((claim) => claim.ids));
    const ids = this.#registered.map(({ registration }) => registration.id);
    const known = [...(claims[this.#owner]?.ids ?? []), ...goneIds];
    const missing = [...new Set(known)].filter((id) => !ids.includes(id) && !isForeign(id));
    const candidates = this.#candidates();
    const areSkipped = await Promise.all(missing.map((id) => this.#isSkipped(id, candidates, context)));
    const left = missing.filter((_, index) => areSkipped[index] === false);
    const kept = [...ids, ...known.filter((id) => !left.includes(id))];
    return { living, left, kept, dropped: left.filter((id) => !claimedByOthers.has(id)) };
  }

  /** The present ones. `null` if the allowlist cannot be read. */
  #candidates(): Candidates | null {
    const { approved = null, candidates = approved } = this.#options;
    try {
      return candidates?.() ?? null;
    } catch {
      // The list cannot be read at the moment.
      return { admits: () => false };
    }
  }

  /** Whether the source is missing only because its repository is not approved now. Nothing of it is shown, and its records stay. */
  async #isSkipped(id: string, candidates: Candidates | null, context: ReadContext): Promise<boolean> {
    const ref = (await this.#options.collection.sync(id, context))?.repositoryRef ?? NO_REPOSITORY;
    return ref !== NO_REPOSITORY && candidates?.admits(ref) === false;
  }

  /**
   * The stored record brought up to date, or a new one. `null` if the stored one says all this already: a run that ends meanwhile may replace it.
   */
  async #syncOf({ registration, source }: Registered, context: ReadContext): Promise<Sync | null> {
    const { collection } = this.#options;
    const pending = pendingSync(registration, source.intervalMs);
    const stored = await collection.sync(registration.id, context);
    if (stored?.repositoryRef !== registration.repositoryRef) return pending;
    const { id, sourceType, label, intervalMs } = pending;
    const feeds = stored.lastSuccessAt === null ? pending.feeds : stored.feeds;
    const sync = { ...stored, id, sourceType, label, intervalMs, feeds };
    return sameValue(sync, stored) ? null : sync;
  }

  async #remember({ living }: Changes, ids: readonly string[], context: ReadContext): Promise<void> {
    const { writer, clock } = this.#options;
    const at = clock.now();
    const claims: SourceClaims = { ...living, [this.#owner]: { ids: [...new Set(ids)].sort(), at } };
    await writer.put([configurationSync(MEMORY, at, HOUR, JSON.stringify(claims))], context);
  }
}
