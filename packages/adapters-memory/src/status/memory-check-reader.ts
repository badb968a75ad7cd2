import {
  comparePositions,
  daySlices,
  DaySums,
  dayWindows,
  EARLIEST_INSTANT,
  EvidenceRequest,
  NEVER_COVERED,
  pageOf,
  type AskedWindow,
  type Check,
  type CheckReader,
  type DaySlice,
  type Instant,
  type LatestState,
  type ServiceEvidence,
  type TimePosition,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from '../readers/answer-now.js';
import type { ServiceChecks } from './service-checks.js';

/** Reads what the core's `EvidenceRequest` needs. */
export function memoryCheckReader({ checks }: MemoryStore): CheckReader {
  return {
    evidence: ({ serviceKeys, windows, now }, context) =>
      answerNow(context, () => {
        const found = new Map<string, ServiceEvidence>();
        for (const service of serviceKeys?.flatMap((key) => checks.service(key) ?? []) ?? checks.services()) {
          const latest = service.latestState();
          // Raw checks that are too old are deleted, so all that are stored are kept.
          const evidence = latest === null ? null : requestOf(service, latest, windows, now).evidence(NEVER_COVERED);
          if (evidence !== null) found.set(service.serviceKey, evidence);
        }
        return found;
      }),
    list: (serviceKey, { limit, after, from, to }, context) =>
      answerNow(context, () => {
        const stored = checks.service(serviceKey)?.checksBetween(from ?? EARLIEST_INSTANT, Math.min(to, after?.time ?? to)) ?? [];
        const rest = stored.filter((check) => after === null || comparePositions(positionOfCheck(check), after) > 0);
        rest.sort((a, b) => comparePositions(positionOfCheck(a), positionOfCheck(b)));
        return pageOf(rest.slice(0, limit + 1), limit, positionOfCheck);
      }),
    days: ({ serviceKeys, window, now }, context) =>
      answerNow(context, () => {
        const found = new Map<string, readonly DaySlice[]>();
        for (const service of serviceKeys?.flatMap((key) => checks.service(key) ?? []) ?? checks.services()) {
          const latest = service.latestState();
          const windows = latest === null ? [] : dayWindows(latest, window, now);
          const slices = latest === null ? [] : daySlices(windows, requestOf(service, latest, windows, now).tallies());
          if (slices.length > 0) found.set(service.serviceKey, slices);
        }
        return found;
      }),
  };
}

/** A request that has got what it needs. */
function requestOf(service: ServiceChecks, state: LatestState, windows: readonly AskedWindow[], now: Instant): EvidenceRequest {
  const request = new EvidenceRequest(state, windows, now);
  const needs = request.needs();
  if (needs === null) return request;
  const sums = new DaySums(needs.sums);
  for (const day of service.days()) sums.add(day);
  const days = new Map(service.days().map((counted) => [counted.day, counted]));
  const checks = needs.checks.flatMap(({ from, to }) => service.checksBetween(from, to));
  request.learn({ sums, days, checks, newest: needs.newest.flatMap((source) => service.newestOf(source, needs.latest) ?? []) });
  return request;
}

function positionOfCheck({ checkedAt, provenance }: Check): TimePosition {
  return { time: checkedAt, id: provenance.source };
}
