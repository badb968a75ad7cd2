import { compareSources, grouped } from '@vitrine/core';
import type { CollectionReader, Instant, RecordIdentity, RefusedRecord, StoredRecord } from '@vitrine/core';
import type { SourceContext } from '../../running/source.js';
import type { LineDefaults } from './described-line.js';
import type { FileLine } from './read-lines.js';
import { storedRefs, underEveryRef, type StoredRefs } from './stored-repositories.js';

/** A store may copy the records to another thread at once: with 2,000 of them, this held the event loop for more than 20 ms. */
const MOST_RECORDS = 1_000;
/** The maximum number of characters of all lines in a batch, for batches of a few long records. */
const MOST_TEXT = 4 * 1_024 * 1_024;

export interface LineOfRecord {
  readonly type: 'record';
  readonly record: StoredRecord;
  readonly vouchedBy?: string;
}

type Numbered = LineOfRecord & { readonly line: number };

interface LineOfDeletion {
  readonly type: 'deletion';
  readonly identity: RecordIdentity;
  /** The line has only the name of the repository, so the record is deleted under every ref with this name. */
  readonly ofAnyRef: boolean;
}

export type Change = LineOfRecord | LineOfDeletion;

/** The content of a line: a record, a deletion, defaults for other lines, or problems. */
export type DecodedLine =
  | Change
  | { readonly type: 'defaults'; readonly defaults: LineDefaults }
  | { readonly type: 'bad'; readonly problems: readonly string[] };

interface Refused {
  readonly line: number;
  readonly message: string;
}

/** Collects lines for few calls of the writer, in their order. While one call runs, the next lines are collected. */
export class RecordBatch {
  readonly totals = { stored: 0, unchanged: 0, removed: 0, notFound: 0 };
  #records: Numbered[] = [];
  #deletions: LineOfDeletion[] = [];
  #size = 0;
  /** Read only once, when a deletion by name needs them. */
  #refs: Promise<StoredRefs> | undefined;
  #writing: Promise<readonly Refused[]> = Promise.resolve([]);

  /** @param options without the collection, deletions by name remove only the ref from the allowlist @param filledAt for records whose lines leave out a time */
  constructor(
    private readonly options: Pick<SourceContext, 'writer' | 'signal'> & { readonly collection?: CollectionReader },
    private readonly filledAt: Instant,
  ) {}

  mustFlushBefore(type: Change['type']): boolean {
    const isOther = type === 'record' ? this.#deletions.length > 0 : this.#records.length > 0;
    return isOther || this.#records.length + this.#deletions.length >= MOST_RECORDS || this.#size >= MOST_TEXT;
  }

  add(change: Change, { text, number }: FileLine): void {
    this.#size += text.length;
    if (change.type === 'record') this.#records.push({ ...change, line: number });
    else this.#deletions.push(change);
  }

  /** Waits for the previous write, and then starts to write the collected lines. Resolves with the lines that the store rejected in the previous write. */
  async flush(): Promise<readonly Refused[]> {
    const refusedBefore = await this.#writing;
    this.#writing = this.#write(this.#records, this.#deletions);
    // The error is reported by the next await.
    this.#writing.catch(() => undefined);
    [this.#records, this.#deletions, this.#size] = [[], [], 0];
    return refusedBefore;
  }

  /** Writes the rest. Resolves with the lines that the store has rejected since the last flush. */
  async finish(): Promise<readonly Refused[]> {
    const refusedBefore = await this.flush();
    return [...refusedBefore, ...(await this.#writing)];
  }

  async #write(records: readonly Numbered[], deletions: readonly LineOfDeletion[]): Promise<readonly Refused[]> {
    if (deletions.length > 0) await this.#remove(deletions);
    const refused: Refused[] = [];
    const bySource = [...grouped(records, ({ vouchedBy = null }) => vouchedBy)].sort(([a], [b]) => compareSources(a ?? '', b ?? ''));
    for (const [source, said] of bySource) refused.push(...(await this.#put(said, source)));
    return refused;
  }

  async #put(said: readonly Numbered[], source: string | null): Promise<readonly Refused[]> {
    const { writer, signal } = this.options;
    const { stored, unchanged, refused } = await writer.put(
      said.map(({ record }) => record),
      { signal, filledAt: this.filledAt, source },
    );
    this.totals.stored += stored;
    this.totals.unchanged += unchanged;
    return refused.map(({ index, reason }) => ({ line: said[index]?.line ?? 0, message: REFUSALS[reason] }));
  }

  /** Each deletion counts as one, however many records were removed for it. */
  async #remove(deletions: readonly LineOfDeletion[]): Promise<void> {
    const { writer, collection, signal } = this.options;
    if (collection !== undefined && deletions.some(({ ofAnyRef }) => ofAnyRef)) this.#refs ??= storedRefs(collection, { signal });
    const refs = await this.#refs;
    const all = deletions.map(({ identity, ofAnyRef }) => (ofAnyRef && refs !== undefined ? underEveryRef(identity, refs) : [identity]));
    let removed = await writer.remove(
      all.flatMap((one) => (one.length === 1 ? one : [])),
      { signal },
    );
    // Few repositories have more than one ref. For those, each deletion needs its own call, which returns whether anything was removed.
    for (const several of all) if (several.length > 1 && (await writer.remove(several, { signal })) > 0) removed++;
    this.totals.removed += removed;
    this.totals.notFound += deletions.length - removed;
  }
}

/** Why the store rejects a record, and how to fix it. */
export const REFUSALS: Readonly<Record<RefusedRecord['reason'], string>> = {
  'frozen-day': 'checkedAt: lies on a day that is older than the retention, so its counts are final; leave the check out',
  'open-day':
    'date: lies within the retention, where counts come from the checks; write the checks instead. If a shorter retention has deleted them, import with that retention, and raise it then',
  'unknown-commit': 'no source has stored this commit, and a forge alone does not; collect its repository with git first',
  'email-in-identifier': 'the line holds an e-mail address in an id, a tag name or a URL, where it cannot be cut out; remove it there',
  'invalid-time': 'a time of the line is no whole millisecond of the years 0000 to 9999; correct it',
  'foreign-id': 'id: names another repository than the record has; write an id of its own repository',
};
