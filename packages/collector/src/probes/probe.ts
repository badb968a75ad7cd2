import { type Check, type Instant, type Provenance, MAX_RESPONSE_TIME_MS, SECOND } from '@vitrine/core';
import { SourceError } from '../running/source.js';
import { createHash } from 'node:crypto';

/** The provenance of Vitrine's own measurements. @param isOfficialSource whether the service is the team's own */
export function measuredProvenance(sourceUrl: string, observedAt: Instant, isOfficialSource = true): Provenance {
  return { source: 'vitrine', sourceKind: 'confirmed-from-source', sourceUrl, observedAt, confidence: 'high', isOfficialSource };
}

export type Observed = Pick<Check, 'state' | 'rawState' | 'responseTimeMs' | 'checkedAt'>;

export function measuredCheck(of: Pick<Check, 'serviceKey' | 'validForMs'>, observed: Observed, sourceUrl: string, isOfficialSource = true): Check {
  const { state, rawState, checkedAt, responseTimeMs } = observed;
  const provenance = measuredProvenance(sourceUrl, checkedAt, isOfficialSource);
  return { kind: 'check', ...of, state, rawState, checkedAt, responseTimeMs, provenance };
}

/** What went wrong with a probe. `text`: the response is not the expected one. */
export type ProbeFailure = `http ${number}` | 'timeout' | 'refused' | 'dns' | 'tls' | 'text';

export interface ProbeOutcome {
  readonly state: 'operational' | 'degraded' | 'outage';
  /** A closed set, so that no text of a server is published. */
  readonly rawState: ProbeFailure | 'ok' | 'slow';
  readonly responseTimeMs: number | null;
}

/** Makes one attempt. Rejects if the probe itself cannot run, such as without a variable that it needs, and with the signal's reason. */
export type Probe = (signal: AbortSignal) => Promise<ProbeOutcome>;

export function failed(rawState: ProbeFailure): ProbeOutcome {
  return { state: 'outage', rawState, responseTimeMs: null };
}

/** @param slowAfterMs a response that took longer is degraded; `null`: none is */
export function reached(rawState: ProbeOutcome['rawState'], elapsedMs: number, slowAfterMs: number | null): ProbeOutcome {
  const found =
    slowAfterMs !== null && elapsedMs > slowAfterMs
      ? ({ state: 'degraded', rawState: 'slow' } as const)
      : ({ state: 'operational', rawState } as const);
  return { ...found, responseTimeMs: Math.min(Math.round(elapsedMs), MAX_RESPONSE_TIME_MS) };
}

const KEPT_MS = 5 * SECOND;

const CANARY_OFFLINE = 'the canary does not respond, so failures are stored as unknown. If this server has a network, correct the address of canary';

export interface CanaryAnswer {
  readonly isOnline: boolean;
  readonly problem: string | null;
}

export type Canary = (signal: AbortSignal) => Promise<CanaryAnswer>;

/** Asks an address that is always there. Probes that fail together share one request. */
export function sharedCanary(probe: Probe): Canary {
  let last: { readonly at: number; readonly answer: Promise<CanaryAnswer> } | null = null;
  return async (signal) => {
    const now = performance.now();
    if (last === null || now - last.at > KEPT_MS) last = { at: now, answer: answerOf(probe) };
    const answer = await last.answer;
    signal.throwIfAborted();
    return answer;
  };
}

/** Ends by its own time-out, because it belongs to no single probe. A canary that may not be asked says nothing about the network, so it hides no outage. */
async function answerOf(probe: Probe): Promise<CanaryAnswer> {
  try {
    const isOnline = (await probe(new AbortController().signal)).state !== 'outage';
    return { isOnline, problem: isOnline ? null : CANARY_OFFLINE };
  } catch (error) {
    const isRefused = error instanceof SourceError;
    return { isOnline: isRefused, problem: isRefused ? error.message : CANARY_OFFLINE };
  }
}

/** At most this part of the interval, and at most a second. */
const JITTER = 0.05;

/**
 * When the next run of a probe is due: a random moment after a slot. Slots are at a fixed distance by the clock, so that no delay adds up, with an offset for each name,
 * so that probes do not all run at once. Slots that have passed are left out. @param random from 0 to 1
 */
export function probeSlots(name: string, intervalMs: number, random: () => number = Math.random): (now: Instant) => Instant {
  const offsetMs = Math.floor((createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32) * intervalMs);
  let last: Instant = -Infinity;
  return (now) => {
    let slot = (Math.floor((now - offsetMs) / intervalMs) + 1) * intervalMs + offsetMs;
    // A timer may fire a moment too early. A slot far behind the last one means that the clock was set back.
    if (slot <= last && last - slot < intervalMs) slot = last + intervalMs;
    last = slot;
    return slot + Math.floor(random() * Math.min(intervalMs * JITTER, SECOND));
  };
}
