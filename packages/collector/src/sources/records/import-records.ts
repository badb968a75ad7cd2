import type { Readable } from 'node:stream';
import {
  ANYTHING,
  assertOptions,
  CLOCK,
  FLAG,
  NO_REPOSITORY,
  OBJECT,
  repositoryRefOf,
  required,
  TEXT,
  type ApprovedRepositories,
  type Clock,
  type CollectionReader,
  type RecordIdentity,
  type RecordKind,
  type RecordWriter,
  type RepositoryRef,
  type RulesOf,
  type ScopeRef,
  type StoredRecord,
} from '@vitrine/core';
import { shownPath } from '../../files/file-access.js';
import { COLLECTION, WRITER } from '../../running/vouching.js';
import type { DecodeLine } from './decode-line.js';
import type { LineContext, LineDefaults } from './line-reader.js';
import { RecordBatch, type Change, type DecodedLine } from './record-batch.js';
import { type FileLine, fileLines, inputLines } from './read-lines.js';
import { withoutRecord } from './stored-repositories.js';

export interface ImportOptions {
  /** The path of the file; for an `input`, its name in messages. */
  readonly file: string;
  /** Is read instead of a file. It can be read only once, so it cannot be used with `strict`. */
  readonly input?: Readable;
  /** Maps repository names to refs. Records of other repositories are not stored, and are counted as skipped. */
  readonly approved: ApprovedRepositories;
  /** Whether records of a scope are stored at the moment. Default: according to `approved`. */
  readonly admits?: (scope: ScopeRef) => boolean;
  readonly writer: RecordWriter;
  /**
   * Provides the stored refs for deletions by name, and the stored repositories. Without it, a deletion uses only the ref from the allowlist, and no repository is
   * reported as missing.
   */
  readonly collection?: CollectionReader;
  /** Read once, for times that a line leaves out. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads the whole file first, and stores nothing if any line is invalid. */
  readonly strict?: boolean;
  /** Ignores an incomplete last line without a line end, because the file may still be written. */
  readonly growing?: boolean;
  /** Reports and skips sync records of configurations. Default: they are stored, so that an export can be restored. */
  readonly keepsConfigurations?: boolean;
  /** Called for each problem: `file:line: path: problem; remedy`. */
  readonly onProblem: (problem: string) => void;
  /** Called from time to time with the number of read lines. */
  readonly onProgress?: (lines: number) => void;
}

const OPTIONS: RulesOf<ImportOptions> = {
  file: required(TEXT),
  input: OBJECT,
  approved: required(OBJECT),
  admits: ANYTHING,
  writer: required(WRITER),
  collection: COLLECTION,
  clock: required(CLOCK),
  signal: required(OBJECT),
  strict: FLAG,
  growing: FLAG,
  keepsConfigurations: FLAG,
  onProblem: required(ANYTHING),
  onProgress: ANYTHING,
};

export interface ImportReport {
  readonly lines: number;
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Deletions of records that are not stored. */
  readonly notFound: number;
  /** Records of repositories that are not approved. */
  readonly skipped: number;
  readonly problems: number;
  /** The repositories of stored records whose own record is neither in the file nor in the store, so that links to them answer 404. */
  readonly missingRepositories: readonly RepositoryRef[];
  /** The kinds of all records that were stored or removed, of approved repositories and of none. */
  readonly kinds: ReadonlySet<RecordKind>;
}

/**
 * Stores the records of a file line by line. Memory use does not grow with the size of the file. Invalid lines are reported and skipped. Rejects if the
 * file cannot be read or the store cannot be written; import it again to complete the work. Only regular files are read. Rejects with a `TypeError` if an option is missing,
 * wrong or does not exist.
 */
export async function importRecords(options: ImportOptions): Promise<ImportReport> {
  assertOptions('importRecords', options, OPTIONS);
  if (options.input !== undefined && options.strict === true)
    throw new TypeError('importRecords: an input can be read only once, so it cannot be imported with strict. Write it to a file, and import that.');
  // This module loads the schemas of all kinds. A server without records files starts faster without it.
  const { decodeLine } = await import('./decode-line.js');
  if (options.strict === true) {
    const check = await new Import(options, decodeLine, null).run();
    if (check.problems > 0) return check;
  }
  return new Import(options, decodeLine, options.writer).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #decodeLine: DecodeLine;
  /** `null` if nothing is written. */
  readonly #batch: RecordBatch | null;
  #context: LineContext;
  readonly #file: string;
  readonly #kinds = new Set<RecordKind>();
  readonly #repositories = new Set<RepositoryRef>();
  #lines = 0;
  #skipped = 0;
  #problems = 0;

  constructor(options: ImportOptions, decodeLine: DecodeLine, writer: RecordWriter | null) {
    const { file, approved, clock, signal, collection } = options;
    const now = clock.now();
    [this.#options, this.#decodeLine, this.#file] = [options, decodeLine, shownPath(file)];
    this.#batch = writer === null ? null : new RecordBatch({ writer, collection, signal, filledAt: now });
    this.#context = { now, refOf: (name) => approved.refOf(name.fullName) ?? repositoryRefOf(name, null) };
  }

  async run(): Promise<ImportReport> {
    const { file, input, signal, onProgress } = this.#options;
    for await (const lines of input === undefined ? fileLines(file, signal) : inputLines(file, input, signal)) {
      await this.#takeAll(lines);
      onProgress?.(this.#lines);
    }
    this.#refuse(await this.#batch?.finish());
    const totals = this.#batch?.totals ?? { stored: 0, unchanged: 0, removed: 0, notFound: 0 };
    const missingRepositories = await this.#missingRepositories();
    return { lines: this.#lines, ...totals, skipped: this.#skipped, problems: this.#problems, missingRepositories, kinds: this.#kinds };
  }

  async #missingRepositories(): Promise<readonly RepositoryRef[]> {
    const { collection, signal } = this.#options;
    return this.#batch === null || collection === undefined ? [] : withoutRecord(this.#repositories, collection, { signal });
  }

  async #takeAll(lines: readonly FileLine[]): Promise<void> {
    for (const line of lines) {
      const decoded = line.text === null ? unreadable(line) : this.#decodeLine(line.text, this.#context);
      // Awaited only if necessary, because a file has many lines.
      if (isChange(decoded) && this.#batch?.mustFlushBefore(decoded.type) === true) this.#refuse(await this.#batch.flush());
      this.#take(line, decoded);
    }
  }

  #take(line: FileLine, decoded: DecodedLine): void {
    if (decoded.type === 'bad' && this.#mayBeUnfinished(line)) return;
    this.#lines++;
    if (decoded.type === 'bad') {
      for (const problem of decoded.problems) this.#report(line.number, problem);
      return;
    }
    if (decoded.type === 'defaults') {
      this.#takeDefaults(line, decoded.defaults);
      return;
    }
    // Deletions are always applied: records that were stored while their repository was approved must not stay forever.
    if (decoded.type === 'record' && !this.#isPublic(decoded.record)) this.#skipped++;
    else this.#accept(line, decoded);
  }

  #takeDefaults(line: FileLine, defaults: LineDefaults): void {
    if (this.#lines > 1) this.#report(line.number, 'kind: defaults holds for the whole file; write it on the first line');
    else this.#context = { ...this.#context, defaults };
  }

  #accept(line: FileLine, decoded: Change): void {
    const subject = decoded.type === 'record' ? decoded.record : decoded.identity;
    if (this.#mustStay(subject)) {
      this.#report(line.number, 'the line is about the configuration of a collector, which only the collector may change; remove the line');
      return;
    }
    if (decoded.type === 'record' || this.#isPublic(subject)) this.#kinds.add(subject.kind);
    if (decoded.type === 'record') this.#noteRepository(decoded.record);
    this.#batch?.add(decoded, line);
  }

  /** Responses link to the records of a repository, but not to its sync records. */
  #noteRepository(record: StoredRecord): void {
    if (record.kind !== 'sync' && 'repositoryRef' in record && record.repositoryRef !== NO_REPOSITORY) this.#repositories.add(record.repositoryRef);
  }

  #mustStay(record: StoredRecord | RecordIdentity): boolean {
    return this.#options.keepsConfigurations === true && record.kind === 'sync' && record.id.startsWith('configuration:');
  }

  #isPublic(record: StoredRecord | RecordIdentity): boolean {
    if (!('repositoryRef' in record)) return true;
    const { approved, admits = (scope) => approved.admits(scope) } = this.#options;
    return admits(record.repositoryRef);
  }

  /** No part of a JSON object is a complete object, so an unfinished line is never mistaken for a complete one. */
  #mayBeUnfinished(line: FileLine): boolean {
    return this.#options.growing === true && !line.isComplete && !isJson(line.text ?? '');
  }

  #refuse(refusals: Awaited<ReturnType<RecordBatch['flush']>> = []): void {
    for (const { line, message } of refusals) this.#report(line, message);
  }

  #report(line: number, problem: string): void {
    this.#problems++;
    this.#options.onProblem(`${this.#file}:${String(line)}: ${problem}`);
  }
}

function isChange(decoded: DecodedLine): decoded is Change {
  return decoded.type === 'record' || decoded.type === 'deletion';
}

function unreadable(line: FileLine): DecodedLine {
  const reason = line.problem === 'too long' ? 'is longer than 16 MB; write shorter records' : 'is not UTF-8; save the file as UTF-8';
  return { type: 'bad', problems: [`the line ${reason}`] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
