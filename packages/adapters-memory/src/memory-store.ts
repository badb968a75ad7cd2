import {
  ChangeAnnouncer,
  ChangeSet,
  DAY,
  HOUR,
  keyOfIdentity,
  publishableRecord,
  quotable,
  RetentionClock,
  syncOf,
  type ApprovedRepositories,
  type Clock,
  type ClockDoubt,
  type PlainRecord,
  type Present,
  type RecordKind,
  type Sync,
  type UnpublishableReason,
} from '@vitrine/core';
import { CheckIndex } from './checks/check-index.js';
import { decodePack } from './checks/check-pack.js';
import type { DayChecks } from './checks/day-checks.js';
import { parseDayKey } from './log/log-keys.js';
import { RecordDecoder } from './log/record-codec.js';
import type { LogChange, LogEntry, RecordLog } from './log/record-log.js';
import { RecordCatalog } from './records/record-catalog.js';
import { RepositoryFacts } from './records/repository-facts.js';
import { CheckPlan } from './writing/check-plan.js';
import { CheckTails } from './writing/check-tails.js';
import type { PlainRecords } from './writing/record-plan.js';

export const DEFAULT_RETENTION_MS = 400 * DAY;

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** The durable storage of the records; without it they are lost at the end of the process. The store closes it. */
  readonly log?: RecordLog;
  /** How long raw checks are kept, in milliseconds; 400 days by default, and at least 366 days, because the longest published window has 365. */
  readonly retentionMs?: number;
  /** The repositories whose records search finds until `indexFor` of the writer is called; without it, all repositories. */
  readonly approved?: ApprovedRepositories;
  /** With `false`, nothing is indexed for search and searches reject. For commands that only write. */
  readonly search?: boolean;
  /** Called once when the log can no longer be written, and once when it can be written again. */
  readonly onWritable?: (isWritable: boolean, error: unknown) => void;
  /** Called when the clock jumps, or does not match the stored times. Then no raw checks are deleted for a day. */
  readonly onClockDoubt?: (doubt: ClockDoubt) => void;
  /** Called when a listener of `changes` throws. The write goes on. Without this option, the error is dropped. */
  readonly onListenerError?: (error: unknown) => void;
  /** Called for records in the log that must not be published, for example because an older version stored them. They are skipped. */
  readonly monitor?: LoadMonitor;
}

/** Receives the records that were skipped when the log was loaded. */
export interface LoadMonitor {
  /** @param id the stored id of the record, in a form that may be logged */
  quarantined(kind: RecordKind, id: string, reason: UnpublishableReason): void;
}

/** All records in memory, with the indexes that readers and writers share. */
export class MemoryStore implements PlainRecords {
  readonly clock: Clock;
  readonly records: RecordCatalog;
  readonly facts: RepositoryFacts;
  readonly syncs = new Map<string, Sync>();
  readonly checks: CheckIndex;
  readonly tails = new CheckTails();
  readonly decoder = new RecordDecoder();
  readonly changes: ChangeAnnouncer;
  readonly #log: RecordLog | null;
  readonly #retention: RetentionClock;
  readonly #onWritable: NonNullable<MemoryStoreOptions['onWritable']>;
  /** Applies the changes of a failed append in memory, in case they are durable after all; `null` if no append has failed. */
  #unsettled: (() => void) | null = null;
  #isWritable = true;
  readonly #monitor: LoadMonitor | null;

  private constructor({
    clock,
    log,
    retentionMs = DEFAULT_RETENTION_MS,
    approved,
    search = true,
    monitor,
    onWritable,
    onClockDoubt,
    onListenerError,
  }: MemoryStoreOptions) {
    this.clock = clock;
    this.changes = new ChangeAnnouncer(onListenerError);
    this.records = new RecordCatalog(approved ?? null);
    this.facts = new RepositoryFacts(this.records, clock);
    this.checks = new CheckIndex(retentionMs);
    this.#log = log ?? null;
    this.#retention = new RetentionClock(() => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }), onClockDoubt);
    this.#onWritable = onWritable ?? (() => undefined);
    this.#monitor = monitor ?? null;
    if (!search) this.records.indexer.stop();
  }

  /** Loads the log. When it resolves, lists and status are available. Search is available a little later, when everything is indexed. */
  static async open(options: MemoryStoreOptions): Promise<MemoryStore> {
    const store = new MemoryStore(options);
    await store.#load();
    return store;
  }

  find(kind: PlainRecord['kind'], key: string): PlainRecord | null {
    return kind === 'sync' ? (this.syncs.get(key) ?? null) : this.records.find(kind, key);
  }

  put(record: PlainRecord): void {
    if (record.kind === 'sync') this.syncs.set(record.id, record);
    else this.records.put(record);
  }

  remove(kind: PlainRecord['kind'], key: string): void {
    if (kind === 'sync') this.syncs.delete(key);
    else this.records.remove(kind, key);
  }

  /** `degraded` from a failed write until the next successful one. */
  get state(): 'ready' | 'degraded' {
    return this.#isWritable ? 'ready' : 'degraded';
  }

  /** Makes the changes durable, applies them in memory, and announces what `apply` has noted. After a rejection, every call rejects until `recover` has resolved. */
  async commit(changes: readonly LogChange[], apply: (changed: ChangeSet) => void): Promise<void> {
    const settle = (): void => {
      const changed = new ChangeSet();
      apply(changed);
      this.changes.announce(changed.list());
    };
    if (changes.length > 0 && this.#log !== null) {
      try {
        await this.#log.append(changes);
      } catch (error) {
        this.#unsettled ??= settle;
        this.#setWritable(false, error);
        throw error;
      }
      this.#setWritable(true, null);
    }
    settle();
  }

  /** Call this before a write is planned. After a failed append, memory and log may differ, so a record could be reported as unchanged although the log does not have it. */
  async recover(): Promise<void> {
    if (this.#unsettled === null) return;
    const isKept = await this.#log?.recover();
    if (isKept === true) this.#unsettled();
    this.#unsettled = null;
  }

  /** Deletes raw checks that are older than the retention, and keeps the counts of their days. */
  async freezeOverdueDays(): Promise<void> {
    const plan = new CheckPlan(this.checks, this.tails, this.present());
    plan.freezeOverdue();
    await this.commit(plan.changes(), (changed) => {
      plan.apply(changed);
    });
  }

  async close(): Promise<void> {
    this.records.indexer.stop();
    await this.#log?.close();
  }

  /** The time on which the retention of checks is based. */
  present(): Present {
    return this.#retention.present();
  }

  async #load(): Promise<void> {
    await this.#takeAll();
    const now = this.clock.now();
    this.#retention.start({ newest: this.checks.newestUntil(now + HOUR), dayOld: this.checks.newestUntil(now - DAY) });
    // A full disk must not prevent reading. The next write reports the problem.
    await this.freezeOverdueDays().catch((error: unknown) => {
      if (this.#isWritable) throw error;
    });
  }

  async #takeAll(): Promise<void> {
    if (this.#log === null) return;
    for await (const entries of this.#log.load()) for (const entry of entries) this.#take(entry);
    this.records.indexLoaded();
    for (const record of this.records.all('repository')) if (record.kind === 'repository') this.facts.derive(record.repositoryRef);
    for (const service of this.checks.services()) service.tallies.settle();
  }

  #setWritable(isWritable: boolean, error: unknown): void {
    if (isWritable !== this.#isWritable) this.#onWritable(isWritable, error);
    this.#isWritable = isWritable;
  }

  #take({ key, value }: LogEntry): void {
    switch (key[0]) {
      case 'r':
        this.#takeRecord(this.decoder.record(value));
        break;
      case 'c':
        this.#takePack(key, value);
        break;
      case 't':
        this.#takeTail(key, value);
        break;
      case 'd':
        this.checks.freeze(this.decoder.tally(value));
    }
  }

  #takeRecord(stored: PlainRecord): void {
    const record = publishableRecord(stored);
    if (typeof record === 'string') {
      // An id that names another repository would reveal it, so the log gets only the record's own scope.
      this.#monitor?.quarantined(stored.kind, record === 'foreign-id' ? ownScope(stored) : quotable(keyOfIdentity(stored)), record);
      return;
    }
    if (record.kind === 'sync') this.syncs.set(record.id, syncOf(record));
    else this.records.load(record);
  }

  #takePack(key: string, value: Uint8Array): void {
    const name = parseDayKey(key);
    if (name === null) return;
    this.checks.load(this.#decodedPack(value, name));
  }

  #decodedPack(value: Uint8Array, { serviceKey, day }: { readonly serviceKey: string; readonly day: number }): DayChecks {
    return decodePack(value, serviceKey, day, this.checks.profiles, (reason) => {
      this.#monitor?.quarantined('check', quotable(serviceKey), reason);
    });
  }

  #takeTail(key: string, value: Uint8Array): void {
    const name = parseDayKey(key);
    if (name === null) return;
    const tail = this.#decodedPack(value, name);
    const checks = this.checks.copyOfDay(name.serviceKey, name.day);
    for (let i = 0; i < tail.length; i++) checks.put(tail.checkAt(i));
    this.checks.load(checks);
    this.tails.added(name.serviceKey, name.day, key, tail.length);
  }
}

function ownScope(record: PlainRecord): string {
  return 'repositoryRef' in record ? `one of ${quotable(record.repositoryRef)}` : 'one of no repository';
}
