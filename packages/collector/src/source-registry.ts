import { HOUR, type Clock, type CollectionReader, type ReadContext, type RecordIdentity, type RecordWriter, type Sync } from '@vitrine/core';
import type { Source } from './source.js';
import { configurationSync, failedSync, pendingSync, type Registration } from './sync-records.js';

export interface SourceRegistryOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Sources of the configuration that another process runs, by their ids: they stay registered. */
  readonly isForeign?: (id: string) => boolean;
  /** Resolves when what another registry of this store has begun is done. */
  readonly after?: Promise<void>;
}

interface Registered {
  readonly registration: Registration;
  readonly source: Source;
}

/** Remembers the ids that the configuration has registered, so that nobody else's sync record is ever removed. */
const MEMORY = 'configuration:sources';

/**
 * Writes a sync record for each configured source before its first run, and removes those of sources that the configuration no longer has. It knows its
 * own ones by the list of ids that it stores beside them.
 */
export class SourceRegistry {
  readonly #options: SourceRegistryOptions;
  readonly #registered: readonly Registered[];
  #done: Promise<void> | null = null;

  constructor(sources: readonly Source[], options: SourceRegistryOptions) {
    this.#options = options;
    this.#registered = sources.flatMap((source) => (source.registration === undefined ? [] : [{ registration: source.registration, source }]));
  }

  /** Resolves when all sources are registered. A call that failed is made again by the next one. */
  register(): Promise<void> {
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

  /** Keeps in the source's sync record that a run failed. */
  async failed({ registration }: Source, startedAt: number, error: unknown): Promise<void> {
    const { writer, collection, clock, signal } = this.#options;
    const before = registration === undefined ? null : await collection.sync(registration.id, { signal });
    if (before === null) return;
    await writer.put([failedSync(before, { startedAt, failedAt: clock.now(), error })], { signal });
  }

  async #register(): Promise<void> {
    const { writer, isForeign = () => false, after } = this.#options;
    await after;
    const context = { signal: this.#options.signal };
    const known = await this.#remembered(context);
    const ids = this.#registered.map(({ registration }) => registration.id);
    const dropped = known.filter((id) => !ids.includes(id) && !isForeign(id));
    const kept = [...new Set([...ids, ...known.filter((id) => !dropped.includes(id))])].sort();
    const syncs = await Promise.all(this.#registered.map((one) => this.#syncOf(one, context)));
    // First what is about to be written: a record that nobody remembers would stay for ever.
    if (dropped.length > 0 || !isSame(kept, known)) await this.#remember([...new Set([...kept, ...dropped])].sort(), context);
    await writer.put(syncs, context);
    const gone: readonly RecordIdentity[] = [...dropped, ...this.#registered.map(({ source }) => source.id)].map((id) => ({ kind: 'sync', id }));
    await writer.remove(gone, context);
    if (dropped.length > 0) await this.#remember(kept, context);
  }

  /** The stored record brought up to date; that of an older version under the source's own id; or a new one. */
  async #syncOf({ registration, source }: Registered, context: ReadContext): Promise<Sync> {
    const { collection } = this.#options;
    const pending = pendingSync(registration, source.intervalMs);
    const stored = (await collection.sync(registration.id, context)) ?? (await collection.sync(source.id, context));
    if (stored?.repositoryRef !== registration.repositoryRef) return pending;
    const { id, sourceType, label, intervalMs } = pending;
    const feeds = stored.lastSuccessAt === null ? pending.feeds : stored.feeds;
    return { ...stored, id, sourceType, label, intervalMs, feeds };
  }

  async #remembered(context: ReadContext): Promise<readonly string[]> {
    const state = (await this.#options.collection.sync(MEMORY, context))?.state ?? '';
    return state === '' ? [] : state.split('\n');
  }

  async #remember(ids: readonly string[], context: ReadContext): Promise<void> {
    const { writer, clock } = this.#options;
    await writer.put([configurationSync(MEMORY, clock.now(), HOUR, ids.join('\n'))], context);
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
