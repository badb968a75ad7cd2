import {
  DAY,
  HOUR,
  sameValue,
  type Clock,
  type CollectionReader,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type Sync,
} from '@vitrine/core';
import type { Source } from './source.js';
import { otherClaims, ownerOf, parseClaims, type SourceClaims } from './source-claims.js';
import { configurationSync, failedSync, pendingSync, type Registration } from './sync-records.js';

export interface SourceRegistryOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Sources of the configuration that another process runs, by their ids: they stay registered. */
  readonly isForeign?: (id: string) => boolean;
  /** The path of the configuration file: others may collect into the same store with theirs. Default: one without a name. */
  readonly configuration?: string;
  /** Resolves when what another registry of this store has begun is done. */
  readonly after?: Promise<void>;
}

interface Registered {
  readonly registration: Registration;
  readonly source: Source;
}

/** Remembers the ids that each configuration has registered, so that nobody else's sync record is ever removed. */
const MEMORY = 'configuration:sources';

/**
 * Writes a sync record for each configured source before its first run, and removes those of sources that the configuration no longer has. It knows its
 * own ones by the list of ids that it stores beside them. A record that another configuration of the store has registered too stays.
 */
export class SourceRegistry {
  readonly #options: SourceRegistryOptions;
  readonly #registered: readonly Registered[];
  readonly #owner: string;
  #done: Promise<void> | null = null;
  #registeredAt = 0;

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
  }

  /** Keeps in the source's sync record that a run failed. @param ended aborts when the source is no longer collected */
  async failed({ registration }: Source, startedAt: number, error: unknown, ended: AbortSignal): Promise<void> {
    const { writer, collection, clock, signal } = this.#options;
    const before = registration === undefined ? null : await collection.sync(registration.id, { signal });
    if (before === null || ended.aborted) return;
    await writer.put([failedSync(before, { startedAt, failedAt: clock.now(), error })], { signal });
  }

  async #register(): Promise<void> {
    const { writer, clock, isForeign = () => false, after } = this.#options;
    await after;
    const context = { signal: this.#options.signal };
    const claims = parseClaims(await this.#remembered(context), this.#owner);
    const now = clock.now();
    const { living, goneIds } = otherClaims(claims, this.#owner, now);
    const claimedByOthers = new Set(Object.values(living).flatMap((claim) => claim.ids));
    const ids = this.#registered.map(({ registration }) => registration.id);
    const known = [...(claims[this.#owner]?.ids ?? []), ...goneIds];
    const left = known.filter((id) => !ids.includes(id) && !isForeign(id));
    const kept = [...new Set([...ids, ...known.filter((id) => !left.includes(id))])].sort();
    const remember = async (own: readonly string[]): Promise<void> => {
      await this.#remember({ ...living, [this.#owner]: { ids: [...own], at: now } }, context);
    };
    const syncs = await Promise.all(this.#registered.map((one) => this.#syncOf(one, context)));
    // First what is about to be written: a record that nobody remembers would stay for ever.
    await remember([...new Set([...kept, ...left])].sort());
    await writer.put(
      syncs.flatMap((sync) => sync ?? []),
      context,
    );
    const dropped = left.filter((id) => !claimedByOthers.has(id));
    const gone: readonly RecordIdentity[] = [...dropped, ...this.#registered.map(({ source }) => source.id)].map((id) => ({ kind: 'sync', id }));
    await writer.remove(gone, context);
    if (left.length > 0) await remember(kept);
  }

  /**
   * The stored record brought up to date; that of an older version under the source's own id; or a new one. `null` if the stored one says all this already:
   * a run that ends meanwhile may replace it.
   */
  async #syncOf({ registration, source }: Registered, context: ReadContext): Promise<Sync | null> {
    const { collection } = this.#options;
    const pending = pendingSync(registration, source.intervalMs);
    const stored = (await collection.sync(registration.id, context)) ?? (await collection.sync(source.id, context));
    if (stored?.repositoryRef !== registration.repositoryRef) return pending;
    const { id, sourceType, label, intervalMs } = pending;
    const feeds = stored.lastSuccessAt === null ? pending.feeds : stored.feeds;
    const sync = { ...stored, id, sourceType, label, intervalMs, feeds };
    return sameValue(sync, stored) ? null : sync;
  }

  async #remembered(context: ReadContext): Promise<string> {
    return (await this.#options.collection.sync(MEMORY, context))?.state ?? '';
  }

  async #remember(claims: SourceClaims, context: ReadContext): Promise<void> {
    const { writer, clock } = this.#options;
    await writer.put([configurationSync(MEMORY, clock.now(), HOUR, JSON.stringify(claims))], context);
  }
}
