import { NO_REPOSITORY, SECOND, type Instant, type Sync, type SyncedKind } from '@vitrine/core';
import type { z } from 'zod';
import type { Registration, RunReport, Source, SourceContext } from './source.js';

/** A source with a sync record, in which it remembers what its next run needs. */
export abstract class RegisteredSource implements Source {
  constructor(
    readonly id: string,
    private readonly ownIntervalMs: number,
    readonly registration: Registration,
  ) {}

  get intervalMs(): number {
    return this.ownIntervalMs;
  }

  abstract run(context: SourceContext): Promise<RunReport>;

  /** The stored sync record; `null` if there is none, or if it is about another repository. */
  async syncIn({ collection, signal }: SourceContext): Promise<Sync | null> {
    const sync = await collection.sync(this.registration.id, { signal });
    return sync?.repositoryRef === this.registration.repositoryRef ? sync : null;
  }

  protected completed(before: Sync | null, completion: Completion): Sync {
    return completedSync(this.registration, this.intervalMs, before, completion);
  }

  /** Writes that sync record. Call this last, so that the next run completes an interrupted one. */
  async complete(before: Sync | null, completion: Completion, { writer, signal }: SourceContext): Promise<void> {
    await writer.put([this.completed(before, completion)], { signal });
  }

  /** Writes a state before its records: a record that nobody remembers would stay for ever. @param before the stored sync record */
  async remember(before: Sync | null, state: string, { writer, signal }: SourceContext): Promise<void> {
    const record = before ?? pendingSync(this.registration, this.intervalMs);
    await writer.put([{ ...record, state }], { signal });
  }
}

/** What the state of a sync record says; `null` if there is none, or if it does not fit. */
export function parseState<Schema extends z.ZodType>(schema: Schema, state: string | null | undefined): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(state ?? ''));
  } catch {
    return null;
  }
}

export interface Completion {
  readonly at: Instant;
  /** Default: those that the source was registered with. */
  readonly feeds?: readonly SyncedKind[];
  readonly state: string | null;
}

/** The sync record of a source that no run of has ended yet. */
export function pendingSync({ id, sourceType, label, repositoryRef, feeds }: Registration, intervalMs: number): Sync {
  const times = { firstAttemptAt: null, lastAttemptAt: null, lastSuccessAt: null, lastFailureAt: null, lastFailureCode: null };
  return { kind: 'sync', id, sourceType, label, repositoryRef, feeds, intervalMs, ...times, state: null };
}

/** The sync record after a run that completed. @param before the stored one; it counts only if it is about the same repository */
export function completedSync(registration: Registration, intervalMs: number, before: Sync | null, { at, feeds, state }: Completion): Sync {
  const pending = pendingSync(registration, intervalMs);
  const { firstAttemptAt, lastFailureAt, lastFailureCode } = before?.repositoryRef === registration.repositoryRef ? before : pending;
  const times = { firstAttemptAt: firstAttemptAt ?? at, lastAttemptAt: at, lastSuccessAt: at, lastFailureAt, lastFailureCode };
  return { ...pending, feeds: feeds ?? registration.feeds, ...times, state };
}

export function failedSync(before: Sync, { startedAt, failedAt, error }: { startedAt: Instant; failedAt: Instant; error: unknown }): Sync {
  const firstAttemptAt = before.firstAttemptAt ?? startedAt;
  return { ...before, firstAttemptAt, lastAttemptAt: startedAt, lastFailureAt: failedAt, lastFailureCode: failureCodeOf(error) };
}

const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The error's own code, such as `ENOENT`: messages may hold paths and addresses. */
function failureCodeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : null;
  return typeof code === 'string' && CODE.test(code) ? code : 'FAILED';
}

/** The sync record in which a collector remembers something about its whole configuration. */
export function configurationSync(id: string, at: Instant, intervalMs: number, state: string): Sync {
  const registration: Registration = { id, sourceType: 'configuration', label: 'configuration', repositoryRef: NO_REPOSITORY, feeds: [] };
  return completedSync(registration, Math.max(SECOND, intervalMs), null, { at, state });
}
