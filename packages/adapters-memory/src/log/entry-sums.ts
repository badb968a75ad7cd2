import { crc32 } from 'node:zlib';

/** The checksum that a key will have; `null` when its entry goes. */
export interface SumChange {
  readonly key: string;
  readonly checksum: number | null;
}

/** How many entries a log holds, and the sum of their checksums. */
export interface EntryTotals {
  readonly entries: number;
  readonly sum: number;
}

/** 2^40 keeps the sum an exact integer, and no realistic set of lost entries sums up to a multiple of it. */
const MODULUS = 2 ** 40;

/** The checksum of an entry covers its key too, so that a value that stands under another key is noticed. */
export function checksumOf(key: string, value: Uint8Array): number {
  return crc32(value, crc32(key));
}

/** Knows the checksum of every entry, so that the totals after a change cost no read. */
export class EntrySums {
  readonly #checksums = new Map<string, number>();
  #sum = 0;

  get totals(): EntryTotals {
    return { entries: this.#checksums.size, sum: this.#sum };
  }

  set({ key, checksum }: SumChange): void {
    this.#sum = modulo(this.#sum - (this.#checksums.get(key) ?? 0) + (checksum ?? 0));
    if (checksum === null) this.#checksums.delete(key);
    else this.#checksums.set(key, checksum);
  }

  /** What the totals will be when the changes, each of a key of its own, are made. */
  after(changes: readonly SumChange[]): EntryTotals {
    let { entries, sum } = this.totals;
    for (const { key, checksum } of changes) {
      const before = this.#checksums.get(key);
      entries += Number(checksum !== null) - Number(before !== undefined);
      sum = modulo(sum - (before ?? 0) + (checksum ?? 0));
    }
    return { entries, sum };
  }
}

function modulo(sum: number): number {
  return ((sum % MODULUS) + MODULUS) % MODULUS;
}
