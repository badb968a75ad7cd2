import { FileAccess } from '../files/file-access.js';
import { lookAt } from '../records/records-files.js';
import type { FileText, ParsedFile, SourceFile } from './files-source.js';
import { readTextFile } from './read-text-file.js';

/** Shared by all articles and changelogs of the process, because hanging operations block the same threads. */
export const diskAccess = new FileAccess();

export interface DiskFile {
  readonly path: string;
  /** Its stable name within the source. */
  readonly name: string;
}

/** A file on disk. @param parse is pure, and throws a `DocumentError` if the file cannot be used */
export function diskFile({ path, name }: DiskFile, maxBytes: number, parse: (file: FileText) => ParsedFile): SourceFile {
  return {
    name,
    look: (context) => lookAt({ path, isOneOfMany: true, isLink: false }, diskAccess, context),
    parse: async (times, { signal }) => parse({ name, text: await readTextFile(path, maxBytes, diskAccess, signal), ...times }),
  };
}
