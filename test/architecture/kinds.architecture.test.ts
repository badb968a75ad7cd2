import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './planted-tree.js';

const SKIPPED = new Set(['contracts', 'dist', 'node_modules', 'test']);

/** The published source files but for the contract suites, as paths from the root. */
function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sources(path);
    return /(?<!\.test)\.tsx?$/u.test(entry.name) ? [relative(root, path).split(sep).join('/')] : [];
  });
}

const files = ['packages', 'apps'].flatMap((folder) => sources(join(root, folder)));

/** The configuration of sources, and the sources themselves. A kind does not need them: records files can bring it. */
const OF_SOURCES = /^(?:packages\/config\/|packages\/collector\/src\/(?!sources\/records\/)|apps\/collector\/src\/commands\/check\.ts$)/u;
/** The files of the pages and feeds, which are optional. A view has its page and its feed in its own file. */
const PAGES = /^packages\/(?:pages|feeds)\/|\/views\/(?:documents|present-places)\.ts$/u;

/** The files that contain the word, in their text or their name, apart from those of sources. @param ofPages whether among the files of the pages, or among all others */
function mentioning(word: RegExp, ofPages: boolean): readonly string[] {
  return files
    .filter((path) => !OF_SOURCES.test(path))
    .filter((path) => PAGES.test(path) === ofPages)
    .filter((path) => word.test(path) || word.test(readFileSync(join(root, path), 'utf8')))
    .sort();
}

/** The paths in the first column of the table of a section. */
function listed(heading: string): readonly string[] {
  const [, section = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^\| `([^`]+)` \|/gmu)].map(([, path = '']) => path);
}

describe.each([
  { heading: 'Add a kind', example: 'a video', word: /video/iu, limit: 12, ofPages: false },
  { heading: 'Add the pages and feeds of a kind', example: 'a video, for its pages and feeds', word: /video/iu, limit: 12, ofPages: true },
  // Not GitHub.
  { heading: 'Add a view', example: 'the hub of a repository', word: /(?<!t)hub/iu, limit: 8, ofPages: false },
  { heading: 'Add the page of a view', example: 'the hub, for its page', word: /(?<!t)hub/iu, limit: 4, ofPages: true },
])('"$heading" in CONTRIBUTING', ({ heading, example, word, limit, ofPages }) => {
  it('lists files that exist, each once', () => {
    const paths = listed(heading);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it(`lists exactly the source files that mention ${example}`, () => {
    expect([...listed(heading)].sort()).toEqual(mentioning(word, ofPages));
  });

  it(`lists at most ${String(limit)} files`, () => {
    const { length } = listed(heading);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(limit);
  });
});
