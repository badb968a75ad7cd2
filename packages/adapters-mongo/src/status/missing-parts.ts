import { DAY, startOfDay, type Instant, type Window } from '@vitrine/core';
import { dayId } from './day-document.js';
import { keyOf } from './part-cache.js';
import type { CountedPart } from './window-parts.js';

/** The data of one service that must be read. */
export class MissingParts {
  readonly rawHours = new Set<Instant>();
  readonly #counted = new Map<string, CountedPart>();
  /** The start of the range in which all raw checks up to now are needed; `null` for none. */
  openFrom: Instant | null = null;

  constructor(readonly serviceKey: string) {}

  add(part: CountedPart): void {
    this.#counted.set(keyOf(part), part);
  }

  get counted(): readonly CountedPart[] {
    return [...this.#counted.values()];
  }

  get days(): readonly Window[] {
    return this.counted.filter(({ kind }) => kind === 'days');
  }

  /** The starts of the days whose hours are needed. */
  get hourDays(): ReadonlySet<Instant> {
    const open = this.openFrom === null ? [] : [this.openFrom];
    const hours = this.counted.filter(({ kind }) => kind === 'hours').map(({ from }) => from);
    return new Set([...hours, ...this.rawHours, ...open].map(startOfDay));
  }

  /** The ids of these days and of the days before, whose coverage may reach into them. */
  get hourDocuments(): readonly string[] {
    return [...this.hourDays].flatMap((day) => [dayId(this.serviceKey, day - DAY), dayId(this.serviceKey, day)]);
  }
}
