import type { Clock, Instant, RecordKind } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { FinishedAnswer } from './finished-answer.js';

export interface Address {
  readonly target: string;
  readonly route: string;
  readonly isKeptApart: boolean;
}

/** The stored records on which an answer depends. */
export interface Topics {
  readonly kinds: ReadonlySet<RecordKind>;
  /** Lower-case `owner/name` of the only repository that the answer shows, beside records of none; `null`: any. */
  readonly repository: string | null;
}

/** An answer, and what is needed to send it again while the store fails. */
export interface MadeAnswer {
  readonly answer: FinishedAnswer;
  readonly madeAt: Instant;
  /** The first moment at which it may not be sent any more as if it had just been made. */
  readonly expiresAt: Instant;
  readonly topics: Topics;
  readonly nextCursor: string | null;
  /** Only of answers that are composed of several sources. */
  readonly generatedAt: Instant | null;
  /** For data that depend on the present time: the same data for a later time. */
  readonly again?: ((now: Instant) => unknown) | undefined;
}

export interface KeptAnswer extends MadeAnswer {
  /** Whether something was written on which the answer depends. It still serves as the last good one. */
  isOutdated: boolean;
}

const MEBIBYTE = 1_024 * 1_024;
/** 64 MiB in all. */
const LISTS = { max: 2_000, maxSize: 48 * MEBIBYTE };
const APART = { max: 2_000, maxSize: 16 * MEBIBYTE };
/** Addresses as clients spell them, each of at most 2,048 characters. */
const SPELLINGS = { maxSize: 4 * MEBIBYTE };
/** A character of a text takes at most two bytes. */
const CHARACTER_BYTES = 2;
/** Memory for an entry itself, without its texts. */
const ENTRY_BYTES = 1_536;
const SPELLING_BYTES = 512;
/** Data that can be judged again are kept as objects. They take more memory than their JSON text, about this factor. */
const OBJECTS_WEIGHT = 4;

/**
 * The newest answer to each address under the current revision of the allowlist. An answer serves twice: until it expires as the answer itself, and later
 * as the last good answer while the store cannot be read. If they take too much memory, the least recently requested one is dropped first.
 */
export class AnswerCache {
  readonly #lists = new LRUCache<string, KeptAnswer>({ ...LISTS, sizeCalculation: sizeOf });
  readonly #apart = new LRUCache<string, KeptAnswer>({ ...APART, sizeCalculation: sizeOf });
  readonly #spellings = new LRUCache<string, Address>(SPELLINGS);
  #revision: string | null = null;

  /** @param reuses whether answers are sent again before they expire */
  constructor(
    private readonly clock: Clock,
    private readonly reuses = true,
  ) {}

  get bytes(): number {
    return this.#lists.calculatedSize + this.#apart.calculatedSize;
  }

  get count(): number {
    return this.#lists.size + this.#apart.size;
  }

  addressOf(spelling: string): Address | null {
    return this.#spellings.get(spelling) ?? null;
  }

  spelt(spelling: string, address: Address): void {
    if (!this.reuses) return;
    this.#spellings.set(spelling, address, { size: SPELLING_BYTES + CHARACTER_BYTES * (spelling.length + address.target.length) });
  }

  /**
   * Does nothing if there is a newer answer.
   *
   * @param revision of the allowlist under which it was made; `null`: without a readable one
   * @param isOutdated whether something was written since it was begun, so that it serves only as the last good answer
   */
  keep(address: Address, revision: string | null, made: MadeAnswer, isOutdated = false): void {
    this.#forgetOthers(revision);
    const [space, key] = [this.#spaceOf(address), keyOf(address, revision)];
    const known = space.peek(key);
    // A slow computation may end after one that began later. The time of day may be set back.
    if (known !== undefined && known.madeAt > made.madeAt && known.madeAt <= this.clock.now()) return;
    const kept: KeptAnswer = { ...made, isOutdated };
    space.set(key, kept);
    kept.answer.onGrowth = () => {
      if (space.peek(key) !== kept) return;
      // The size of a value that stays the same is not read again.
      space.delete(key);
      space.set(key, kept);
    };
  }

  current(address: Address, revision: string | null): KeptAnswer | null {
    if (!this.reuses) return null;
    const kept = this.#find(address, revision);
    const now = this.clock.now();
    // The time of day may be set back.
    return kept === null || kept.isOutdated || now < kept.madeAt || now >= kept.expiresAt ? null : kept;
  }

  /** The newest answer, expired or not, if it is at most `maxAgeMs` old. */
  lastGood(address: Address, revision: string | null, maxAgeMs: number): KeptAnswer | null {
    const kept = this.#find(address, revision);
    return kept === null || this.clock.now() - kept.madeAt > maxAgeMs ? null : kept;
  }

  forget(address: Address, revision: string | null): void {
    this.#spaceOf(address).delete(keyOf(address, revision));
  }

  outdate(isConcerned: (topics: Topics) => boolean): void {
    for (const space of [this.#lists, this.#apart])
      for (const kept of space.values()) if (!kept.isOutdated && isConcerned(kept.topics)) kept.isOutdated = true;
  }

  #find(address: Address, revision: string | null): KeptAnswer | null {
    this.#forgetOthers(revision);
    return this.#spaceOf(address).get(keyOf(address, revision)) ?? null;
  }

  #spaceOf({ isKeptApart }: Address): LRUCache<string, KeptAnswer> {
    return isKeptApart ? this.#apart : this.#lists;
  }

  /** Answers made under another allowlist are never sent again, also if that allowlist returns. */
  #forgetOthers(revision: string | null): void {
    if (revision === null || revision === this.#revision) return;
    if (this.#revision !== null) {
      this.#lists.clear();
      this.#apart.clear();
    }
    this.#revision = revision;
  }
}

function sizeOf({ answer, again }: KeptAnswer, key: string): number {
  const objects = again === undefined ? 0 : OBJECTS_WEIGHT * answer.body.length;
  return ENTRY_BYTES + CHARACTER_BYTES * key.length + answer.bytes + objects;
}

/** The key is the target itself: a new text would have to be hashed for each request. Answers that were made without a readable allowlist have keys of their own. */
function keyOf({ target }: Address, revision: string | null): string {
  return revision === null ? `\n${target}` : target;
}
