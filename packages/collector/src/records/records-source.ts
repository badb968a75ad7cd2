import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_REPOSITORY, SYNCED_KINDS, type ApprovedRepositories, type SyncedKind } from '@vitrine/core';
import type { RunReport, Source, SourceContext } from '../source.js';
import { importRecords, type ImportOptions, type ImportReport } from './import-records.js';
import { readingFailed } from './records-file-error.js';
import { parseWatchState, type WatchState } from './watch-state.js';

export interface RecordsSourceOptions {
  /** A file, or a folder whose `*.ndjson` files are taken in the order of their names. */
  readonly path: string;
  /** Asked at each run, because the allowlist can change. */
  readonly approved: () => ApprovedRepositories;
  readonly intervalMs: number;
}

const MOST_WARNINGS = 100;

/** Takes records files again whenever their size or time changes, or the allowlist does. What a file no longer holds stays, until a line deletes it. */
export class RecordsSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly #path: string;
  readonly #approved: () => ApprovedRepositories;

  constructor({ path, approved, intervalMs }: RecordsSourceOptions) {
    this.id = `records ${path}`;
    this.intervalMs = intervalMs;
    this.#path = path;
    this.#approved = approved;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const approved = this.#approved();
    const allowlist = createHash('sha256').update(approved.refs.join('\n')).digest('hex');
    const remembered = parseWatchState((await context.collection.sync(this.id, context))?.state ?? null);
    // Another allowlist gives the same lines other refs, so everything is taken again.
    const before = remembered.allowlist === allowlist ? remembered : { ...remembered, files: {} };
    const files: Record<string, string> = {};
    const feeds = new Set(before.feeds);
    const reports: ImportReport[] = [];
    const warnings = new Warnings();
    for (const file of await filesOf(this.#path)) {
      // Looked at before it is read: what is written meanwhile is taken at the next run.
      const { size, mtimeMs } = await stat(file);
      const version = `${String(size)} ${String(mtimeMs)}`;
      files[file] = version;
      if (before.files[file] === version) continue;
      // The file's own time, so that taking it again after a crash changes nothing.
      const now = Math.min(context.clock.now(), Math.max(0, Math.floor(mtimeMs)));
      const report = await this.#import({ file, approved, clock: { now: () => now } }, context, warnings);
      reports.push(report);
      for (const kind of SYNCED_KINDS) if (report.kinds.has(kind)) feeds.add(kind);
    }
    await this.#remember({ allowlist, files, feeds: [...feeds] }, context);
    return { ...totalOf(reports), warnings: warnings.lines };
  }

  #import(what: Pick<ImportOptions, 'file' | 'approved' | 'clock'>, context: SourceContext, warnings: Warnings): Promise<ImportReport> {
    return importRecords({
      ...what,
      // The list can change while a long file is read.
      admits: (scope) => this.#approved().admits(scope),
      writer: context.writer,
      signal: context.signal,
      growing: true,
      onProblem: (problem) => {
        warnings.add(problem);
      },
      onProgress: (lines) => {
        context.progress(lines, 'lines');
      },
    });
  }

  async #remember(state: WatchState, context: SourceContext): Promise<void> {
    const feeds: readonly SyncedKind[] = state.feeds;
    const lastSuccessAt = context.clock.now();
    const { id, intervalMs } = this;
    await context.writer.put(
      [{ kind: 'sync', id, repositoryRef: NO_REPOSITORY, feeds, lastSuccessAt, intervalMs, state: JSON.stringify(state) }],
      context,
    );
  }
}

async function filesOf(path: string): Promise<readonly string[]> {
  const entries = await entriesOf(path);
  if (entries === null) return [path];
  const names = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.ndjson')).map((entry) => entry.name);
  return names.sort().map((name) => join(path, name));
}

/** `null`: a file. */
async function entriesOf(path: string): Promise<readonly Dirent[] | null> {
  try {
    return (await stat(path)).isDirectory() ? await readdir(path, { withFileTypes: true }) : null;
  } catch (error) {
    throw readingFailed(path, error);
  }
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

/** The first warnings and the number of the rest: a file that is wrong throughout must not fill the log. */
class Warnings {
  readonly #first: string[] = [];
  #more = 0;

  add(warning: string): void {
    if (this.#first.length < MOST_WARNINGS) this.#first.push(warning);
    else this.#more++;
  }

  get lines(): readonly string[] {
    return this.#more > 0 ? [...this.#first, `… and ${String(this.#more)} more`] : this.#first;
  }
}
