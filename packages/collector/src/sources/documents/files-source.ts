import { createHash } from 'node:crypto';
import type { Article, Instant, Sync } from '@vitrine/core';
import type { FileLook } from '../records/records-files.js';
import { RecordsFileError } from '../records/records-file-error.js';
import type { RunReport, Source, SourceContext } from '../../running/source.js';
import { completedSync, pendingSync, type Registration } from '../../running/sync-records.js';
import { DocumentError, DocumentFileError } from './document-error.js';
import { idsOf, parseFileState, type FileState, type KnownFile } from './file-state.js';
import { putInBatches } from './document-source.js';

/** A text of a source: a file on disk or in a git repository, or the notes of a release. */
export interface SourceFile {
  /** Its stable name within the source. */
  readonly name: string;
  /** `null`: it was removed after the files were listed. */
  readonly look: (context: SourceContext) => Promise<FileLook | null>;
  /** Rejects with a `DocumentError` or a `DocumentFileError` if the file cannot be used; the records that it had before stay then. */
  readonly parse: (times: FileTimes, context: SourceContext) => Promise<ParsedFile>;
}

/** What the records of a file cannot know. */
export interface FileTimes {
  readonly now: Instant;
  /** When the record with this id was seen first. For records whose file does not say when they were published. */
  readonly firstSeen: (id: string) => Instant;
}

/** The text of a file, for parsers. */
export interface FileText extends FileTimes {
  readonly name: string;
  readonly text: string;
}

/** What a source has at one moment. */
export interface FoundFiles {
  readonly files: readonly SourceFile[];
  readonly warnings: readonly string[];
  /** Called when the run no longer reads the files. */
  readonly close?: () => Promise<void>;
}

export interface ParsedFile {
  readonly articles: readonly Article[];
  readonly warnings: readonly string[];
  /** The time at which the same file gives other records, because a part of it is published then. Default: never. */
  readonly dueAt?: Instant;
}

export interface FilesSourceOptions {
  readonly intervalMs: number;
  readonly registration: Registration;
  /** Everything that the records depend on, apart from the files. Called at each run. */
  readonly settings: () => unknown;
  /** The files of the source. Rejects if they cannot be listed; nothing is changed then. */
  readonly find: (context: SourceContext) => Promise<FoundFiles>;
}

/** All that one run finds out. */
interface Findings {
  readonly files: Record<string, KnownFile>;
  readonly articles: Article[];
  readonly warnings: string[];
}

/** A source that reads articles from files if they have changed, and removes the articles of files that are gone. */
export class FilesSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly registration: Registration;
  readonly #options: FilesSourceOptions;

  constructor(options: FilesSourceOptions) {
    const { registration, intervalMs } = options;
    this.id = `${registration.sourceType} ${registration.label}`;
    [this.intervalMs, this.registration, this.#options] = [intervalMs, registration, options];
  }

  async run(context: SourceContext): Promise<RunReport> {
    const at = context.clock.now();
    const sync = await context.collection.sync(this.registration.id, context);
    const before = parseFileState(sync?.repositoryRef === this.registration.repositoryRef ? sync.state : null);
    const settings = createHash('sha256').update(JSON.stringify(this.#options.settings())).digest('base64url');
    const { files, articles, warnings } = await this.#read(before, settings, context);
    const after = { settings, files };
    await this.#rememberNew(before, after, sync, context);
    const { refused, ...counts } = await putInBatches(articles, at, context);
    const removed = await this.#removeGone(before, after, context);
    await context.writer.put([completedSync(this.registration, this.intervalMs, sync, { at, state: JSON.stringify(after) })], context);
    return { ...counts, removed, warnings: [...warnings, ...refused] };
  }

  async #read(before: FileState, settings: string, context: SourceContext): Promise<Findings> {
    const found = await this.#options.find(context);
    try {
      return await this.#readAll(found, before, settings, context);
    } finally {
      await found.close?.();
    }
  }

  async #readAll(found: FoundFiles, before: FileState, settings: string, context: SourceContext): Promise<Findings> {
    const findings: Findings = { files: {}, articles: [], warnings: [...found.warnings] };
    for (const file of found.files) {
      const known = before.files[file.name];
      try {
        await this.#readFile(file, known, before.settings === settings, findings, context);
      } catch (error) {
        if (found.files.length === 1 || !isOfFile(error)) throw error;
        findings.warnings.push(error.message);
        // Without a version, the next run reads the file again.
        if (known !== undefined) findings.files[file.name] = { ...known, version: '' };
      }
    }
    return findings;
  }

  async #readFile(file: SourceFile, known: KnownFile | undefined, isSame: boolean, findings: Findings, context: SourceContext): Promise<void> {
    const { name } = file;
    const look = await file.look(context);
    if (look === null) return;
    const now = context.clock.now();
    if (known !== undefined && isSame && known.version === look.version && now < (known.dueAt ?? Infinity)) {
      findings.files[name] = known;
      return;
    }
    const firstSeen = (id: string): Instant => known?.ids[id] ?? Math.min(now, Math.max(0, Math.floor(look.modifiedAt)));
    const { articles, warnings, dueAt } = await file.parse({ now, firstSeen }, context);
    findings.articles.push(...articles);
    findings.warnings.push(...warnings);
    const ids = Object.fromEntries(articles.map(({ id }) => [id, firstSeen(id)]));
    findings.files[name] = { version: look.version, ids, ...(dueAt !== undefined && { dueAt }) };
  }

  /** Remembers new records before they are written: if the process is killed in between and the file is deleted, the next run still removes them. */
  async #rememberNew(before: FileState, after: FileState, sync: Sync | null, context: SourceContext): Promise<void> {
    const known = idsOf(before);
    if ([...idsOf(after)].every((id) => known.has(id))) return;
    const files = { ...before.files };
    for (const [name, { ids }] of Object.entries(after.files)) files[name] = { version: '', ids: { ...files[name]?.ids, ...ids } };
    const record = sync ?? pendingSync(this.registration, this.intervalMs);
    await context.writer.put([{ ...record, state: JSON.stringify({ settings: before.settings, files }) }], context);
  }

  async #removeGone(before: FileState, after: FileState, context: SourceContext): Promise<number> {
    const present = idsOf(after);
    const { repositoryRef } = this.registration;
    const gone = [...idsOf(before)].filter((id) => !present.has(id)).map((id) => ({ kind: 'article' as const, repositoryRef, id }));
    return gone.length === 0 ? 0 : context.writer.remove(gone, context);
  }
}

function isOfFile(error: unknown): error is Error {
  return error instanceof DocumentFileError || error instanceof DocumentError || error instanceof RecordsFileError;
}
