import { PathError } from '../../files/file-access.js';
import type { FilesSourceConfig } from '@vitrine/config';
import type { GitSourceOptions } from '../git/git-source.js';
import { type ScopeRef, quotable } from '@vitrine/core';
import { join } from 'node:path';
import { type DiskFile, entriesOf } from '../documents/disk-files.js';

/** What the configuration says about a source of articles or a changelog. */
export interface ArticleOrigin extends Pick<FilesSourceConfig, 'label' | 'publicUrl' | 'language'> {
  readonly repositoryRef: ScopeRef;
  readonly defaultUrl: (id: string) => string;
  /** The address of a stored image in Vitrine. Default: images are not stored, because there are no pages. */
  readonly imageUrl?: ((name: string) => string) | undefined;
}

export interface TextsOptions extends ArticleOrigin {
  readonly path: string;
  /** The git source of the repository whose default branch is read; `null`: it has none. Without it, the path is on disk. */
  readonly git?: GitSourceOptions | null;
  readonly intervalMs: number;
}

/** What the records depend on, apart from the files. @param format counted up when the same files give other records than before */
export function settingsOf(format: number, { path, git, publicUrl, language, defaultUrl, imageUrl }: TextsOptions): readonly unknown[] {
  return [format, path, git?.location, publicUrl, language, defaultUrl(''), imageUrl?.('')];
}

export const MOST_FILES = 10_000;
export const MOST_LEVELS = 16;
const MARKDOWN = /\.(?:md|markdown)$/i;

/** The Markdown files of a folder and its subfolders, by name. Links are skipped, because they can lead to files that are not meant to be published. */
export async function markdownFiles(folder: string, signal: AbortSignal) {
  const files: DiskFile[] = [];
  const warnings: string[] = [];
  const visit = async (path: string, prefix: string, level: number): Promise<void> => {
    const entries = await entriesOf(path, signal);
    for (const entry of entries.filter(({ name }) => isShown(name))) {
      const [inner, name] = [join(path, entry.name), prefix + entry.name];
      if (entry.isSymbolicLink()) warnings.push(`${quotable(inner)} was skipped, because it is a link; put the file itself there`);
      else if (entry.isDirectory() && level < MOST_LEVELS) await visit(inner, `${name}/`, level + 1);
      else if (entry.isFile() && isMarkdown(name)) files.push({ path: inner, name });
    }
    if (files.length > MOST_FILES) throw new PathError(folder, `has more than ${String(MOST_FILES)} Markdown files; name a smaller folder`);
  };
  await visit(folder, '', 1);
  return { files: files.sort((a, b) => (a.name < b.name ? -1 : 1)) as readonly DiskFile[], warnings };
}

export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

/** Whether a file or folder of this name may be published. Jekyll and Hexo do not publish what is in `_drafts`. */
export function isShown(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && name !== '_drafts';
}
