import { PathError, shownPath, writingFailed } from '../../files/file-access.js';
import { link, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf, readWholeFile } from '@vitrine/config/internal';
import { isUnresolved, SECOND, type Clock, type Instant, type IncidentState } from '@vitrine/core';
import { makeFolder, writeWhole } from '../../files/write-whole.js';
import { entriesOf, onDisk } from '../documents/disk-files.js';
import { fileAt, fileNameFor, incidentMarkdown, readIncidentFile, withUpdate } from './incident-file.js';
import type { IncidentFile, NewIncident, ReadIncident } from './incident-file.js';

export interface FileReading extends ReadIncident {
  readonly path: string;
  /** The id of its incident; `null` if the name of the file cannot be an id. */
  readonly id: string | null;
}

const MAX_FILE_BYTES = 1_024 * 1_024;

/** The name of a file becomes the id of its incident, and part of its address. */
const FILE_NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,150})\.md$/;

const BAD_NAME: ReadIncident = {
  file: null,
  problems: ['its name cannot be part of an address; use A-Z a-z 0-9 . _ - and at most 150 characters before .md'],
};

/** Reads the Markdown files of a folder, sorted by name. Hidden files and subfolders are left out. Rejects with a `PathError` if the folder cannot be read. */
export async function readIncidentFolder(folder: string, signal: AbortSignal): Promise<readonly FileReading[]> {
  const entries = await entriesOf(folder, signal);
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && entry.name.endsWith('.md'));
  const readings: FileReading[] = [];
  for (const name of files.map((entry) => entry.name).sort()) {
    const [path, id] = [join(folder, name), FILE_NAME.exec(name)?.[1] ?? null];
    const { file, problems } = id === null ? BAD_NAME : await readOne(path, signal);
    readings.push({ path, id, file, problems: problems.map((problem) => `${shownPath(path)}: ${problem}`) });
  }
  return readings;
}

async function readOne(path: string, signal: AbortSignal): Promise<ReadIncident> {
  try {
    return readIncidentFile(await incidentText(path, signal));
  } catch (error) {
    if (error instanceof PathError) return { file: null, problems: [error.reason] };
    throw error;
  }
}

async function incidentText(path: string, signal: AbortSignal): Promise<string> {
  return (await onDisk(path, signal, () => readWholeFile(path, MAX_FILE_BYTES))).toString('utf8');
}

export interface IncidentFolderOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type ListedIncident = Readonly<ReturnType<typeof listed>>;

export interface WrittenIncident {
  readonly id: string;
  readonly path: string;
  readonly state: IncidentState;
}

const MOST_NAMES = 100;

/** Writes files whole or not at all, and never in a form that the source would refuse. Every method rejects with a `PathError` if a file cannot be used. */
export class IncidentFolder {
  constructor(private readonly options: IncidentFolderOptions) {}

  /** Writes a new file and never replaces one. Creates the folder if it does not exist. */
  async create(incident: Omit<NewIncident, 'update'>, first: { readonly state: IncidentState; readonly body: string }): Promise<WrittenIncident> {
    const { folder } = this.options;
    const update = { ...first, createdAt: this.#now() };
    const text = incidentMarkdown({ ...incident, update });
    requireValid(folder, text, 1);
    await makeFolder(folder).catch((error: unknown) => {
      throw writingFailed(folder, error);
    });
    const name = fileNameFor(incident.title, update.createdAt);
    for (let number = 1; number <= MOST_NAMES; number++) {
      const id = number === 1 ? name : `${name}-${String(number)}`;
      const path = join(folder, `${id}.md`);
      if (await written(path, text, link)) return { id, path, state: first.state };
    }
    throw new PathError(folder, `has ${String(MOST_NAMES)} files that begin with ${name}; choose another title`);
  }

  /** Adds an update to a file. @param stateOf chooses the state by the present content of the file */
  async update(id: string, stateOf: (file: IncidentFile) => IncidentState, body: string): Promise<WrittenIncident> {
    const { folder, signal } = this.options;
    const path = await this.#pathOf(id);
    const text = await incidentText(path, signal);
    const { file, problems } = readIncidentFile(text);
    if (file === null) throw new PathError(path, `is invalid; correct it first. ${problems.join('. ')}`);
    const state = stateOf(file);
    const last = file.updates.at(-1)?.createdAt ?? 0;
    const longer = withUpdate(text, { state, createdAt: Math.max(this.#now(), last), body });
    requireValid(folder, longer, file.updates.length + 1);
    await written(path, longer, rename);
    return { id, path, state };
  }

  /** Every incident of the folder, newest first, and the problems of files that are invalid. */
  async list(): Promise<{ readonly incidents: readonly ListedIncident[]; readonly problems: readonly string[] }> {
    const { folder, signal } = this.options;
    const readings = await readIncidentFolder(folder, signal);
    const incidents = readings.flatMap(({ id, file }) => (id === null || file === null ? [] : listed(id, fileAt(file, this.#now()))));
    return { incidents: incidents.sort((a, b) => b.startedAt - a.startedAt), problems: readings.flatMap(({ problems }) => problems) };
  }

  async #pathOf(id: string): Promise<string> {
    const { folder, signal } = this.options;
    const found = (await readIncidentFolder(folder, signal)).find((file) => file.id === id);
    if (found === undefined) throw new PathError(folder, `has no incident ${shownPath(id)}; run vitrine incident list --all to see their ids`);
    return found.path;
  }

  /** In whole seconds, as the files are written. */
  #now(): Instant {
    return Math.floor(this.options.clock.now() / SECOND) * SECOND;
  }
}

function listed(id: string, file: IncidentFile) {
  const [first] = file.updates;
  const last = file.updates.at(-1) ?? first;
  return {
    id,
    title: file.title,
    kind: file.window === null ? ('declared' as const) : ('maintenance' as const),
    state: last.state,
    impact: file.impact,
    services: file.services.map(({ key }) => key),
    covers: file.covers ?? [],
    startedAt: file.window?.from ?? file.startedAt ?? first.createdAt,
    updatedAt: last.createdAt,
    isUnresolved: isUnresolved(last),
  };
}

/** A message may contain a line that reads as the heading of another update. */
function requireValid(path: string, text: string, updates: number): void {
  const { file, problems } = readIncidentFile(text);
  if (file === null) throw new PathError(path, `was not changed, because the new text is invalid: ${problems.join('. ')}`);
  if (file.updates.length !== updates)
    throw new PathError(path, 'was not changed, because a line of the message reads as the heading of an update; write it without ##');
}

/** Returns false if the place is taken. @param place `link` never replaces a file, `rename` does */
async function written(path: string, text: string, place: (from: string, to: string) => Promise<void>): Promise<boolean> {
  try {
    await writeWhole(path, text, { place });
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw writingFailed(path, error);
  }
}
