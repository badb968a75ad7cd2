import { DAY, startOfDay, type Instant, type Window } from '@vitrine/core';
import { dayId } from './day-document.js';
import { keyOf } from './part-cache.js';
import type { CountedPart } from './window-parts.js';

/** What has to be read of one service. */
export class MissingParts {
  readonly rawHours = new Set<Instant>();
  readonly #counted = new Map<string, CountedPart>();
  /** From when on all raw checks that count by now are wanted. */
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

  /** Starts of the days whose hours are wanted. */
  get hourDays(): ReadonlySet<Instant> {
    const open = this.openFrom === null ? [] : [this.openFrom];
    const hours = this.counted.filter(({ kind }) => kind === 'hours').map(({ from }) => from);
    return new Set([...hours, ...this.rawHours, ...open].map(startOfDay));
  }

  /** The documents of those days and of the days before, which reach into them. */
  get hourDocuments(): readonly string[] {
    return [...this.hourDays].flatMap((day) => [dayId(this.serviceKey, day - DAY), dayId(this.serviceKey, day)]);
  }
}
