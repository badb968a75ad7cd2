import { patternsOf, requireLinearGrowth, somePatterns } from '@vitrine/test-support/growth';
import fc from 'fast-check';
import * as giteaDocuments from '../../../test/forge/gitea-documents.js';
import * as githubDocuments from '../../../test/forge/github-documents.js';
import * as gitlabDocuments from '../../../test/forge/gitlab-documents.js';
import { ForgeFixture } from '../../../test/forge/forge-fixture.js';
import { hostileVariants } from '../../../test/hostile-json.js';
import { expectStorable } from '../../../test/stored-as-written.js';
import { ForgeAddresses } from '../git/forge-addresses.js';
import { itemsOf } from './forge-dialect.js';
import { gitea } from './gitea-dialect.js';
import { github } from './github-dialect.js';
import { gitlab } from './gitlab-dialect.js';
import { ownOf } from './read-pull-requests.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const RUNS = { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 5_000 : 5 };
const name = { fullName: 'acme/widget', owner: 'acme', name: 'widget' };

const forges = [
  { dialect: github, type: 'GitHub', documents: githubDocuments.documents('') },
  { dialect: gitea, type: 'Gitea', documents: giteaDocuments.documents('') },
  { dialect: gitlab, type: 'GitLab', documents: gitlabDocuments.documents('') },
];

describe.each(forges)('hostile documents of $type', ({ dialect, documents }) => {
  const origin = {
    ref: 'acme/widget',
    name,
    label: 'Acme',
    type: dialect.type,
    addresses: new ForgeAddresses('https://git.acme.example/acme/widget', dialect.type),
  } as const;
  const documentOf = (path: string) => documents[path.split('?', 1).join('')];

  it.each(dialect.lists.map((list) => ({ list, kind: list.kind })))('give good records of $kind, and count the rest', ({ list }) => {
    const document = documentOf(list.path);
    expect(list.read(document, origin, NOW)?.records.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(hostileVariants(document), (json) => {
        const page = list.read(json, origin, NOW);
        if (page === null) return;
        for (const record of page.records) {
          expect(record).toMatchObject({ kind: list.kind, repositoryRef: 'acme/widget' });
          if (record.kind !== 'commit') expectStorable(record, NOW);
        }
        const ids = page.records.map((record) => ('id' in record ? record.id : 'sha' in record ? record.sha : ''));
        expect(new Set(ids).size).toBe(ids.length);
        expect(page.invalid).toBeGreaterThanOrEqual(0);
      }),
      RUNS,
    );
  });

  it.each(dialect.lists)('with $kind are read in a time that grows with their length', (list) => {
    const document = documentOf(list.path) as object;
    const [field, items] = Object.entries({ '': document, ...document }).find(([, value]) => Array.isArray(value)) ?? ['', []];
    const [item] = items as readonly Readonly<Record<string, unknown>>[];
    expect(item).toBeDefined();
    const numbered = (fields: object): string => `${JSON.stringify({ ...fields, id: '#' }).replace('"#"', '#')},`;
    const texts = Object.entries(item ?? {}).map(([key, value]) => [key, typeof value === 'string' ? '<a@b.cc> [x]('.repeat(200) : value] as const);
    const pieces = [numbered(item ?? {}), numbered(Object.fromEntries(texts)), '{"id":#},', '[],', '"#",'];
    const frame = field === '' ? (['[', 'null]'] as const) : ([`{"${field}":[`, 'null]}'] as const);
    for (const pattern of somePatterns(patternsOf({ frame, pieces }), 1))
      requireLinearGrowth((text) => list.read(JSON.parse(text), origin, NOW), pattern, process.env['VITRINE_TORTURE'] === '1' ? 200_000 : 50_000);
  });

  it('never make a repository public that the forge calls private', () => {
    const document = documents[''];
    expect(dialect.readRepository(document, false)?.isPublic).toBe(true);
    fc.assert(
      fc.property(hostileVariants(document), (json) => {
        const read = dialect.readRepository(json, false);
        if (read?.isPublic !== true) return;
        const { private: isPrivate = false, internal = false, visibility = 'public' } = json as Record<string, unknown>;
        expect(isPrivate).toBe(false);
        expect(internal).not.toBe(true);
        expect(visibility === null || visibility === 'public').toBe(true);
      }),
      RUNS,
    );
  });

  it('give pull requests, or nothing', () => {
    fc.assert(
      fc.property(hostileVariants(documentOf(dialect.pullRequests.path)), (json) => {
        for (const item of itemsOf(json, dialect.pullRequests.item)?.items ?? []) {
          const own = ownOf(item);
          expect([Number.isSafeInteger(item.number), Number.isSafeInteger(item.updatedAt)]).toEqual([true, true]);
          if (own !== null) expect([own.branch.isWellFormed(), /^[0-9a-f]{40,64}$/.test(own.head)]).toEqual([true, true]);
        }
      }),
      RUNS,
    );
  });
});

describe('a run with a hostile forge', () => {
  let forge: ForgeFixture;
  afterEach(() => forge.close());
  const base = '/repos/Acme/widget';

  it('ends with records and warnings, or with one clear error, and the next run is a normal one', async () => {
    forge = await ForgeFixture.open(githubDocuments.documents(base));
    const good = githubDocuments.documents(base);
    const source = forge.source();
    await forge.run(source);
    const paths = Object.keys(good);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths).chain((path) => hostileVariants(good[path]).map((json) => ({ path, json }))),
        async ({ path, json }) => {
          forge.server.documents = { ...good, [path]: json };
          try {
            const { warnings } = await forge.run(source);
            expect(warnings.every((warning) => warning.length < 2_000 && !/[\u0000-\u001f]/.test(warning))).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({ name: 'SourceError', code: expect.any(String) });
          }
          for (const record of await forge.records()) expect(JSON.stringify(record).isWellFormed()).toBe(true);
        },
      ),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 500 : 6 },
    );
    forge.server.documents = good;
    expect(await forge.run(source)).toMatchObject({ warnings: [] });
    expect(await forge.run(source)).toMatchObject({ stored: 0, removed: 0, warnings: [] });
  });
});
