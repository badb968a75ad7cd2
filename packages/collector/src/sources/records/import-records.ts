import type { Readable } from 'node:stream';
import { assertOptions, CLOCK, FLAG, FUNCTION, NO_REPOSITORY, OBJECT, PERMISSION, repositoryRefOf, required, SIGNAL, TEXT } from '@vitrine/core';
import type {
  ApprovedRepositories,
  Clock,
  CollectionReader,
  RecordIdentity,
  RecordKind,
  RecordWriter,
  RepositoryRef,
  RulesOf,
  ScopeRef,
  StoredRecord,
} from '@vitrine/core';
import { shownPath } from '../../files/file-access.js';
import { COLLECTION, WRITER } from '../../running/vouching.js';
import type { DecodeLine } from './decode-line.js';
import type { LineContext } from './described-line.js';
import { type Change, type DecodedLine, RecordBatch } from './record-batch.js';
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
  /** Without it, a deletion by name uses only the ref from the allowlist, and no repository is reported as missing. */
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
  approved: required(PERMISSION),
  admits: FUNCTION,
  writer: required(WRITER),
  collection: COLLECTION,
  clock: required(CLOCK),
  signal: required(SIGNAL),
  strict: FLAG,
  growing: FLAG,
  keepsConfigurations: FLAG,
  onProblem: required(FUNCTION),
  onProgress: FUNCTION,
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
    const check = await new Import(options, decodeLine, true).run();
    if (check.problems > 0) return check;
  }
  return new Import(options, decodeLine, false).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #decodeLine: DecodeLine;
  readonly #isCheck: boolean;
  readonly #file: string;
  /** Nothing is added to it by a check. */
  readonly #batch: RecordBatch;
  #context: LineContext;
  readonly #kinds = new Set<RecordKind>();
  readonly #repositories = new Set<RepositoryRef>();
  #lines = 0;
  #skipped = 0;
  #problems = 0;

  constructor(options: ImportOptions, decodeLine: DecodeLine, isCheck: boolean) {
    const { file, approved, clock } = options;
    const now = clock.now();
    [this.#options, this.#decodeLine, this.#isCheck, this.#file] = [options, decodeLine, isCheck, shownPath(file)];
    this.#batch = new RecordBatch(options, now);
    this.#context = { now, refOf: (name) => approved.refOf(name.fullName) ?? repositoryRefOf(name, null) };
  }

  async run(): Promise<ImportReport> {
    const { file, input, signal, collection, onProgress } = this.#options;
    for await (const lines of input === undefined ? fileLines(file, signal) : inputLines(file, input, signal)) {
      for (const line of lines) {
        const decoded = this.#decoded(line);
        // Awaited only if necessary, because a file has many lines.
        if (isChange(decoded) && this.#batch.mustFlushBefore(decoded.type)) this.#refuse(await this.#batch.flush());
        this.#take(line, decoded);
      }
      onProgress?.(this.#lines);
    }
    this.#refuse(await this.#batch.finish());
    const missingRepositories = collection === undefined ? [] : await withoutRecord(this.#repositories, collection, { signal });
    const counts = { lines: this.#lines, ...this.#batch.totals, skipped: this.#skipped, problems: this.#problems };
    return { ...counts, missingRepositories, kinds: this.#kinds };
  }

  #decoded({ text, problem }: FileLine): DecodedLine {
    return problem === null ? this.#decodeLine(text, this.#context) : { type: 'bad', problems: [problem] };
  }

  #take(line: FileLine, decoded: DecodedLine): void {
    if (decoded.type === 'bad' && this.#options.growing === true && isUnfinished(line)) return;
    this.#lines++;
    if (isChange(decoded)) this.#takeChange(line, decoded);
    else if (decoded.type === 'bad') for (const problem of decoded.problems) this.#report(line.number, problem);
    else if (this.#lines > 1) this.#report(line.number, 'kind: defaults holds for the whole file; write it on the first line');
    else this.#context = { ...this.#context, defaults: decoded.defaults };
  }

  #takeChange(line: FileLine, change: Change): void {
    const subject = change.type === 'record' ? change.record : change.identity;
    const isPublic = this.#isPublic(subject);
    // Deletions are always applied: records that were stored while their repository was approved must not stay forever.
    if (change.type === 'record' && !isPublic) this.#skipped++;
    else if (this.#options.keepsConfigurations === true && isConfiguration(subject))
      this.#report(line.number, 'the line is about the configuration of a collector, which only the collector may change; remove the line');
    else {
      if (isPublic) this.#kinds.add(subject.kind);
      if (!this.#isCheck) this.#add(change, line);
    }
  }

  #add(change: Change, line: FileLine): void {
    if (change.type === 'record' && isLinked(change.record)) this.#repositories.add(change.record.repositoryRef);
    this.#batch.add(change, line);
  }

  #isPublic(record: StoredRecord | RecordIdentity): boolean {
    if (!('repositoryRef' in record)) return true;
    const { approved, admits = (scope) => approved.admits(scope) } = this.#options;
    return admits(record.repositoryRef);
  }

  #refuse(refusals: Awaited<ReturnType<RecordBatch['flush']>>): void {
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

function isConfiguration(record: StoredRecord | RecordIdentity): boolean {
  return record.kind === 'sync' && record.id.startsWith('configuration:');
}

/** Responses link to the records of a repository, but not to its sync records. */
function isLinked(record: StoredRecord): record is StoredRecord & { readonly repositoryRef: RepositoryRef } {
  return record.kind !== 'sync' && 'repositoryRef' in record && record.repositoryRef !== NO_REPOSITORY;
}

/** No part of a JSON object is a complete object, so an unfinished line is never mistaken for a complete one. */
function isUnfinished({ isComplete, text }: FileLine): boolean {
  return !isComplete && !isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
