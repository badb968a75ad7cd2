import { MINUTE, type Instant, type Tally } from '@vitrine/core';
import type { RawHour } from './counted-hours.js';
import type { Trail } from './trail-document.js';
import type { CountedPart } from './window-parts.js';

/** A limit to how old cached data can be, in case a reader reads the revisions from one member of a replica set and the data from another. */
const MAX_AGE_MS = 15 * MINUTE;
/** Windows that end now share nearly all parts. More parts than this come from other requests. */
const MAX_PARTS = 256;

/** The cached past of one service. */
export class ServiceParts {
  readonly #hoursRevision: number;
  readonly #daysRevision: number;
  readonly readAt: Instant;
  readonly #tallies = new Map<string, Tally>();
  readonly #rawHours = new Map<Instant, RawHour>();

  constructor({ hoursRevision, daysRevision }: Trail, readAt: Instant, before: ServiceParts | null) {
    this.#hoursRevision = hoursRevision;
    this.#daysRevision = daysRevision;
    this.readAt = before?.readAt ?? readAt;
    if (before === null || before.#daysRevision !== daysRevision) return;
    for (const [key, tally] of before.#tallies) if (key.startsWith('days')) this.#tallies.set(key, tally);
  }

  isOf({ hoursRevision, daysRevision }: Trail): boolean {
    return this.#hoursRevision === hoursRevision && this.#daysRevision === daysRevision;
  }

  tally(part: CountedPart): Tally | null {
    return this.#tallies.get(keyOf(part)) ?? null;
  }

  rawHour(hour: Instant): RawHour | null {
    return this.#rawHours.get(hour) ?? null;
  }

  get isFull(): boolean {
    return this.#tallies.size > MAX_PARTS || this.#rawHours.size > MAX_PARTS;
  }

  setTally(part: CountedPart, tally: Tally): void {
    this.#tallies.set(keyOf(part), tally);
  }

  setRawHour(hour: Instant, raw: RawHour): void {
    this.#rawHours.set(hour, raw);
  }
}

/** Caches the past of services. An entry is valid as long as its revisions are current. Data before the hour of a service's newest check seldom changes. */
export class PartCache {
  readonly #services = new Map<string, ServiceParts>();

  of(trail: Trail, now: Instant): ServiceParts {
    const known = this.#services.get(trail.serviceKey) ?? null;
    const fresh = known !== null && !known.isFull && Math.abs(now - known.readAt) <= MAX_AGE_MS ? known : null;
    if (fresh?.isOf(trail) === true) return fresh;
    const parts = new ServiceParts(trail, now, fresh);
    this.#services.set(trail.serviceKey, parts);
    return parts;
  }
}

export function keyOf({ kind, from, to }: CountedPart): string {
  return `${kind} ${String(from)} ${String(to)}`;
}
