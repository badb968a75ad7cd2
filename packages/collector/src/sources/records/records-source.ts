import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';
import { PathError } from '../../files/file-access.js';
import { type ApprovedRepositories, isRepositoryRef, NO_REPOSITORY, type RepositoryRef, SYNCED_KINDS } from '@vitrine/core';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
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
  allowlist: z.string(),
  files: z.record(z.string(), z.string()),
  feeds: z.array(z.enum(SYNCED_KINDS)),
  /** The repositories of each file whose own record is missing. Another file or source may bring it. */
  missing: z.record(z.string(), z.array(z.custom<RepositoryRef>(isRepositoryRef)).readonly()).default({}),
});

type WatchState = z.output<typeof stateSchema>;

/** An invalid state counts as empty: everything is imported again, which does not change records that are already stored. */
const NOTHING: WatchState = { allowlist: '', files: {}, feeds: [], missing: {} };

const MOST_WARNINGS = 100;

/** What was reported about a file as it was read last: the first lines, and the number of all. */
interface Problems {
  readonly lines: readonly string[];
  readonly count: number;
}

interface Taken extends Problems {
  readonly path: string;
  /** `undefined`: the file is gone, or it could not be read and was not read before. */
  readonly version: string | undefined;
  readonly missing: readonly RepositoryRef[];
  readonly report: ImportReport | null;
  readonly failure?: string;
}

/**
 * Imports records files again whenever they or the allowlist change. If a line is removed from a file, its record stays until a line deletes it. If a file of a folder cannot be
 * read, its remembered state stays, and each run tries it again. All other files are imported.
 */
export class RecordsSource extends RegisteredSource {
  readonly #path: string;
  readonly #approved: () => ApprovedRepositories;
  /** Files with problems. Only this process remembers them: the next one reads and reports them again, because it may know more fields. */
  #faulty: ReadonlyMap<string, Problems & { readonly version: string }> = new Map();

  constructor({ path, approved, intervalMs }: RecordsSourceOptions) {
    // Only a hash of the path is published.
    const id = `records:${hash('sha256', path, 'hex').slice(0, 12)}`;
    super(`records ${path}`, intervalMs, { id, sourceType: 'records', label: 'records', repositoryRef: NO_REPOSITORY, feeds: SYNCED_KINDS });
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
    const all: Taken[] = [];
    for (const file of await filesOf(this.#path, context.signal)) all.push(await this.#take(file, before, approved, context));
    const known = all.flatMap(({ version, ...file }) => (version === undefined ? [] : { ...file, version }));
    const files = Object.fromEntries(known.filter(({ count }) => count === 0).map(({ path, version }) => [path, version]));
    const missing = Object.fromEntries(known.filter((file) => file.missing.length > 0).map((file) => [file.path, file.missing]));
    const reports = all.flatMap(({ report }) => report ?? []);
    const feeds = SYNCED_KINDS.filter((kind) => before.feeds.includes(kind) || reports.some(({ kinds }) => kinds.has(kind)));
    const unknown = await withoutRecord(new Set(Object.values(missing).flat()), context.collection, context);
    await this.complete(sync, { at: startedAt, feeds, state: JSON.stringify({ allowlist, files, feeds, missing }) }, context);
    // Only now: a run that could not be completed is repeated as a whole.
    const faulty = known.filter(({ count }) => count > 0);
    this.#faulty = new Map(faulty.map(({ path, version, lines, count }) => [path, { version, lines, count }]));
    return { ...totalOf(reports), warnings: warningsOf(all, unknown) };
  }

  async #take(file: RecordsFile, { files, missing }: WatchState, approved: ApprovedRepositories, context: SourceContext): Promise<Taken> {
    const { path } = file;
    const { version, lines, count } = this.#faulty.get(path) ?? { version: files[path], lines: [], count: 0 };
    const unread: Taken = { path, version, lines, count, missing: missing[path] ?? [], report: null };
    try {
      // The metadata is read before the content, so that a change during the import is imported by the next run.
      const look = await lookAtOne(file, context);
      if (look === null) return { ...unread, version: undefined, lines: [], count: 0 };
      return look.version === version ? unread : await this.#import(path, look, approved, context);
    } catch (error) {
      if (!(error instanceof PathError) || !file.isOneOfMany) throw error;
      return { ...unread, failure: error.message };
    }
  }

  async #import(path: string, { version, modifiedAt }: FileLook, approved: ApprovedRepositories, context: SourceContext): Promise<Taken> {
    const { writer, collection, signal, clock } = context;
    const lines: string[] = [];
    // The modification time of the file, so that to import it again after a crash changes nothing.
    const now = Math.min(clock.now(), Math.max(0, Math.floor(modifiedAt)));
    const report = await importRecords({
      ...{ file: path, writer, collection, signal, approved, growing: true, keepsConfigurations: true },
      clock: { now: () => now },
      // The allowlist can change while a long file is read.
      admits: (scope) => this.#approved().admits(scope),
      onProblem: (problem) => void (lines.length < MOST_WARNINGS && lines.push(problem)),
      onProgress: (done) => context.progress(done, 'lines'),
    });
    return { path, version, lines, count: report.problems, missing: report.missingRepositories, report };
  }
}

function warningsOf(files: readonly Taken[], unknown: readonly RepositoryRef[]): readonly string[] {
  const own = files.flatMap(({ failure, lines }) => [...(failure === undefined ? [] : [failure]), ...lines]);
  const all = [...own, ...unknown.map(missingRepository)];
  const hidden = files.reduce((sum, { lines, count }) => sum + count - lines.length, Math.max(0, all.length - MOST_WARNINGS));
  return hidden === 0 ? all : [...all.slice(0, MOST_WARNINGS), `… and ${String(hidden)} more`];
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

async function lookAtOne({ path, isOneOfMany, isLink }: RecordsFile, context: SourceContext): Promise<FileLook | null> {
  try {
    return await lookAt(path, context);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT' || !isOneOfMany) throw error;
    if (isLink) throw new PathError(path, DANGLING);
    return null;
  }
}

function totalOf(reports: readonly ImportReport[]): Omit<RunReport, 'warnings'> {
  const sum = (count: 'stored' | 'unchanged' | 'removed' | 'skipped') => reports.reduce((total, report) => total + report[count], 0);
  return { stored: sum('stored'), unchanged: sum('unchanged'), removed: sum('removed'), skipped: sum('skipped') };
}
