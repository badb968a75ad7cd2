import { type DayTally, type PlainRecord } from '@vitrine/core';

/** Texts that many records share, such as a ref or an author. */
const MAX_SHARED = 20_000;
const MAX_SHARED_LENGTH = 128;

export function encodeTally(tally: DayTally): Uint8Array {
  return Buffer.from(JSON.stringify(tally));
}

/** A record as the log keeps it, and as it is when it is read back. */
interface KeptRecord {
  readonly value: Uint8Array;
  readonly copy: PlainRecord;
}

/** Encodes and decodes what the log keeps, with one copy of each text that many records share. */
export class RecordDecoder {
  readonly #shared = new Map<string, string>();

  record(value: Uint8Array): PlainRecord {
    return this.#record(textOf(value));
  }

  /** Encodes a record, and decodes it from the text at hand. */
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
