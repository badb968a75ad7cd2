import { countedAt, type Instant, type ServiceEvidence } from '@vitrine/core';
import type { ServiceChecks } from './service-checks.js';

/** The times of a service's first and last checks that count by now; `null` if there are none. */
export function trackedTimes(service: ServiceChecks, now: Instant): Pick<ServiceEvidence, 'trackedFrom' | 'lastCheckedAt'> | null {
  const first = firstStored(service);
  const trackedFrom = first === null ? null : countedAt(first, now);
  const lastCheckedAt = trackedFrom === null ? null : lastCounted(service, now);
  return trackedFrom === null || lastCheckedAt === null ? null : { trackedFrom, lastCheckedAt };
}

function firstStored(service: ServiceChecks): Instant | null {
  const day = service.days.at(0);
  return service.openDay(day)?.timeAt(0) ?? service.tallies.frozen(day)?.firstCheckedAt ?? null;
}

function lastCounted(service: ServiceChecks, now: Instant): Instant | null {
  for (let i = service.days.length - 1; i >= 0; i--) {
    const day = service.days.at(i);
    const checks = service.openDay(day);
    if (checks === null) return service.tallies.frozen(day)?.lastCheckedAt ?? null;
    for (let index = checks.length - 1; index >= 0; index--) {
      const at = countedAt(checks.timeAt(index), now);
      if (at !== null) return at;
    }
  }
  return null;
}
