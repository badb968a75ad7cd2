import { FilesSource } from '../documents/files-source.js';
import type { ArticleOrigin } from './article-origin.js';
import { markdownFiles } from './markdown-files.js';
import { parseArticle } from './parse-article.js';

export interface ArticlesSourceOptions extends ArticleOrigin {
  /** The folder with Markdown files. */
  readonly path: string;
  readonly intervalMs: number;
}

const MAX_BYTES = 1_024 * 1_024;

/** The source for a folder of Markdown files with front matter. An article whose file is gone is removed. */
export function articlesSource({ path, intervalMs, ...origin }: ArticlesSourceOptions): FilesSource {
  const { label, repositoryRef, publicUrl, language, defaultUrl } = origin;
  return new FilesSource({
    intervalMs,
    registration: { id: `article:${label}`, sourceType: 'article', label, repositoryRef, feeds: ['article'] },
    settings: () => [path, publicUrl, language, defaultUrl('')],
    maxBytes: MAX_BYTES,
    find: (access, signal) => markdownFiles(path, access, signal),
    parse: (file) => parseArticle(file, origin),
  });
}
