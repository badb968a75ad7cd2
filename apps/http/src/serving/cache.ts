import type { Clock, Instant } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { FinishedAnswer } from './finished-answer.js';

/** A request in its canonical form. */
export interface Address {
  /** The canonical path and query. */
  readonly target: string;
  /** The template of its route, for the log. */
  readonly route: string;
  /** Whether its answers have their own memory, so that lists cannot evict them. */
  readonly isKeptApart: boolean;
}

export interface KeptAnswer<Facts> {
  readonly answer: FinishedAnswer;
  /** When its computation began. */
  readonly madeAt: Instant;
  /** The first moment at which it may not be sent any more as if it had just been made. */
  readonly expiresAt: Instant;
  /** The size of the facts that are kept with the answer, in bytes. */
  readonly extraBytes: number;
  readonly facts: Facts;
}

const MEBIBYTE = 1_024 * 1_024;
/** 64 MiB in all. */
const LISTS = { max: 2_000, maxSize: 48 * MEBIBYTE };
const APART = { max: 2_000, maxSize: 16 * MEBIBYTE };
/** Addresses as clients spell them, each of at most 2,048 characters. */
const SPELLINGS = { max: 20_000, maxSize: 4 * MEBIBYTE };
/** A character of a text takes at most two bytes. */
const CHARACTER_BYTES = 2;
/** Memory for an entry itself, without its texts. */
const ENTRY_BYTES = 1_536;
const SPELLING_BYTES = 512;

interface Entry<Facts> {
  readonly kept: KeptAnswer<Facts>;
  /** Of the allowlist under which it was made. */
  readonly revision: string | null;
  /** Whether something was written on which the answer depends. */
  isOutdated: boolean;
}

/**
 * The newest answer to each address under the current revision of the allowlist. An answer serves twice: until it expires as the answer itself, and later
 * as the last good answer while the store cannot be read. If they take too much memory, the least recently requested one is dropped first.
 */
export class AnswerCache<Facts> {
  readonly #lists = new LRUCache<string, Entry<Facts>>(LISTS);
  readonly #apart = new LRUCache<string, Entry<Facts>>(APART);
  readonly #spellings = new LRUCache<string, Address>(SPELLINGS);
  readonly #clock: Clock;
  readonly #reuses: boolean;
  #revision: string | null = null;

  /** @param reuses whether answers are sent again before they expire */
  constructor(clock: Clock, reuses = true) {
    this.#clock = clock;
    this.#reuses = reuses;
  }

  /** Memory of all answers, in bytes. */
  get bytes(): number {
    return this.#lists.calculatedSize + this.#apart.calculatedSize;
  }

  get count(): number {
    return this.#lists.size + this.#apart.size;
  }

  /** The address that a client has spelt like this before. */
  addressOf(spelling: string): Address | null {
    return this.#spellings.get(spelling) ?? null;
  }

  /**
   * Does nothing if there is a newer answer.
   *
   * @param revision of the allowlist under which it was made; `null`: without a readable one
   */
  keep(address: Address, revision: string | null, spelling: string, kept: KeptAnswer<Facts>): void {
    const [space, key] = [this.#spaceOf(address), keyOf(address, revision)];
    this.#forgetOthers(revision);
    if (this.#hasNewer(space.peek(key), kept)) return;
    const entry: Entry<Facts> = { kept, revision, isOutdated: false };
    const set = (): unknown => space.set(key, entry, { size: ENTRY_BYTES + CHARACTER_BYTES * key.length + kept.extraBytes + kept.answer.bytes });
    set();
    kept.answer.onGrowth = () => {
      if (space.peek(key) !== entry) return;
      // The size of a value that stays the same is not read again.
      space.delete(key);
      set();
    };
    this.spelt(spelling, address);
  }

  /** Remembers how a client spelt an address that has an answer. */
  spelt(spelling: string, address: Address): void {
    if (!this.#reuses) return;
    this.#spellings.set(spelling, address, { size: SPELLING_BYTES + CHARACTER_BYTES * (spelling.length + address.target.length) });
  }

  /** The answer, until it expires. */
  current(address: Address, revision: string | null): KeptAnswer<Facts> | null {
    if (!this.#reuses) return null;
    this.#forgetOthers(revision);
    const entry = this.#entryOf(address, revision);
    return entry !== null && this.#isCurrent(entry) ? entry.kept : null;
  }

  /** The newest answer, expired or not, if it is at most `maxAgeMs` old. */
  lastGood(address: Address, revision: string | null, maxAgeMs: number): KeptAnswer<Facts> | null {
    this.#forgetOthers(revision);
    const entry = this.#entryOf(address, revision);
    return entry === null || this.#clock.now() - entry.kept.madeAt > maxAgeMs ? null : entry.kept;
  }

  /** Removes the answer of a record that no longer exists. */
  forget(address: Address, revision: string | null): void {
    if (this.#entryOf(address, revision) !== null) this.#spaceOf(address).delete(keyOf(address, revision));
  }

  /** Ends the answers that depend on something that was written. They still serve as last good answers. */
  outdate(isConcerned: (facts: Facts) => boolean): void {
    for (const space of [this.#lists, this.#apart])
      for (const entry of space.values()) if (!entry.isOutdated && isConcerned(entry.kept.facts)) entry.isOutdated = true;
  }

  /** Two allowlists never share an answer. */
  #entryOf(address: Address, revision: string | null): Entry<Facts> | null {
    const entry = this.#spaceOf(address).get(keyOf(address, revision));
    return entry?.revision === revision ? entry : null;
  }

  /** A slow computation may end after one that began later. */
  #hasNewer(known: Entry<Facts> | undefined, { madeAt }: KeptAnswer<Facts>): boolean {
    // The time of day may be set back.
    return known !== undefined && known.kept.madeAt > madeAt && known.kept.madeAt <= this.#clock.now();
  }

  #isCurrent({ kept: { madeAt, expiresAt }, isOutdated }: Entry<Facts>): boolean {
    const now = this.#clock.now();
    // The time of day may be set back.
    return !isOutdated && now >= madeAt && now < expiresAt;
  }

  #spaceOf({ isKeptApart }: Address): LRUCache<string, Entry<Facts>> {
    return isKeptApart ? this.#apart : this.#lists;
  }

  /** What another allowlist allowed is never sent again, also if that allowlist returns. */
  #forgetOthers(revision: string | null): void {
    if (revision === null || revision === this.#revision) return;
    if (this.#revision !== null) {
      this.#lists.clear();
      this.#apart.clear();
    }
    this.#revision = revision;
  }
}

/** The target itself, because a new text would have to be hashed for each request. Answers that were made without a readable allowlist stand beside the others. */
function keyOf({ target }: Address, revision: string | null): string {
  return revision === null ? `\n${target}` : target;
}
