import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './planted-tree.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isThere = (file: string) => existsSync(join(root, file));
const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const packagesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`);

const decisions = markdownIn('docs/adr');
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownIn('docs'), ...markdownIn('docs/guides'), ...decisions];
const readmes = [...packagesIn('packages'), ...packagesIn('apps')].filter(isThere);

const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```/gmu, '');
const wordsOf = (file: string) => read(file).split(/\s+/u).filter(Boolean).length;

/** The anchors of the headings, as the hosts of repositories make them. */
function anchorsOf(file: string): readonly string[] {
  const headings = withoutCode(read(file)).matchAll(/^#+ (.+)$/gmu);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(file: string): readonly string[] {
  const links = withoutCode(read(file)).matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)/gu);
  return [...links].flatMap(([link, path = '', anchor]) => {
    const target = path === '' ? file : normalize(join(dirname(file), path));
    const leads = isThere(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
    return leads ? [] : [`${file}: ${link}`];
  });
}

/** The source files in backticks that do not exist. A name without a folder is beside the file before it. */
function missingFiles(text: string): readonly string[] {
  let folder = '';
  return [...text.matchAll(/`([\w@./-]+\.(?:ts|tsx|json|cjs|mjs))`/gu)].flatMap(([, name = '']) => {
    const path = name.includes('/') || isThere(name) ? name : `${folder}/${name}`;
    folder = dirname(path);
    return isThere(path) ? [] : [path];
  });
}

describe('the documents', () => {
  it('begin with the demo, because the clone of a young repository has little to show', () => {
    const [, first = ''] = /^```sh\n(\S[^#\n]*)/mu.exec(read('README.md')) ?? [];
    expect(first.trim()).toBe('npm start -- --demo');
  });

  it('have no link that leads nowhere', () => {
    expect([...documents, ...readmes].flatMap(brokenLinks)).toEqual([]);
  });

  it('are checked for anchors and files that are missing', () => {
    expect(anchorsOf('docs/guides/configure.md')).toContain('git-findings');
    expect(missingFiles('`test/architecture/gone.test.ts`, `planted-tree.ts`')).toEqual(['test/architecture/gone.test.ts']);
  });

  it('are short enough to be read', () => {
    expect(documents.map(wordsOf).reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(50_000);
  });
});

describe('docs/reliability.md', () => {
  it('names suites that exist', () => {
    expect(missingFiles(read('docs/reliability.md'))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names files that exist', () => {
    const named = [...read('docs/architecture.md').matchAll(/`(?:packages|apps|test)\/[\w@./-]+\.tsx?`/gu)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(missingFiles(named.join(' '))).toEqual([]);
  });
});

describe('the guides for developers', () => {
  const named = (file: string) => new Set([...withoutCode(read(file)).matchAll(/`([\w.-]+)[^`]*`/gu)].map(([, name]) => name));
  const missing = (guide: string, names: readonly string[]) => names.filter((name) => !named(`docs/guides/${guide}`).has(name));
  const found = (file: string, pattern: RegExp) => [...read(`packages/core/src/${file}`).matchAll(pattern)].map(([, name = '']) => name);

  it.each([
    ['write-an-adapter.md', 'suite', () => found('testing/index.ts', /(\w+Contract)\b/gu)],
    ['write-an-adapter.md', 'kind', () => found('testing/list-specs.ts', /^ *kind: '(\w+)'/gmu)],
    ['test-a-rule.md', 'file of vectors', () => readdirSync(join(root, 'packages/core/src/testing/vectors'))],
    ['embed-the-core.md', 'option', () => found('use-cases/create-use-cases.ts', /^  readonly (\w+)\??: /gmu)],
  ])('%s names every %s', (guide, _what, namesOf) => {
    const names = namesOf();
    expect(names.length).toBeGreaterThan(3);
    expect(missing(guide, names)).toEqual([]);
  });

  it('say how soon a write of another process is seen', () => {
    const [, milliseconds = ''] = /ASKED_EVERY_MS = (\d+)/u.exec(read('packages/adapters-sqlite/src/changes/sqlite-change-feed.ts')) ?? [];
    for (const file of ['docs/guides/deploy.md', 'packages/adapters-sqlite/README.md', 'apps/http/README.md']) {
      const [, seconds = ''] = /([\d.]+) s later/u.exec(read(file)) ?? [];
      expect({ file, isTrue: Number(seconds) * 1_000 >= Number(milliseconds) }).toEqual({ file, isTrue: true });
    }
  });
});

describe('the decision records', () => {
  it('are few', () => {
    expect(decisions.length).toBeLessThanOrEqual(35);
  });

  it('have numbers of their own in their names', () => {
    expect(decisions.filter((file) => !/\/\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/u.test(file))).toEqual([]);
    expect(new Set(decisions.map((file) => file.slice('docs/adr/'.length, 'docs/adr/0000'.length))).size).toBe(decisions.length);
  });

  it.each(decisions)('%s fits a screen, and names files that enforce it', (file) => {
    const [, enforcers = ''] = read(file).split('**Enforced by:**');
    expect(enforcers).toMatch(/`[^`]+`/u);
    expect(missingFiles(enforcers)).toEqual([]);
    expect(wordsOf(file)).toBeLessThanOrEqual(400);
  });
});
