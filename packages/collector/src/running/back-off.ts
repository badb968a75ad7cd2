import { DAY, HOUR, MINUTE, SECOND } from '@vitrine/core';

/** A source that fails is tried at least this often, so that it recovers without a restart. */
const LONGEST_MS = HOUR;
const LONGEST_ASKED_MS = DAY;
/** The share by which a pause is shortened or lengthened at random, so that sources that failed together are not tried together. */
const JITTER = 0.2;
/** A pause that a server asks for is longer by up to this much, for the same reason. */
const ASKED_JITTER_MS = MINUTE;
/** The first failure changes nothing, because most failures are over at the next run. */
const DOUBLINGS_FROM = 2;
const MOST_DOUBLINGS = 20;
/** A source that has not succeeded yet is tried again this soon: its configuration is new, or the machine has just started. */
const FIRST_RETRY_MS = 30 * SECOND;

export interface Failures {
  readonly count: number;
  /** Whether no run has succeeded since the process started. */
  readonly isNew: boolean;
  /** People who repair a file do not want to wait, so the interval of a source that is not remote is never doubled. */
  readonly isRemote: boolean;
}

/**
 * How long to wait, in milliseconds: from the start of a run that succeeded, or from the end of one that failed. A source that has never succeeded is tried after 30 s,
 * 1 min, 2 min and so on. From the second failure after that, each doubles the interval of a remote source. `retryAfterMs` of the error is obeyed. @param chance from 0 to 1
 */
export function pauseAfter(intervalMs: number, { count, isNew, isRemote }: Failures, error: unknown, chance: number): number {
  const soon = isNew ? Math.max(0, Math.ceil(Math.log2(intervalMs / FIRST_RETRY_MS))) : 0;
  const isSoon = count > 0 && count <= soon;
  const soonPause = Math.min(intervalMs, FIRST_RETRY_MS * 2 ** (count - 1) * (1 + JITTER * chance));
  const pause = isSoon ? soonPause : usualPause(intervalMs, isRemote ? count - soon : 0, chance);
  const asked = askedBy(error);
  return Math.max(pause, asked === 0 ? 0 : Math.min(LONGEST_ASKED_MS, asked + ASKED_JITTER_MS * chance));
}

function usualPause(intervalMs: number, failures: number, chance: number): number {
  const doublings = Math.min(MOST_DOUBLINGS, Math.max(0, failures - DOUBLINGS_FROM + 1));
  if (doublings === 0) return intervalMs;
  const pause = Math.min(Math.max(intervalMs, LONGEST_MS), intervalMs * 2 ** doublings);
  return Math.max(intervalMs, pause * (1 - JITTER * chance));
}

function askedBy(error: unknown): number {
  const asked: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'retryAfterMs') : null;
  return typeof asked === 'number' && asked > 0 ? asked : 0;
}
