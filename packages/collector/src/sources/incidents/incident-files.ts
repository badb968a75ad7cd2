import { PathError, readingFailed, shownPath } from '../../files/path-error.js';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf, readWholeFile } from '@vitrine/config/internal';
import type { Instant } from '@vitrine/core';
import type { FileAccess } from '../../files/file-access.js';
import { versionOf } from '../records/records-files.js';
import type { SourceContext } from '../../running/source.js';
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
export async function incidentFilesOf(folder: string, access: FileAccess, signal: AbortSignal): Promise<readonly FoundFile[]> {
  const entries = await access
    .run(folder, signal, () => readdir(folder, { withFileTypes: true }))
    .catch((error: unknown) => {
      throw readingFailed(folder, error);
    });
  const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && entry.name.endsWith('.md'));
  const names = files.map(({ name }) => name).sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => ({ path: join(folder, name), id: FILE_NAME.exec(name)?.[1] ?? null }));
}

/** A text that changes whenever the content of one of the files may have changed. */
export async function versionsOf(files: readonly FoundFile[], access: FileAccess, { clock, signal }: SourceContext): Promise<string> {
  const versions: string[] = [];
  for (const { path } of files) versions.push(path, await access.run(path, signal, () => versionOfFile(path, clock.now())));
  return versions.join('\n');
}

/** What each file says. A file that cannot be read or is invalid has problems, each of which names it. */
export async function readIncidents(files: readonly FoundFile[], access: FileAccess, signal: AbortSignal): Promise<readonly FileReading[]> {
  const readings: FileReading[] = [];
  for (const found of files) {
    const { file, problems } = found.id === null ? BAD_NAME : await readOne(found.path, access, signal);
    if (file === null) readings.push({ ...found, file, problems: problems.map((problem) => `${shownPath(found.path)}: ${problem}`) });
    else readings.push({ ...found, file, problems: [] });
  }
  return readings;
}

async function readOne(path: string, access: FileAccess, signal: AbortSignal): Promise<ReadIncident> {
  try {
    return readIncidentFile(await incidentText(path, access, signal));
  } catch (error) {
    if (error instanceof PathError) return { file: null, problems: [error.reason] };
    throw error;
  }
}

/** The text of a file. Rejects with a `PathError` if it cannot be read. */
export async function incidentText(path: string, access: FileAccess, signal: AbortSignal): Promise<string> {
  try {
    return (await access.run(path, signal, () => readWholeFile(path, MAX_FILE_BYTES))).toString('utf8');
  } catch (error) {
    throw readingFailed(path, error);
  }
}

/** A file whose metadata cannot be read has the error as its version. Reading the file then reports the problem. */
async function versionOfFile(path: string, now: Instant): Promise<string> {
  try {
    return versionOf(await stat(path, { bigint: true }), now);
  } catch (error) {
    return errorCodeOf(error) ?? 'unknown';
  }
}
