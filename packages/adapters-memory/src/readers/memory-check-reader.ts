import type { Check, CheckReader, DaySlice, DaysQuery, EvidenceQuery, ReadContext, ServiceEvidence, TimeListQuery, TimePage } from '@vitrine/core';
import { newestChecks } from '../checks/check-list.js';
import { daysOf, sliceOfDay } from '../checks/day-slices.js';
import type { ServiceChecks } from '../checks/service-checks.js';
import { trackedTimes } from '../checks/tracked-times.js';
import { windowTallies } from '../checks/window-tallies.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export class MemoryCheckReader implements CheckReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  evidence({ serviceKeys, windows, now }: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    return answerNow(context, () => {
      const found = new Map<string, ServiceEvidence>();
      for (const service of this.#services(serviceKeys)) {
        const tracked = trackedTimes(service, now);
        if (tracked === null) continue;
        const { trails } = service;
        found.set(service.serviceKey, {
          ...tracked,
          newest: trails.newest(now),
          newestKnown: trails.newestKnown(now),
          tallies: windowTallies(service, windows, now),
        });
      }
      return found;
    });
  }

  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>> {
    return answerNow(context, () => {
      const service = this.#store.checks.service(serviceKey);
      return service === null ? { items: [], next: null } : newestChecks(service, query);
    });
  }

  days(serviceKey: string, { window, now }: DaysQuery, context: ReadContext): Promise<readonly DaySlice[]> {
    return answerNow(context, () => {
      const service = this.#store.checks.service(serviceKey);
      if (service === null) return [];
      return daysOf(service, window, now).flatMap((day) => {
        const tally = sliceOfDay(service, day, window, now);
        return tally === null ? [] : [{ day, tally }];
      });
    });
  }

  #services(keys: readonly string[] | null): Iterable<ServiceChecks> {
    return keys === null ? this.#store.checks.services() : keys.flatMap((key) => this.#store.checks.service(key) ?? []);
  }
}
