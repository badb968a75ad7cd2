import { FileError } from '@vitrine/config/internal';
import { quotable } from '@vitrine/core';
import { documentFileError } from '../documents/document-error.js';
import type { FileText, FoundFiles, ParsedFile, SourceFile } from '../documents/files-source.js';
import type { SourceContext } from '../../running/source.js';
import { ObjectReader } from './git.js';
import { DefaultTree, type GitReading, type TreeFile } from './default-tree.js';

/** Which files of a repository a source reads. */
export interface WantedFiles {
  /** Within the repository, with slashes; empty: the whole repository. */
  readonly path: string;
  /** Whether the path is a folder. Its subfolders are read too. */
  readonly isFolder: boolean;
  /** @param name below the folder */
  readonly isWanted: (name: string) => boolean;
  readonly mostFiles: number;
  readonly maxBytes: number;
  /** Pure. Throws a `DocumentError` if the file cannot be used. */
  readonly parse: (file: FileText) => ParsedFile;
}

/** The files of a repository's default branch. Links are left out with a warning, as on disk. Rejects with a `GitError` if they cannot be listed. */
export async function gitFiles(reading: GitReading, wanted: WantedFiles, { signal }: Pick<SourceContext, 'signal'>): Promise<FoundFiles> {
  const tree = await DefaultTree.open(reading, signal);
  const found = (await tree.files(wanted.path, wanted.isFolder)).filter(({ name }) => wanted.isWanted(name));
  const [files, links] = [found.filter(({ isLink }) => !isLink), found.filter(({ isLink }) => isLink)];
  if (files.length > wanted.mostFiles)
    throw documentFileError(wanted.path, new FileError(`has more than ${String(wanted.mostFiles)} Markdown files`, 'name a smaller folder'));
  const objects = new ObjectReader(tree.git);
  return {
    files: files.map((file) => sourceFile(file, { tree, objects, wanted, repository: reading.name })),
    warnings: links.map(({ name }) => `${reading.name}: ${quotable(name)} was skipped, because it is a link; put the file itself there`),
    close: () => objects.close(),
  };
}

interface Reading {
  readonly tree: DefaultTree;
  readonly objects: ObjectReader;
  readonly wanted: WantedFiles;
  readonly repository: string;
}

/** A file is named by its content, so it has changed exactly if its id has. */
function sourceFile({ name, sha, bytes }: TreeFile, { tree, objects, wanted, repository }: Reading): SourceFile {
  return {
    name,
    look: () => Promise.resolve({ version: sha, modifiedAt: tree.changedAt }),
    parse: async (times) => {
      if (bytes > wanted.maxBytes)
        throw documentFileError(`${repository}: ${name}`, new FileError(`is larger than ${String(wanted.maxBytes)} bytes`, 'split it'));
      const text = new TextDecoder().decode(await objects.read(sha)).replace(/\r\n?/g, '\n');
      return wanted.parse({ name, text, ...times });
    },
  };
}
