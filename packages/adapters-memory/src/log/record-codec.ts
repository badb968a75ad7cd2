import { type DayTally, type PlainRecord } from '@vitrine/core';

/** The maximum number of texts that records share, such as refs or authors. */
const MAX_SHARED = 20_000;
const MAX_SHARED_LENGTH = 128;

export function encodeTally(tally: DayTally): Uint8Array {
  return Buffer.from(JSON.stringify(tally));
}

/** The stored form of a record, and the record decoded from it. */
interface KeptRecord {
  readonly value: Uint8Array;
  readonly copy: PlainRecord;
}

/** Encodes and decodes stored records. Texts that many records have in common are kept only once in memory. */
export class RecordDecoder {
  readonly #shared = new Map<string, string>();

  record(value: Uint8Array): PlainRecord {
    return this.#record(textOf(value));
  }

  /** Encodes a record, and decodes the result again. */
  kept(record: PlainRecord): KeptRecord {
    const text = JSON.stringify(record);
    return { value: Buffer.from(text), copy: this.#record(text) };
  }

  #record(text: string): PlainRecord {
    const record = JSON.parse(text) as PlainRecord & Record<string, unknown>;
    for (const field of ['repositoryRef', 'authorName', 'authorLogin', 'branch']) this.#share(record, field);
    const origin: unknown = record['provenance'];
    if (typeof origin === 'object' && origin !== null) this.#share(origin as Record<string, unknown>, 'source');
    return record;
  }

  tally(value: Uint8Array): DayTally {
    return JSON.parse(textOf(value)) as DayTally;
  }

  #share(record: Record<string, unknown>, field: string): void {
    const text = record[field];
    if (typeof text !== 'string' || text.length > MAX_SHARED_LENGTH) return;
    const known = this.#shared.get(text);
    if (known !== undefined) record[field] = known;
    else if (this.#shared.size < MAX_SHARED) this.#shared.set(text, text);
  }
}

function textOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
}
