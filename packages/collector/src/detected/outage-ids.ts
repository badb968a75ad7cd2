import type { Outage } from '@vitrine/core';
import { detectedId } from './detected-incident.js';
import type { KnownIncident } from './detected-state.js';

/** An outage with the id of its incident. */
export interface NamedOutage {
  readonly id: string;
  readonly outage: Outage;
}

/**
 * Gives each outage its id. A late check may move the start of an outage. Then the outage keeps the id under which it is stored, so that addresses and
 * `covers` stay valid. If two stored outages have become one, the earlier id stays.
 *
 * @param known the stored incidents of the service
 */
export function namedOutages(key: string, outages: readonly Outage[], known: readonly KnownIncident[]): readonly NamedOutage[] {
  const left = new Map([...known].sort((a, b) => a.from - b.from).map((incident) => [incident.id, incident]));
  const exact = new Set(outages.map(({ startAt }) => detectedId(key, startAt)).filter((id) => left.delete(id)));
  return outages.map((outage) => {
    const own = detectedId(key, outage.startAt);
    const id = exact.has(own) ? own : (overlapping(outage, left.values())?.id ?? own);
    left.delete(id);
    return { id, outage };
  });
}

function overlapping({ startAt, endAt }: Outage, known: Iterable<KnownIncident>): KnownIncident | undefined {
  return [...known].find(({ from, until }) => from < (endAt ?? Infinity) && startAt < (until ?? Infinity));
}
