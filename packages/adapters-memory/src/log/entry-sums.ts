import { crc32 } from 'node:zlib';

/** The new checksum of a key; `null` if its entry is removed. */
export interface SumChange {
  readonly key: string;
  readonly checksum: number | null;
}

/** The number of entries in a log, and the sum of their checksums. */
export interface EntryTotals {
  readonly entries: number;
  readonly sum: number;
}

/** With 2^40 the sum stays an exact integer, and no realistic set of lost entries has a sum that is a multiple of it. */
const MODULUS = 2 ** 40;

/** The checksum of an entry includes its key, so that a value under a wrong key is noticed. */
export function checksumOf(key: string, value: Uint8Array): number {
  return crc32(value, crc32(key));
}

/** Keeps the checksum of every entry in memory, so that new totals need no read. */
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

  /** The totals after these changes. Each key may occur only once. */
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
