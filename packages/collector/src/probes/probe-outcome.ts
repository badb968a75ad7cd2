import { type Check, type Instant, type Provenance, MAX_RESPONSE_TIME_MS } from '@vitrine/core';

/** The provenance of Vitrine's own measurements. @param isOfficialSource whether the service is the team's own */
export function measuredProvenance(sourceUrl: string, observedAt: Instant, isOfficialSource = true): Provenance {
  return { source: 'vitrine', sourceKind: 'confirmed-from-source', sourceUrl, observedAt, confidence: 'high', isOfficialSource };
}

/** What was found at a time. */
export type Observed = Pick<Check, 'state' | 'rawState' | 'responseTimeMs' | 'checkedAt'>;

/** A check of Vitrine's own. @param isOfficialSource whether the service is the team's own */
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
  readonly rawState: ProbeFailure | 'ok';
  /** Whole milliseconds; `null` for an outage. */
  readonly responseTimeMs: number | null;
}

/** Makes one attempt. Rejects if the probe itself cannot run, such as without a variable that it needs, and with the signal's reason. */
export type Probe = (signal: AbortSignal) => Promise<ProbeOutcome>;

export function failed(rawState: ProbeFailure): ProbeOutcome {
  return { state: 'outage', rawState, responseTimeMs: null };
}

/** @param slowAfterMs a response that took longer is degraded; `null`: none is */
export function reached(rawState: ProbeOutcome['rawState'], elapsedMs: number, slowAfterMs: number | null): ProbeOutcome {
  const state = slowAfterMs !== null && elapsedMs > slowAfterMs ? 'degraded' : 'operational';
  return { state, rawState, responseTimeMs: Math.min(Math.round(elapsedMs), MAX_RESPONSE_TIME_MS) };
}
