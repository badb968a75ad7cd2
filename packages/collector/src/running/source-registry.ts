import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { DAY, HOUR, LIST, NO_REPOSITORY, sameValue } from '@vitrine/core';
import type { ApprovedRepositories, Clock, CollectionReader, Instant, ReadContext, RecordWriter, ScopeRef, Sync } from '@vitrine/core';
import { z } from 'zod';
import { type Candidates, hiddenIdOfSource } from './approvals.js';
import { parseState, configurationSync, failedSync, pendingSync } from './registered-source.js';
import type { Registration, Source } from './source.js';

/** Which sync records the configurations of a store have created: the ids, and when a collector said so last. By the hash of the configuration's path. */
const claimsSchema = z.record(z.string(), z.object({ ids: z.array(z.string()), at: z.number() }));
type Claims = z.output<typeof claimsSchema>;

/** The record that remembers the claims, so that sync records of others are never removed. */
const MEMORY = 'configuration:sources';

/** A configuration that was not collected for this long counts as gone: its file may have been renamed. */
const GONE_AFTER_MS = 30 * DAY;

export function hashOfPath(file: string): string {
  return hash('sha256', resolve(file), 'hex').slice(0, 12);
}

/** `ended`: the claims of this configuration, and of those that were last collected before `goneBefore`. `living`: those of the others. */
export function dividedClaims<Claim extends { readonly at: Instant }>(claims: Readonly<Record<string, Claim>>, owner: string, goneBefore: Instant) {
  const isLiving = ([other, { at }]: readonly [string, Claim]): boolean => other !== owner && at >= goneBefore;
  const all = Object.entries(claims);
  return { ended: all.filter((one) => !isLiving(one)).map(([, claim]) => claim), living: Object.fromEntries(all.filter(isLiving)) };
}

export interface RegistryOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  /** The allowlist of the moment: before a source runs, search is brought into line with it. Search stays as it is without it. */
  readonly approved?: () => ApprovedRepositories;
  /** What the allowlist would be if nothing was hidden: a source that is missing while its repository is hidden has left. Default: `approved`. */
  readonly candidates?: () => Candidates;
  /** Sources of the configuration that another process runs, by the ids of their sync records: they stay registered. None by default. */
  readonly isForeign?: (id: string) => boolean;
  /** The path of the configuration file that the sources come from. Sync records of other configurations stay. Default: a configuration without a name. */
  readonly configuration?: string;
}

type Registered = Source & { readonly registration: Registration };

interface Changes {
  /** The claims of other configurations that are still collected. */
  readonly living: Claims;
  /** The ids of this configuration, with those of sources that have left it. */
  readonly known: readonly string[];
  readonly left: readonly string[];
  /** Those of `left` that no other configuration has. */
  readonly dropped: readonly string[];
}

/** Plain JavaScript can pass anything. A source without an interval would run again and again without a pause. */
function assertSources(sources: readonly Source[]): void {
  if (!LIST.accepts(sources)) throw new TypeError('A Scheduler needs a list of sources.');
  for (const { id, intervalMs } of sources)
    if (!(Number.isFinite(intervalMs) && intervalMs > 0))
      throw new TypeError(`The source "${id}" has the intervalMs ${String(intervalMs)}. It must be a number of milliseconds above 0.`);
}

/** Registers each configured source with a sync record before its first run. Of sources that have left every configuration, it removes the record and withdraws the vouchers. */
export class SourceRegistry {
  readonly #options: RegistryOptions;
  readonly #context: ReadContext;
  readonly #owner: string;
  #sources: readonly Registered[] = [];
  #done: Promise<void> | null = null;
  #registeredAt = 0;
  #leaving: Promise<void> = Promise.resolve();
  /** Resolves when nothing that was begun for the previous sources is still written. */
  #before: Promise<void> = Promise.resolve();

  constructor(options: RegistryOptions, signal: AbortSignal) {
    [this.#options, this.#context] = [options, { signal }];
    const { configuration = '' } = options;
    this.#owner = configuration === '' ? '-' : hashOfPath(configuration);
  }

  /** The sources of the configuration from now on. Throws a `TypeError` if one has no usable interval. */
  follow(sources: readonly Source[]): void {
    assertSources(sources);
    this.#before = this.settled();
    this.#sources = sources.filter((source): source is Registered => source.registration !== undefined);
    this.#done = null;
  }

  /** Resolves when all sources are registered. A call that failed is made again by the next one, and once a day so that others see that this configuration is alive. */
  register(): Promise<void> {
    const now = this.#options.clock.now();
    if (this.#done === null || now - this.#registeredAt > DAY) {
      this.#registeredAt = now;
      const done = this.#register(this.#sources, this.#before).catch((error: unknown) => {
        if (this.#done === done) this.#done = null;
        throw error;
      });
      this.#done = done;
    }
    return this.#done;
  }

  async settled(): Promise<void> {
    await Promise.all([this.#before, this.#done?.catch(() => undefined)]);
    await this.#leaving;
  }

  /** Keeps in the source's sync record that a run failed. @param ended aborts when the source is no longer collected */
  async failed({ registration }: Source, startedAt: number, error: unknown, ended: AbortSignal): Promise<void> {
    const { writer, collection, clock } = this.#options;
    const before = registration === undefined ? null : await collection.sync(registration.id, this.#context);
    if (before === null || ended.aborted) return;
    await writer.put([failedSync(before, { startedAt, failedAt: clock.now(), error })], this.#context);
  }

  async #register(sources: readonly Registered[], before: Promise<void>): Promise<void> {
    const { writer } = this.#options;
    await before;
    const changes = await this.#changesTo(sources.map(({ registration }) => registration.id));
    const syncs = await Promise.all(sources.map((source) => this.#syncOf(source)));
    // The ids come first: a record whose id is not in the list would stay forever.
    await this.#remember(changes, changes.known);
    const outdated = syncs.filter((sync) => sync !== null);
    await writer.put(outdated, this.#context);
    // Nobody would ask the forge of a source that has left again.
    const gone = [...changes.dropped, ...changes.dropped.flatMap(hiddenIdOfSource)].map((id) => ({ kind: 'sync', id }) as const);
    await writer.remove(gone, this.#context);
    // Sources do not wait for this, because one that has left may have many records.
    this.#leaving = this.#leave(changes).catch(() => {
      // Later sources register in any case, which withdraws those that are left.
      if (this.#sources === sources) this.#done = null;
    });
  }

  /** If this is interrupted, the sources are still remembered, and the next registration withdraws them. */
  async #leave(changes: Changes): Promise<void> {
    for (const id of changes.dropped) await this.#options.writer.withdraw(id, this.#context);
    const kept = changes.known.filter((id) => !changes.left.includes(id));
    if (changes.left.length > 0) await this.#remember(changes, kept);
  }

  async #changesTo(ids: readonly string[]): Promise<Changes> {
    const { collection, clock, isForeign = () => false } = this.#options;
    const claims = parseState(claimsSchema, (await collection.sync(MEMORY, this.#context))?.state) ?? {};
    const { ended, living } = dividedClaims(claims, this.#owner, clock.now() - GONE_AFTER_MS);
    const claimedByOthers = new Set(Object.values(living).flatMap((claim) => claim.ids));
    const known = ended.flatMap((claim) => claim.ids);
    const missing = [...new Set(known)].filter((id) => !ids.includes(id) && !isForeign(id));
    const isCandidate = this.#candidates();
    const refs = await Promise.all(missing.map(async (id) => (await collection.sync(id, this.#context))?.repositoryRef ?? NO_REPOSITORY));
    // One whose repository is not approved now has not left: nothing of it is shown, and its records stay.
    const left = missing.filter((_, index) => isCandidate(refs[index] ?? NO_REPOSITORY));
    return { living, known: [...ids, ...known], left, dropped: left.filter((id) => !claimedByOthers.has(id)) };
  }

  #candidates(): (ref: ScopeRef) => boolean {
    const { approved = () => ({ admits: () => true }), candidates = approved } = this.#options;
    try {
      const present = candidates();
      return (ref) => ref === NO_REPOSITORY || present.admits(ref);
    } catch {
      // The list cannot be read at the moment.
      return (ref) => ref === NO_REPOSITORY;
    }
  }

  /** The stored record brought up to date, or a new one. `null` if the stored one says all this already: a run that ends meanwhile may replace it. */
  async #syncOf({ registration, intervalMs }: Registered): Promise<Sync | null> {
    const pending = pendingSync(registration, intervalMs);
    const stored = await this.#options.collection.sync(registration.id, this.#context);
    if (stored?.repositoryRef !== registration.repositoryRef) return pending;
    const { sourceType, label } = pending;
    const feeds = stored.lastSuccessAt === null ? pending.feeds : stored.feeds;
    const sync = { ...stored, sourceType, label, intervalMs, feeds };
    return sameValue(sync, stored) ? null : sync;
  }

  async #remember({ living }: Changes, ids: readonly string[]): Promise<void> {
    const { writer, clock } = this.#options;
    const at = clock.now();
    const claims: Claims = { ...living, [this.#owner]: { ids: [...new Set(ids)].sort(), at } };
    await writer.put([configurationSync(MEMORY, at, HOUR, JSON.stringify(claims))], this.#context);
  }
}
