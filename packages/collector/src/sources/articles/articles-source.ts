import { quotable } from '@vitrine/core';
import { diskFile, imageOnDisk } from '../documents/disk-files.js';
import { FilesSource, type FoundFiles, type ImagesBeside, type SourceFile } from '../documents/files-source.js';
import type { SourceContext } from '../../running/source.js';
import { gitFiles } from '../git/git-files.js';
import { type ArticleOrigin, isMarkdown, isShown, markdownFiles, MOST_FILES, MOST_LEVELS, settingsOf, type TextsOptions } from './markdown-files.js';
import { imageFilesIn } from './markdown-links.js';
import { articleIdOf, parseArticle } from './parse-article.js';

/** Counted up when the same files give other records than before. */
const FORMAT = 9;
export const MAX_ARTICLE_BYTES = 1_024 * 1_024;

/** The source for a folder of Markdown files with front matter. An article whose file is gone is removed. */
export function articlesSource(options: TextsOptions): FilesSource {
  const { path, git, imageUrl } = options;
  const parse = (file: Parameters<typeof parseArticle>[0]) => parseArticle(file, options);
  const inGit = {
    path,
    isFolder: true,
    isWanted,
    mostFiles: MOST_FILES,
    maxBytes: MAX_ARTICLE_BYTES,
    parse,
    ...(imageUrl !== undefined && { imagesIn }),
  };
  const onDisk = async ({ signal }: SourceContext): Promise<FoundFiles> => {
    const { files, warnings } = await markdownFiles(path, signal);
    const images: ImagesBeside = { namedIn: imagesIn, find: (name, reading) => imageOnDisk(path, name, reading) };
    return { files: files.map((file) => diskFile(file, MAX_ARTICLE_BYTES, { parse, ...(imageUrl !== undefined && { images }) })), warnings };
  };
  return new FilesSource({
    ...options,
    type: 'article',
    find: async (context) => {
      const found = git === undefined ? await onDisk(context) : await gitFiles(git, inGit, context);
      return { ...withoutTwins(found, options), settings: settingsOf(FORMAT, options) };
    },
  });
}

/** The files without those whose articles would have the id of another one, such as `a.markdown` beside `a.md`: the record of one would hide that of the other. */
function withoutTwins({ files, warnings }: FoundFiles, origin: ArticleOrigin): FoundFiles {
  const shown = new Map(files.map((file) => [articleIdOf(file.name, origin), file.name]));
  const nameOfTwin = ({ name }: SourceFile): string => shown.get(articleIdOf(name, origin)) ?? name;
  const twins = files.filter((file) => nameOfTwin(file) !== file.name);
  const skipped = twins.map(
    (file) => `${quotable(file.name)} was skipped, because ${quotable(nameOfTwin(file))} has the same address; rename one of them`,
  );
  return { files: files.filter((file) => nameOfTwin(file) === file.name), warnings: [...warnings, ...skipped] };
}

/** The same files as in a folder on disk. @param name with its subfolders */
function isWanted(name: string): boolean {
  const parts = name.split('/');
  return isMarkdown(name) && parts.length <= MOST_LEVELS && parts.every(isShown);
}

function imagesIn({ name, text }: Parameters<ImagesBeside['namedIn']>[0]): readonly string[] {
  return imageFilesIn(text, name).filter((path) => path.split('/').every(isShown));
}
