import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';
import { PathError } from '../../files/file-access.js';
import { type ApprovedRepositories, isRepositoryRef, NO_REPOSITORY, type RepositoryRef, SYNCED_KINDS } from '@vitrine/core';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { Registration, RunReport, SourceContext } from '../../running/source.js';
import { importRecords, type ImportReport } from './import-records.js';
import { missingRepository, withoutRecord } from './stored-repositories.js';
import { entriesOf, lookAt, onDisk } from '../documents/disk-files.js';
import type { FileLook } from '../documents/files-source.js';

export interface RecordsSourceOptions {
  /** A file, or a folder whose `*.ndjson` files are imported in the order of their names. */
  readonly path: string;
  /** Called at each run, because the allowlist can change. */
  readonly approved: () => ApprovedRepositories;
  readonly intervalMs: number;
}

const stateSchema = z.object({
  /** A hash of the approved refs with which the files were read. */
  allowlist: z.string(),
  /** The version of each file that was imported without a problem. */
  files: z.record(z.string(), z.string()),
  feeds: z.array(z.enum(SYNCED_KINDS)),
  /** The repositories of each file whose own record is missing. Another file or source may bring it. */
  missing: z.record(z.string(), z.array(z.custom<RepositoryRef>(isRepositoryRef)).readonly()).default({}),
});

type WatchState = z.output<typeof stateSchema>;

/** An invalid state counts as empty: everything is imported again, which does not change records that are already stored. */
const NOTHING: WatchState = { allowlist: '', files: {}, feeds: [], missing: {} };

const MOST_WARNINGS = 100;
const HASH_LENGTH = 12;

/**
 * Imports records files again whenever they or the allowlist change. If a line is removed from a file, its record stays until a line deletes it. If a file of a folder cannot be
 * read, its remembered state stays, and each run tries it again. All other files are imported.
 */
export class RecordsSource extends RegisteredSource {
  readonly #path: string;
  readonly #approved: () => ApprovedRepositories;
  /** Files with problems, as they were read last. Only this process remembers them: the next one reads and reports them again, because it may know more fields. */
  #faulty: ReadonlyMap<string, FaultyFile> = new Map();

  constructor({ path, approved, intervalMs }: RecordsSourceOptions) {
    super(`records ${path}`, intervalMs, registrationOf(path));
    [this.#path, this.#approved] = [path, approved];
  }

  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    const approved = this.#approved();
    const allowlist = hash('sha256', approved.refs.join('\n'), 'hex');
    const sync = await this.syncIn(context);
    const remembered = parseState(stateSchema, sync?.state) ?? NOTHING;
    // With another allowlist, the same lines can have other refs and other kinds can be approved. So everything is imported again.
    const isSame = remembered.allowlist === allowlist;
    const before = isSame ? remembered : NOTHING;
    if (!isSame) this.#faulty = new Map();
    const { files, missing, reports, warnings } = await this.#takeAll(before, approved, context);
    for (const ref of await withoutRecord(new Set(Object.values(missing).flat()), context.collection, context)) warnings.add(missingRepository(ref));
    const feeds = SYNCED_KINDS.filter((kind) => before.feeds.includes(kind) || reports.some(({ kinds }) => kinds.has(kind)));
    const state = JSON.stringify({ allowlist, files, feeds, missing });
    await this.complete(sync, { at: startedAt, feeds, state }, context);
    return { ...totalOf(reports), warnings: warnings.lines };
  }

  async #takeAll(before: WatchState, approved: ApprovedRepositories, context: SourceContext) {
    const files: Record<string, string> = {};
    const missing: [path: string, repositories: readonly RepositoryRef[]][] = [];
    const reports: ImportReport[] = [];
    const faulty = new Map<string, FaultyFile>();
    const warnings = new Warnings();
    for (const file of await filesOf(this.#path, context.signal)) {
      const { version, report, own, without, failure } = await this.#take(file, before, approved, context);
      if (report !== null) reports.push(report);
      if (failure !== null) warnings.add(failure);
      if (version === undefined) continue;
      missing.push([file.path, without]);
      if (own.isEmpty) files[file.path] = version;
      else faulty.set(file.path, { version, warnings: own });
      warnings.addAll(own);
    }
    this.#faulty = faulty;
    return { files, missing: Object.fromEntries(missing.filter(([, refs]) => refs.length > 0)), reports, warnings };
  }

  /** Imports a file if it has changed. Returns the warnings about a file that has not changed, too. */
  async #take(file: RecordsFile, before: WatchState, approved: ApprovedRepositories, context: SourceContext) {
    const unread = this.#unread(file.path, before);
    try {
      // The metadata is read before the content, so that a change during the import is imported by the next run.
      const look = await lookAtOne(file, context);
      if (look === null) return { ...unread, version: undefined };
      if (look.version === unread.version) return unread;
      const own = new Warnings();
      const report = await this.#import(file.path, look, approved, context, own);
      return { version: look.version, report, own, without: report.missingRepositories, failure: null };
    } catch (error) {
      if (!(error instanceof PathError) || !file.isOneOfMany) throw error;
      return { ...unread, failure: error.message };
    }
  }

  #unread(path: string, { files, missing }: WatchState) {
    const { version, warnings: own } = this.#faulty.get(path) ?? { version: undefined, warnings: new Warnings() };
    return { version: files[path] ?? version, report: null, own, without: missing[path] ?? [], failure: null };
  }

  #import(file: string, { modifiedAt }: FileLook, approved: ApprovedRepositories, context: SourceContext, warnings: Warnings): Promise<ImportReport> {
    const { writer, collection, signal, clock } = context;
    // The modification time of the file, so that to import it again after a crash changes nothing.
    const now = Math.min(clock.now(), Math.max(0, Math.floor(modifiedAt)));
    return importRecords({
      ...{ file, writer, collection, signal, approved, growing: true, keepsConfigurations: true },
      clock: { now: () => now },
      // The allowlist can change while a long file is read.
      admits: (scope) => this.#approved().admits(scope),
      onProblem: (problem) => warnings.add(problem),
      onProgress: (lines) => context.progress(lines, 'lines'),
    });
  }
}

interface RecordsFile {
  readonly path: string;
  /** Whether it is part of a folder, in which an unreadable file must not stop the others. */
  readonly isOneOfMany: boolean;
  readonly isLink: boolean;
}

/** The file at a path, or the `*.ndjson` files of the folder at that path, sorted by name. Rejects with a `PathError` if it cannot be read. */
export async function filesOf(path: string, signal: AbortSignal): Promise<readonly RecordsFile[]> {
  const isFolder = await onDisk(path, signal, async () => (await stat(path)).isDirectory());
  if (!isFolder) return [{ path, isOneOfMany: false, isLink: false }];
  const named = (await entriesOf(path, signal)).filter((entry) => !entry.isDirectory() && entry.name.endsWith('.ndjson'));
  const files = named.map((entry) => ({ path: join(path, entry.name), isOneOfMany: true, isLink: entry.isSymbolicLink() }));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const DANGLING = 'is a link to a file that does not exist; remove the link, or write that file';

/** `null` if the file was removed after its folder was read. */
async function lookAtOne({ path, isOneOfMany, isLink }: RecordsFile, context: SourceContext): Promise<FileLook | null> {
  try {
    return await lookAt(path, context);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT' || !isOneOfMany) throw error;
    if (isLink) throw new PathError(path, DANGLING);
    return null;
  }
}

/** Only a hash of the path is published. */
function registrationOf(path: string): Registration {
  const short = hash('sha256', path, 'hex').slice(0, HASH_LENGTH);
  return { id: `records:${short}`, sourceType: 'records', label: 'records', repositoryRef: NO_REPOSITORY, feeds: SYNCED_KINDS };
}

function totalOf(reports: readonly ImportReport[]): Omit<RunReport, 'warnings'> {
  const sum = (pick: (report: ImportReport) => number) => reports.reduce((total, report) => total + pick(report), 0);
  return {
    stored: sum((report) => report.stored),
    unchanged: sum((report) => report.unchanged),
    removed: sum((report) => report.removed),
    skipped: sum((report) => report.skipped),
  };
}

interface FaultyFile {
  readonly version: string;
  readonly warnings: Warnings;
}

/** The first warnings, and the number of further ones: a file with many problems must not fill the log. */
class Warnings {
  readonly #first: string[] = [];
  #more = 0;

  add(warning: string): void {
    if (this.#first.length < MOST_WARNINGS) this.#first.push(warning);
    else this.#more++;
  }

  addAll(others: Warnings): void {
    for (const warning of others.#first) this.add(warning);
    this.#more += others.#more;
  }

  get isEmpty(): boolean {
    return this.#first.length === 0;
  }

  get lines(): readonly string[] {
    return this.#more > 0 ? [...this.#first, `… and ${String(this.#more)} more`] : this.#first;
  }
}
