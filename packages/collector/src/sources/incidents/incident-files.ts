import { join } from 'node:path';
import { readWholeFile } from '@vitrine/config/internal';
import { PathError, shownPath } from '../../files/file-access.js';
import { entriesOf, onDisk } from '../documents/disk-files.js';
import { readIncidentFile, type ReadIncident } from './incident-file.js';

export interface FoundFile {
  readonly path: string;
  /** The id of its incident; `null` if the name of the file cannot be an id. */
  readonly id: string | null;
}

export type FileReading = FoundFile & ReadIncident;

const MAX_FILE_BYTES = 1_024 * 1_024;

/** The name of a file becomes the id of its incident, and part of its address. */
const FILE_NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,150})\.md$/;

const BAD_NAME: ReadIncident = {
  file: null,
  problems: ['its name cannot be part of an address; use A-Z a-z 0-9 . _ - and at most 150 characters before .md'],
};

/** The Markdown files of a folder, sorted by name. Hidden files and subfolders are left out. Rejects with a `PathError` if the folder cannot be read. */
export async function incidentFilesOf(folder: string, signal: AbortSignal): Promise<readonly FoundFile[]> {
  const entries = await entriesOf(folder, signal);
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && entry.name.endsWith('.md'));
  const names = files.map(({ name }) => name).sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => ({ path: join(folder, name), id: FILE_NAME.exec(name)?.[1] ?? null }));
}

/** What each file says. A file that cannot be read or is invalid has problems, each of which names it. */
export async function readIncidents(files: readonly FoundFile[], signal: AbortSignal): Promise<readonly FileReading[]> {
  const readings: FileReading[] = [];
  for (const found of files) {
    const { file, problems } = found.id === null ? BAD_NAME : await readOne(found.path, signal);
    if (file === null) readings.push({ ...found, file, problems: problems.map((problem) => `${shownPath(found.path)}: ${problem}`) });
    else readings.push({ ...found, file, problems: [] });
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

/** The text of a file. Rejects with a `PathError` if it cannot be read. */
export async function incidentText(path: string, signal: AbortSignal): Promise<string> {
  return (await onDisk(path, signal, () => readWholeFile(path, MAX_FILE_BYTES))).toString('utf8');
}
