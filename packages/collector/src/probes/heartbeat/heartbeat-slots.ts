import type { Instant } from '@vitrine/core';
import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';

/** What a heartbeat says: that all is well, or that the job has failed. */
export type HeartbeatWord = 'ok' | 'reported';
/** What is stored if no heartbeat came: it is missed, or connections were refused that may have brought it. The words are a closed set. */
export type SilentWord = 'missed' | 'overloaded';

export interface Observation {
  readonly word: HeartbeatWord | SilentWord;
  readonly at: Instant;
}

/** A worse word of a slot replaces a better one. A heartbeat that was heard replaces `overloaded`, because then something is known. */
const SEVERITY = { overloaded: 0, ok: 1, reported: 2, missed: 2 } as const;

const instant = z.number().int();
const observation = z.strictObject({ word: z.enum(['ok', 'reported', 'missed', 'overloaded']), at: instant });
const schema = z.strictObject({
  /** The length of a slot in milliseconds. If the configuration changes it, the count of slots restarts. */
  slotMs: z.number().int(),
  /** When slot 0 begins: the first heartbeat. `null` before it. */
  first: instant.nullable(),
  slot: z.number().int(),
  stored: observation.nullable(),
  /** The last heartbeat of the slot, if another one is stored for it. */
  later: observation.nullable(),
  /** The latest time of a check. It is later than that of `stored` if the clock was set back. */
  newest: instant,
  /** Times of checks that have to be removed after the new ones were stored. */
  replaced: z.array(instant),
});
type State = z.infer<typeof schema>;

/** The slots of one service, each as long as the interval. One check is stored for each, with its worst word, so a job that sends heartbeats often counts no more than others. */
export class HeartbeatSlots {
  readonly #state: State;
  readonly #stored = new Map<Instant, Observation>();

  /** @param text the JSON of {@link state}; other texts count as a service that was never heard */
  constructor(text: string | null, slotMs: number) {
    const state = parseState(schema, text) ?? { slotMs, first: null, slot: 0, stored: null, later: null, newest: 0, replaced: [] };
    this.#state = state.slotMs === slotMs ? state : { ...state, slotMs, first: null, stored: null, later: null };
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  get stored(): readonly Observation[] {
    return [...this.#stored.values()];
  }

  remove(times: readonly Instant[]): void {
    this.#state.replaced.push(...times);
  }

  removed(): void {
    this.#state.replaced = [];
  }

  hear(heard: Observation): void {
    const slot = this.#slotOf(heard.at);
    const { stored } = this.#state;
    if (stored === null || slot !== this.#state.slot) {
      this.#write(slot, heard);
      return;
    }
    const isWorse = SEVERITY[heard.word] > SEVERITY[stored.word];
    // After the clock was set back, a check in the future counts only when its time has come.
    if (isWorse) this.#replace(slot, heard);
    else if (heard.at < stored.at) this.#replace(slot, { ...stored, at: heard.at });
    else this.#state.later = heard;
  }

  /**
   * Heartbeats do not come exactly on time: one may come at the start of a slot, and the next one at its end, which is then evidence for the slot after it. So
   * the last heartbeat of a slot counts for the next one until that has a word, if it is better than the slot's word, or if the stored check is no longer valid.
   * @param aheadMs a check that ends so soon counts as ended
   */
  carry(now: Instant, validForMs: number, aheadMs: number): void {
    const { stored, later, slot } = this.#state;
    if (stored === null || later === null || this.#slotOf(now) <= slot || now >= later.at + validForMs) return;
    if (later.word === stored.word && now < stored.at + validForMs - aheadMs) return;
    this.#write(slot + 1, later);
  }

  /** No heartbeat came in time. @param dueAt measured on another clock, so it may be earlier than the last heartbeat by this one */
  miss(missed: Observation, dueAt: Instant, validForMs: number): void {
    if (this.#state.first === null) {
      this.#store(missed);
      return;
    }
    const slot = Math.max(this.#slotOf(dueAt - validForMs), this.#lastSlotUntil(missed.at)) + 1;
    if (this.#state.stored !== null && this.#state.slot === slot) this.#replace(slot, missed);
    else this.#write(slot, missed);
  }

  /** The slot of the last heartbeat, or the last slot without one. What is in the future counts not: then the clock was set back. */
  #lastSlotUntil(at: Instant): number {
    const { stored, later, slot } = this.#state;
    const last = later ?? stored;
    if (last === null || last.at > at) return -Infinity;
    return last.word === 'ok' || last.word === 'reported' ? this.#slotOf(last.at) : slot;
  }

  #slotOf(at: Instant): number {
    this.#state.first ??= at;
    return Math.floor((at - this.#state.first) / this.#state.slotMs);
  }

  #write(slot: number, observation: Observation): void {
    Object.assign(this.#state, { slot, stored: observation, later: null });
    this.#store(observation);
  }

  #replace(slot: number, observation: Observation): void {
    const { stored: old, newest, replaced } = this.#state;
    if (old !== null && old.at !== observation.at) {
      this.#stored.delete(old.at);
      if (newest === old.at) this.#state.newest = 0;
      replaced.push(old.at);
    }
    this.#write(slot, observation);
  }

  #store(observation: Observation): void {
    this.#stored.set(observation.at, observation);
    this.#state.newest = Math.max(this.#state.newest, observation.at);
    this.#state.replaced = this.#state.replaced.filter((at) => !this.#stored.has(at));
  }
}
