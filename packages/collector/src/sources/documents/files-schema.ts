import type { FilesSourceConfig } from '@vitrine/config';
import {
  duration,
  INTERVALS,
  labelOfPath,
  languageTag,
  mayBeScoped,
  object,
  oneOf,
  orNull,
  path,
  publicAddress,
  RELEASES,
  repositoryName,
  sourceLabel,
} from '@vitrine/config/internal';
import type { SourceFile, Surroundings } from '@vitrine/config/internal';
import { z } from 'zod';

const fileKeys = {
  repository: repositoryName.exactOptional(),
  from: oneOf(['git']).exactOptional(),
  label: sourceLabel.exactOptional(),
  url: orNull(publicAddress),
  language: languageTag.default('en'),
  interval: duration(...INTERVALS).prefault('1m'),
};

function filesFile(kind: FilesSourceConfig['kind'], file: string, keys: z.output<z.ZodObject<typeof fileKeys>>): SourceFile {
  const { repository, from, url: publicUrl, language, interval: intervalMs } = keys;
  return mayBeScoped(repository, (ref, fullName, { located }) => ({
    kind,
    ...placeOf(kind, file, from === 'git', located),
    ref,
    label: keys.label ?? labelOfPath(kind, file, fullName),
    publicUrl,
    language,
    intervalMs,
  }));
}

function placeOf(
  kind: FilesSourceConfig['kind'],
  file: string,
  isGit: boolean,
  located: Surroundings['located'],
): Pick<FilesSourceConfig, 'from' | 'path'> {
  if (isGit) return { from: 'git', path: treePath(file) };
  return kind === 'changelog' && file === RELEASES ? { from: 'releases', path: '' } : { from: 'disk', path: located(file) };
}

/** A path as git writes it: with slashes, without `.`, and empty for the whole repository. */
function treePath(file: string): string {
  return file
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

export const articlesSchema = object('an object with articles', { articles: path, ...fileKeys }).transform(({ articles: folder, ...keys }) =>
  filesFile('articles', folder, keys),
);

/** Files in other formats. Read as Markdown, they would show their marks as text, or have no versions. */
const OTHER_FORMAT = /\.(?:rst|rest|org|adoc|asciidoc|textile|rdoc|html?|xml|json|ya?ml)$/i;
const changelogPath = path.refine((file) => !OTHER_FORMAT.test(file), {
  error: ({ input }) => `${JSON.stringify(input)} is not Markdown; write the path of a file in Markdown`,
});

export const changelogSchema = object('an object with changelog', { changelog: changelogPath, ...fileKeys }).transform(
  ({ changelog: file, ...keys }) => filesFile('changelog', file, keys),
);
