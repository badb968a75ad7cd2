import { dirname, join } from 'node:path';
import { cacheFolder, dataFolderOf, type Config, type Environment } from '@vitrine/config';
import { readWholeFile } from '@vitrine/config/internal';
import { quotable, type Instant } from '@vitrine/core';
import { z } from 'zod';
import { makeFolder, writeWhole } from '../files/write-whole.js';
import type { RunReport, Source } from './source.js';
import { hashOfPath } from './source-registry.js';

const noteSchema = z.object({
  /** Of the last run that has completed; `null` before. */
  counts: z.object({ stored: z.number(), unchanged: z.number(), removed: z.number(), skipped: z.number() }).nullable(),
  warnings: z.array(z.string()),
  /** Why the last run that failed has failed, also if a later one has completed. */
  lastFailure: z.string().nullable(),
  /** When a source that has failed is tried again, because that may be long after its interval; `null` after a run that has completed. */
  retryAt: z.number().nullable().default(null),
});
const notesSchema = z.record(z.string(), noteSchema);

/** What is kept of a source's runs for the people who operate it. It is never published. */
export type RunNote = z.output<typeof noteSchema>;

const NOTHING: RunNote = { counts: null, warnings: [], lastFailure: null, retryAt: null };
const MOST_WARNINGS = 10;
const LONGEST = 500;
const MAX_BYTES = 64 * 1_024 * 1_024;

/** The file of a configuration's notes, beside the folder for clones. */
export function notesFile(config: KeptConfig, env: Environment): string {
  return besideClones(config, env, `source-runs-${hashOfPath(config.file)}.json`);
}

/** The socket on which the process that collects with this configuration takes requests; `null` if the configuration keeps nothing. */
export function requestsSocket(config: KeptConfig, env: Environment): string | null {
  return keepsNothing(config) ? null : besideClones(config, env, `collect-${hashOfPath(config.file)}.sock`);
}

/** `null` if the configuration keeps nothing. */
export function runNotesOf(config: KeptConfig, env: Environment): RunNotes | null {
  return keepsNothing(config) ? null : new RunNotes(notesFile(config, env), dataFolderOf(config));
}

type KeptConfig = Pick<Config, 'file' | 'cache' | 'store'>;

function besideClones(config: KeptConfig, env: Environment, name: string): string {
  return join(dirname(cacheFolder(config, env)), name);
}

function keepsNothing({ store }: KeptConfig): boolean {
  return store.kind === 'embedded' && store.path === null;
}

/** The notes in a file, by the ids of the sources' sync records. A file that cannot be read has none. */
export async function readNotes(file: string): Promise<Map<string, RunNote>> {
  try {
    return new Map(Object.entries(notesSchema.parse(JSON.parse((await readWholeFile(file, MAX_BYTES)).toString()))));
  } catch {
    return new Map();
  }
}

/** Keeps a note for each registered source in a file that only this user can read: messages may contain paths, and others read the store. If it cannot be written, the notes are lost. */
export class RunNotes {
  readonly #file: string;
  readonly #dataFolder: string | null;
  readonly #read: Promise<Map<string, RunNote>>;
  #isChanged = false;
  #writing: Promise<void> | null = null;

  constructor(file: string, dataFolder: string | null) {
    [this.#file, this.#dataFolder] = [file, dataFolder];
    this.#read = readNotes(file);
  }

  async completed(source: Source, { stored, unchanged, removed, skipped = 0, warnings }: RunReport): Promise<void> {
    const lines = warnings.slice(0, MOST_WARNINGS).map(shown);
    await this.#keep(source, ({ lastFailure }) => ({ counts: { stored, unchanged, removed, skipped }, warnings: lines, lastFailure, retryAt: null }));
  }

  async failed(source: Source, error: unknown): Promise<void> {
    const lastFailure = shown(error instanceof Error ? error.message : String(error));
    await this.#keep(source, (before) => ({ ...before, lastFailure, retryAt: null }));
  }

  async retries(source: Source, retryAt: Instant): Promise<void> {
    await this.#keep(source, (before) => ({ ...before, retryAt }));
  }

  async settled(): Promise<void> {
    await this.#read;
    await this.#writing;
  }

  async #keep({ registration }: Source, change: (before: RunNote) => RunNote): Promise<void> {
    if (registration === undefined) return;
    const notes = await this.#read;
    const before = notes.get(registration.id) ?? NOTHING;
    const after = change(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    notes.set(registration.id, after);
    this.#isChanged = true;
    this.#writing ??= this.#write(notes).finally(() => (this.#writing = null));
  }

  /** Changes during a write are written together by the next one. */
  async #write(notes: ReadonlyMap<string, RunNote>): Promise<void> {
    while (this.#isChanged) {
      this.#isChanged = false;
      const text = JSON.stringify(Object.fromEntries(notes));
      await makeFolder(dirname(this.#file), { dataFolder: this.#dataFolder })
        .then(() => writeWhole(this.#file, text, { mode: 0o600 }))
        .catch(() => undefined);
    }
  }
}

/** Messages may contain line breaks. */
function shown(message: string): string {
  return quotable(message, LONGEST);
}
