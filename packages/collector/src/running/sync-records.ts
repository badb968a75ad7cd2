import { NO_REPOSITORY, SECOND, type Instant, type ScopeRef, type Sync, type SyncedKind } from '@vitrine/core';

/** What is published of a source before its first run. */
export interface Registration {
  /** Of its sync record: `type:owner/name`, `type:service-key` or `type:label`. Never a path or an address, because it is published. */
  readonly id: string;
  /** `configuration`: the source feeds nothing, and is never published. */
  readonly sourceType: Sync['sourceType'];
  readonly label: string;
  readonly repositoryRef: ScopeRef;
  /** Every kind that it may bring. */
  readonly feeds: readonly SyncedKind[];
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

/** The sync record after a run that completed. @param before the one that was stored; it counts only when it is about the same repository */
export function completedSync(registration: Registration, intervalMs: number, before: Sync | null, { at, feeds, state }: Completion): Sync {
  const pending = pendingSync(registration, intervalMs);
  const { firstAttemptAt, lastFailureAt, lastFailureCode } = before?.repositoryRef === registration.repositoryRef ? before : pending;
  const times = { firstAttemptAt: firstAttemptAt ?? at, lastAttemptAt: at, lastSuccessAt: at, lastFailureAt, lastFailureCode };
  return { ...pending, feeds: feeds ?? registration.feeds, ...times, state };
}

/** The sync record after a run that failed. */
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
