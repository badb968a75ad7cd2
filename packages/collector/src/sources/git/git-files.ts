import { FileError } from '@vitrine/config/internal';
import { quotable } from '@vitrine/core';
import { documentFileError } from '../documents/document-error.js';
import type { FoundFiles, ImagesBeside, SourceFile } from '../documents/files-source.js';
import type { SourceContext } from '../../running/source.js';
import { ObjectReader } from './git.js';
import { DefaultTree, type GitReading, type TreeFile } from './default-tree.js';

export interface WantedFiles {
  /** Within the repository, with slashes; empty: the whole repository. */
  readonly path: string;
  /** Whether the path is a folder. Its subfolders are read too. */
  readonly isFolder: boolean;
  /** @param name below the folder */
  readonly isWanted: (name: string) => boolean;
  readonly mostFiles: number;
  readonly maxBytes: number;
  readonly parse: SourceFile['parse'];
  /** The images that a text names. Default: texts have none. */
  readonly imagesIn?: ImagesBeside['namedIn'];
}

/** The files of a repository's default branch. Links are left out with a warning, as on disk. Rejects with a `GitError` if they cannot be listed. */
export async function gitFiles(reading: GitReading, wanted: WantedFiles, { signal }: Pick<SourceContext, 'signal'>): Promise<FoundFiles> {
  const tree = await DefaultTree.open(reading, signal);
  const all = await tree.files(wanted.path, wanted.isFolder);
  const found = all.filter(({ name }) => wanted.isWanted(name));
  const [files, links] = [found.filter(({ isLink }) => !isLink), found.filter(({ isLink }) => isLink)];
  if (files.length > wanted.mostFiles)
    throw documentFileError(wanted.path, new FileError(`has more than ${String(wanted.mostFiles)} Markdown files`, 'name a smaller folder'));
  const objects = new ObjectReader(tree.git);
  const parts = { parse: wanted.parse, ...(wanted.imagesIn !== undefined && { images: { namedIn: wanted.imagesIn, find: imagesOf(all, objects) } }) };
  return {
    files: files.map((file) => ({ ...parts, ...sourceFile(file, { tree, objects, wanted, repository: reading.name }) })),
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
function sourceFile({ name, sha, bytes }: TreeFile, { tree, objects, wanted, repository }: Reading): Pick<SourceFile, 'name' | 'look' | 'read'> {
  return {
    name,
    look: () => Promise.resolve({ version: sha, modifiedAt: tree.changedAt }),
    read: async () => {
      if (bytes > wanted.maxBytes)
        throw documentFileError(`${repository}: ${name}`, new FileError(`is larger than ${String(wanted.maxBytes)} bytes`, 'split it'));
      return new TextDecoder().decode(await objects.read(sha)).replace(/\r\n?/g, '\n');
    },
  };
}

function imagesOf(files: readonly TreeFile[], objects: ObjectReader): ImagesBeside['find'] {
  const byName = new Map(files.filter(({ isLink }) => !isLink).map((file) => [file.name, file]));
  return (path) => {
    const file = byName.get(path);
    return Promise.resolve(file === undefined ? null : { version: file.sha, bytes: file.bytes, read: () => objects.read(file.sha) });
  };
}
