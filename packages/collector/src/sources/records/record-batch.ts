import {
  compareSources,
  type Instant,
  type RecordIdentity,
  type RecordWriter,
  type RefusedRecord,
  type StoredRecord,
  nameOfRef,
  NO_REPOSITORY,
  type CollectionReader,
  type ReadContext,
  type RepositoryRef,
} from '@vitrine/core';
import type { LineDefaults } from './line-reader.js';
import type { FileLine } from './read-lines.js';
import { wrappedWriter } from '../../running/vouching.js';

/** A store may copy the records to another thread at once: with 2,000 of them, this held the event loop for more than 20 ms. */
const MOST_RECORDS = 1_000;
/** The maximum number of characters of all lines in a batch, for batches of a few long records. */
const MOST_TEXT = 4 * 1_024 * 1_024;

/** The content of a line: a record, a deletion, defaults for other lines, or problems. */
export type DecodedLine =
  | {
      readonly type: 'record';
      readonly record: StoredRecord;
      /** The source that says so. */
      readonly vouchedBy?: string;
    }
  /** `ofAnyRef`: the line has only the name of the repository, so the record is deleted under every ref with this name. */
  | { readonly type: 'deletion'; readonly identity: RecordIdentity; readonly ofAnyRef: boolean }
  | { readonly type: 'defaults'; readonly defaults: LineDefaults }
  | { readonly type: 'bad'; readonly problems: readonly string[] };

export type Change = Extract<DecodedLine, { type: 'record' | 'deletion' }>;

interface VouchedLine {
  readonly record: StoredRecord;
  /** The source that says so; `null` for none. */
  readonly source: string | null;
  readonly line: number;
}

export interface Refused {
  readonly line: number;
  readonly message: string;
}

/**
 * Collects lines for few calls of the writer, and keeps the order of records and deletions. While one call runs, the next lines are
 * collected.
 */
export class RecordBatch {
  readonly #writer: RecordWriter;
  readonly #signal: AbortSignal;
  readonly #filledAt: Instant;
  #records: VouchedLine[] = [];
  #identities: RecordIdentity[] = [];
  #size = 0;
  #stored = 0;
  #unchanged = 0;
  #removed = 0;
  #notFound = 0;
  #writing: Promise<readonly Refused[]> = Promise.resolve([]);

  /** @param filledAt the time for records whose lines leave out a time */
  constructor(writer: RecordWriter, signal: AbortSignal, filledAt: Instant) {
    this.#writer = writer;
    this.#signal = signal;
    this.#filledAt = filledAt;
  }

  get totals() {
    return { stored: this.#stored, unchanged: this.#unchanged, removed: this.#removed, notFound: this.#notFound };
  }

  /** Whether the collected lines must be written before a line of this type is added. */
  mustFlushBefore(type: 'record' | 'deletion'): boolean {
    const isOther = type === 'record' ? this.#identities.length > 0 : this.#records.length > 0;
    return isOther || this.#records.length + this.#identities.length >= MOST_RECORDS || this.#size >= MOST_TEXT;
  }

  add(decoded: Change, line: FileLine): void {
    this.#size += line.text?.length ?? 0;
    if (decoded.type === 'record') this.#records.push({ record: decoded.record, source: decoded.vouchedBy ?? null, line: line.number });
    else this.#identities.push(decoded.identity);
  }

  /** Waits for the previous write, and then starts to write the collected lines. Resolves with the lines that the store rejected in the previous write. */
  async flush(): Promise<readonly Refused[]> {
    const refusedBefore = await this.#writing;
    this.#writing = this.#write(this.#records, this.#identities);
    // The error is reported by the next await.
    this.#writing.catch(() => undefined);
    [this.#records, this.#identities, this.#size] = [[], [], 0];
    return refusedBefore;
  }

  /** Writes the rest. Resolves with the lines that the store has rejected since the last flush. */
  async finish(): Promise<readonly Refused[]> {
    const refusedBefore = await this.flush();
    return [...refusedBefore, ...(await this.#writing)];
  }

  async #write(records: readonly VouchedLine[], identities: readonly RecordIdentity[]): Promise<readonly Refused[]> {
    if (identities.length > 0) {
      const removed = await this.#writer.remove(identities, { signal: this.#signal });
      this.#removed += removed;
      this.#notFound += identities.length - removed;
    }
    const refused: Refused[] = [];
    const sources = [...new Set(records.map(({ source }) => source))].sort((a, b) => compareSources(a ?? '', b ?? ''));
    for (const source of sources) {
      const said = sources.length === 1 ? records : records.filter((one) => one.source === source);
      refused.push(...(await this.#put(said, source)));
    }
    return refused;
  }

  async #put(said: readonly VouchedLine[], source: string | null): Promise<readonly Refused[]> {
    const report = await this.#writer.put(
      said.map(({ record }) => record),
      { signal: this.#signal, filledAt: this.#filledAt, source },
    );
    this.#stored += report.stored;
    this.#unchanged += report.unchanged;
    return report.refused.map(({ index, reason }) => ({ line: said[index]?.line ?? 0, message: refusalMessage(reason) }));
  }
}

const MESSAGES: Readonly<Record<RefusedRecord['reason'], string>> = {
  'frozen-day': 'checkedAt: lies on a day that is older than the retention, so its counts are final; leave the check out',
  'open-day':
    'date: lies within the retention, where counts come from the checks; write the checks instead. If a shorter retention has deleted them, import with that retention, and raise it then',
  'unknown-commit': 'no source has stored this commit, and a forge alone does not; collect its repository with git first',
  'email-in-identifier': 'the line holds an e-mail address in an id, a tag name or a URL, where it cannot be cut out; remove it there',
  'invalid-time': 'a time of the line is no whole millisecond of the years 0000 to 9999; correct it',
  'foreign-id': 'id: names another repository than the record has; write an id of its own repository',
};

/** The reason why the store rejects a record, and how to fix it. */
export function refusalMessage(reason: RefusedRecord['reason']): string {
  return MESSAGES[reason];
}

/**
 * A writer that removes the given identities under every ref with which the repository is stored: with the forge id, with another id, or without one.
 * Each identity counts as one, however many records were removed for it. The refs are read from the store only once, when such an identity is removed.
 */
export function everyRefWriter(writer: RecordWriter, collection: CollectionReader, ofAnyRef: WeakSet<RecordIdentity>): RecordWriter {
  let refs: Promise<ReadonlyMap<string, ReadonlySet<RepositoryRef>>> | undefined;
  const remove: RecordWriter['remove'] = async (identities, context) => {
    if (identities.some((identity) => ofAnyRef.has(identity))) refs ??= storedRefs(collection, context);
    const known = await refs;
    const variants = identities.map((identity) => (known !== undefined && ofAnyRef.has(identity) ? variantsOf(identity, known) : [identity]));
    let removed = await writer.remove(
      variants.flatMap((one) => (one.length === 1 ? one : [])),
      context,
    );
    // Few repositories have more than one ref. For those, each identity needs its own call, which returns whether anything was removed.
    for (const several of variants) if (several.length > 1 && (await writer.remove(several, context)) > 0) removed++;
    return removed;
  };
  return { ...wrappedWriter(writer), remove };
}

function variantsOf(identity: RecordIdentity, refs: ReadonlyMap<string, ReadonlySet<RepositoryRef>>): readonly RecordIdentity[] {
  if (!('repositoryRef' in identity) || identity.repositoryRef === NO_REPOSITORY) return [identity];
  const stored = [...(refs.get(nameOfRef(identity.repositoryRef)) ?? [])];
  // Records that the same import stored after the refs were read have the ref of the allowlist.
  const all = stored.includes(identity.repositoryRef) ? stored : [...stored, identity.repositoryRef];
  return all.map((repositoryRef) => ({ ...identity, repositoryRef }));
}

/** All refs of stored records, by repository name. */
async function storedRefs(collection: CollectionReader, context: ReadContext): Promise<ReadonlyMap<string, ReadonlySet<RepositoryRef>>> {
  const refs = new Map<string, Set<RepositoryRef>>();
  for await (const record of collection.records(context)) {
    // Checks and their counts come last, and belong to no repository.
    if (record.kind === 'check' || record.kind === 'status-day') break;
    if (!('repositoryRef' in record) || record.repositoryRef === NO_REPOSITORY) continue;
    const name = nameOfRef(record.repositoryRef);
    const known = refs.get(name);
    if (known === undefined) refs.set(name, new Set([record.repositoryRef]));
    else known.add(record.repositoryRef);
  }
  return refs;
}
