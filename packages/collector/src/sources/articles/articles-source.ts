import { diskFile, imageOnDisk } from '../documents/disk-files.js';
import { FilesSource, type ImagesBeside } from '../documents/files-source.js';
import { gitFiles } from '../git/git-files.js';
import { isMarkdown, isShown, markdownFiles, MOST_FILES, MOST_LEVELS, type TextsOptions } from './markdown-files.js';
import { imageFilesIn } from './markdown-text.js';
import { parseArticle } from './parse-article.js';

/** Counted up when the same files give other records than before. */
const FORMAT = 5;
export const MAX_ARTICLE_BYTES = 1_024 * 1_024;

/** The source for a folder of Markdown files with front matter. An article whose file is gone is removed. */
export function articlesSource({ path, git, intervalMs, ...origin }: TextsOptions): FilesSource {
  const { label, repositoryRef, publicUrl, language, defaultUrl, imageUrl } = origin;
  return new FilesSource({
    intervalMs,
    registration: { id: `article:${label}`, sourceType: 'article', label, repositoryRef, feeds: ['article'] },
    settings: () => [
      FORMAT,
      path,
      ...(git === undefined ? [] : [git?.location]),
      publicUrl,
      language,
      defaultUrl(''),
      ...(imageUrl === undefined ? [] : [imageUrl('')]),
    ],
    find: async (context) => {
      const parse = (file: Parameters<typeof parseArticle>[0]) => parseArticle(file, origin);
      const common = { path, isFolder: true, isWanted, mostFiles: MOST_FILES, maxBytes: MAX_ARTICLE_BYTES, parse };
      if (git !== undefined) return gitFiles(git, { ...common, ...(imageUrl !== undefined && { imagesIn }) }, context);
      const { files, warnings } = await markdownFiles(path, context.signal);
      const images: ImagesBeside = { namedIn: imagesIn, find: (name, reading) => imageOnDisk(path, name, reading) };
      return { files: files.map((file) => diskFile(file, MAX_ARTICLE_BYTES, { parse, ...(imageUrl !== undefined && { images }) })), warnings };
    },
  });
}

/** The same files as in a folder on disk. @param name with its subfolders */
function isWanted(name: string): boolean {
  const parts = name.split('/');
  return isMarkdown(name) && parts.length <= MOST_LEVELS && parts.every(isShown);
}

function imagesIn({ name, text }: Parameters<ImagesBeside['namedIn']>[0]): readonly string[] {
  return imageFilesIn(text, name).filter((path) => path.split('/').every(isShown));
}
