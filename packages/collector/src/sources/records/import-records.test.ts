import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, MIN_VALIDITY_MS } from '@vitrine/core';
import { isTorture } from '@vitrine/test-support';
import { FakeStore } from '../../testing/fake-store.js';
import { importRecords, type ImportOptions } from './import-records.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const provenance = { source: 'Acme', sourceKind: 'official-source', sourceUrl: 'https://acme.example/', confidence: 'high', isOfficialSource: true };
const news = (id: string, more: object = {}) => ({
  kind: 'news',
  id,
  source: 'Blog',
  title: 'Title',
  url: 'https://acme.example/news',
  provenance,
  ...more,
});
const commit = (more: object = {}) => ({
  kind: 'commit',
  repository: 'acme/widget',
  sha: 'a'.repeat(40),
  title: 'fix: the cursor',
  authorName: 'Ada',
  additions: 1,
  deletions: 0,
  filesChanged: 1,
  committedAt: '2026-11-20T10:00:00Z',
  provenance,
  ...more,
});
const finding = (more: object = {}) => ({
  kind: 'finding',
  repository: 'acme/widget',
  id: 'f1',
  title: 'T',
  summary: 'S',
  status: 'EXPERIMENTAL',
  changeType: 'tests',
  evidence: { branch: 'main', additions: 1, deletions: 0 },
  detectedAt: '2026-11-20T10:00:00Z',
  sourceUrl: 'https://acme.example/f1',
  provenance,
  ...more,
});
const release = (more: object = {}) => ({
  kind: 'release',
  repository: 'acme/widget',
  tagName: 'v1',
  name: 'One',
  releaseType: 'stable',
  publishedAt: '2026-11-20T10:00:00Z',
  sourceUrl: 'https://acme.example/v1',
  provenance,
  ...more,
});
/** A word that only members of a repository may know. */
const SECRET = 'secretplan';
const check = (more: object = {}) => ({
  kind: 'check',
  serviceKey: 'acme:api',
  state: 'outage',
  checkedAt: '2026-11-20T10:00:00Z',
  provenance,
  ...more,
});
const statusDay = (operational = 1) => ({
  kind: 'status-day',
  serviceKey: 'acme:api',
  date: '2025-01-01',
  checks: { operational, degraded: 0, outage: 0, maintenance: 0, unknown: 0 },
  coveredMs: 1,
  latency: { buckets: [], max: 0 },
  firstCheckedAt: '2025-01-01T10:00:00Z',
  lastCheckedAt: '2025-01-01T10:00:00Z',
  coveredUntil: '2025-01-01T11:00:00Z',
});

let folder: string;
let store: FakeStore;
let problems: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  store = new FakeStore();
  problems = [];
});

function take(content: string | Buffer | readonly object[], options: Partial<ImportOptions> = {}) {
  const file = join(folder, 'in.ndjson');
  writeFileSync(file, Array.isArray(content) ? content.map((line) => `${JSON.stringify(line)}\n`).join('') : (content as string | Buffer));
  return importRecords({
    file,
    approved: new Allowlist([
      { fullName: 'acme/Widget', owner: 'acme', name: 'Widget', forgeId: null },
      { fullName: 'acme/pinned', owner: 'acme', name: 'pinned', forgeId: '77' },
    ]).approved(),
    writer: store,
    collection: store,
    clock: { now: () => NOW },
    signal: new AbortController().signal,
    onProblem: (problem) => problems.push(problem.replace(`${folder}/`, '')),
    ...options,
  });
}

describe('importRecords', () => {
  it('stores valid lines and reports each problem of each invalid one with file, line and path', async () => {
    const report = await take([news('n1'), news('n2', { titel: 'x', title: undefined, url: 'ftp://acme.example' }), { kind: 'check' }, news('n3')]);
    expect(report).toMatchObject({ lines: 4, stored: 2, problems: 6 });
    expect(problems).toEqual([
      'in.ndjson:2: titel: is not a key here; did you mean title?',
      'in.ndjson:2: url: is not such an address; write an absolute http or https address of at most 2,048 characters, without user name',
      'in.ndjson:3: serviceKey: is missing; write provider:component of A-Z a-z 0-9 _ . : -, at most 64 characters',
      'in.ndjson:3: state: is missing; write one of operational, unknown, maintenance, degraded, outage',
      'in.ndjson:3: checkedAt: is missing; write a date and time with offset, such as 2026-11-20T13:41:52Z',
      'in.ndjson:3: provenance: is missing; write an object with source, sourceKind, sourceUrl, confidence and isOfficialSource',
    ]);
  });

  it.each([
    ['{', 'the line is not JSON'],
    ['[1]', 'the line is not a JSON object'],
    ['null', 'the line is not a JSON object'],
    ['{"kind":"comit"}', 'kind: "comit" is not a kind of record; did you mean commit?'],
    ['{"kind":"toString"}', 'kind: "toString" is not a kind of record; write one of repository, commit'],
    ['{"id":"x"}', 'kind: is missing; write one of repository, commit'],
    [JSON.stringify(news('n', { title: 'x'.repeat(1_001) })), 'title: is too long; write a text of 1 to 1,000 characters'],
    [JSON.stringify(news('n', { title: 'half \ud800 pair' })), 'holds half a surrogate pair'],
    [JSON.stringify(news('n', { id: 'a b' })), 'id: is not an id'],
    [JSON.stringify(news('n', { url: 'https://ada:pw@acme.example/' })), 'url: is not such an address'],
    [JSON.stringify(news('n', { publishedAt: '2026-11-20' })), 'publishedAt: "2026-11-20" is not a date and time; write a date and time with offset'],
    [JSON.stringify(news('n', { publishedAt: '2026-02-30T00:00:00Z' })), 'publishedAt: "2026-02-30T00:00:00Z" is not a date and time'],
    [JSON.stringify(news('n', { provenance: { ...provenance, confidence: 7 } })), 'provenance.confidence: 7 is not such a word'],
    [JSON.stringify(commit({ repository: null })), 'repository: is null; write owner/name'],
    [JSON.stringify(commit({ sha: 'abc' })), 'sha: is not a commit id; write 40 or 64 hexadecimal digits'],
    [JSON.stringify(commit({ additions: -1 })), 'additions: -1 is out of range'],
    [JSON.stringify(commit({ additions: 1.5 })), 'additions: 1.5 is not a whole number'],
    [JSON.stringify(commit({ changedPaths: Array(51).fill('a') })), 'changedPaths: has more than 50 entries'],
    [JSON.stringify(commit({ repositoryRef: 'acme/other' })), 'repositoryRef: is not the repository that repository names'],
    [JSON.stringify(commit({ repositoryRef: 'Acme/Widget' })), 'repositoryRef: is not a ref'],
    [JSON.stringify(finding({ evidence: { branch: 'm', additions: 0, deletions: 0, files: [1] } })), 'evidence.files[0]: is not a text'],
    [JSON.stringify(check({ validForMs: 1 })), 'validForMs: 1 is out of range; write a whole number from 10,000 to 2,764,800,000'],
    [JSON.stringify(statusDay(2 ** 32)), 'checks.operational: 4294967296 is out of range; write a whole number from 0 to 4,294,967,295'],
    [JSON.stringify(check({ serviceKey: 'api' })), 'serviceKey: "api" is not a service key'],
  ])('rejects %.60s', async (line, expected) => {
    const report = await take(`${line}\n`);
    expect(report).toMatchObject({ stored: 0, problems: 1 });
    expect(problems[0]).toMatch(/^in\.ndjson:1: /);
    expect(problems[0]).toContain(expected);
  });

  it('fills the fields that a hand-written line may leave out', async () => {
    await take([
      commit(),
      check(),
      news('n1'),
      {
        kind: 'release',
        repository: 'ACME/widget',
        tagName: 'v1 '.trim(),
        name: '',
        releaseType: 'stable',
        publishedAt: '2026-11-20T10:00:00Z',
        sourceUrl: 'https://acme.example/r',
        provenance,
      },
    ]);
    expect(problems).toEqual([]);
    const [stored, ...others] = ['commit', 'check', 'news', 'release'].map((kind) => store.all.find((record) => record.kind === kind));
    expect(stored).toMatchObject({
      authorLogin: '',
      description: '',
      branch: null,
      changeType: 'fix',
      changedPaths: [],
      provenance: { observedAt: NOW },
    });
    expect(others).toMatchObject([
      { rawState: 'outage', responseTimeMs: null, validForMs: MIN_VALIDITY_MS, provenance: { observedAt: Date.UTC(2026, 10, 20, 10) } },
      { discoveredAt: NOW, listedAt: NOW, summary: '' },
      { id: 'ACME/widget@v1', platform: null, body: '' },
    ]);
  });

  it('uses the ref of the allowlist', async () => {
    await take([commit({ repository: 'ACME/widget' }), commit({ repository: 'Acme/Pinned' })]);
    expect(store.all.map((record) => 'repositoryRef' in record && record.repositoryRef)).toEqual(['acme/pinned#77', 'acme/widget']);
  });

  it('uses an explicit ref unchanged', async () => {
    await take([commit({ repository: 'acme/pinned', repositoryRef: 'acme/pinned#77' })]);
    expect(store.all).toMatchObject([{ repositoryRef: 'acme/pinned#77' }]);
  });

  it.each([
    ['repository', { kind: 'repository', fullName: 'other/secret', provenance }],
    ['commit', commit({ repository: 'Other/Secret' })],
    ['commit of another forge id', commit({ repository: 'acme/pinned', repositoryRef: 'acme/pinned#12' })],
    ['commit without the id that the list pins', commit({ repository: 'acme/pinned', repositoryRef: 'acme/pinned' })],
    ['commit with an id that the list does not pin', commit({ repositoryRef: 'acme/widget#12' })],
    ['finding', finding({ repository: 'other/secret' })],
    ['sync', { kind: 'sync', id: 's', repository: 'other/secret', lastSuccessAt: '2026-11-20T10:00:00Z', intervalMs: 60_000, state: 'x' }],
  ])('skips a %s that is not approved, and counts it', async (_, record) => {
    expect(await take([record, news('n1')])).toMatchObject({ lines: 2, stored: 1, skipped: 1, problems: 0 });
    expect(store.all).toMatchObject([{ kind: 'news' }]);
  });

  it('stores skipped records if the file is imported again after an approval', async () => {
    const lines = [commit({ repository: 'other/secret' }), finding({ repository: 'other/secret' })];
    expect(await take(lines)).toMatchObject({ stored: 0, skipped: 2 });
    expect(await take(lines, { approved: Allowlist.of('other/secret').approved() })).toMatchObject({ stored: 2, skipped: 0 });
  });

  it('skips records of a repository that is removed from the list while the file is read', async () => {
    let asked = 0;
    const admits = () => (asked += 1) <= 2;
    expect(await take([finding({ id: 'f1' }), finding({ id: 'f2' }), finding({ id: 'f3' })], { admits })).toMatchObject({ stored: 2, skipped: 1 });
    expect(store.all).toMatchObject([{ id: 'f1' }, { id: 'f2' }]);
  });

  it('removes e-mail addresses from free text', async () => {
    await take([commit({ description: 'Co-authored-by: Bo <bo@acme.example>', authorName: 'ada@acme.example' })]);
    expect(JSON.stringify(store.all)).not.toContain('@acme.example');
    expect(store.all).toMatchObject([{ description: 'Co-authored-by: Bo', authorName: 'ada' }]);
  });

  it.each([
    [release({ tagName: 'ada@acme.example' }), 'the line holds an e-mail address in an id, a tag name or a URL'],
    [release({ id: 'acme/secret@v1' }), 'id: names another repository than the record has'],
    [news('n1', { url: 'https://acme.example/?to=ada%40acme.example' }), 'the line holds an e-mail address in an id, a tag name or a URL'],
    [news('x@[10.0.0.1]'), 'the line holds an e-mail address in an id, a tag name or a URL'],
  ])('rejects a record that must not be published, and stores nothing of a strict import: %#', async (line, expected) => {
    for (const strict of [false, true]) {
      problems.splice(0);
      expect(await take([news('good'), line], { strict })).toMatchObject({ stored: strict ? 0 : 1, problems: 1 });
      expect(problems).toEqual([expect.stringContaining(`in.ndjson:2: ${expected}`)]);
      expect(problems[0]).not.toMatch(/ada|secret|10\.0/);
      store = new FakeStore();
    }
  });

  it.each([
    ['a text', news('n1', { title: SECRET.repeat(101) })],
    ['an id', news(`${SECRET} id`)],
    ['a URL', news('n1', { url: SECRET })],
    ['a tag', release({ tagName: `${SECRET} tag` })],
    ['a path', commit({ changedPaths: [SECRET.repeat(500)] })],
    ['a branch', commit({ branch: SECRET.repeat(100) })],
    ['a repository', commit({ repository: `acme/${SECRET}/x` })],
    ['a ref', commit({ repositoryRef: `acme/${SECRET}` })],
    ['a commit', commit({ sha: SECRET })],
    ['the id of a deletion', { kind: 'commit', id: `acme/${SECRET}@x`, deleted: true }],
    ['the id of another kind', { kind: 'commit', id: [SECRET], deleted: true }],
  ])('does not quote %s, which may be private', async (_, line) => {
    expect(await take([line])).toMatchObject({ stored: 0, problems: 1 });
    expect(problems[0]).not.toContain(SECRET);
  });

  it('quotes at most 80 characters of a value, and no e-mail address', async () => {
    const long = 'y'.repeat(5_000);
    const lines = [
      { kind: long },
      { kind: 'ada@acme.example' },
      check({ state: long }),
      check({ checkedAt: long }),
      { ...news('n1'), [long]: 1, 'ada@acme.example': 2 },
    ];
    await take(lines);
    expect(problems).toHaveLength(6);
    for (const problem of problems) expect(problem).not.toMatch(/y{81}|@acme/);
  });

  it('reads a byte order mark, CRLF, blank lines and a last line without an end', async () => {
    const text = `\uFEFF${JSON.stringify(news('n1'))}\r\n\r\n   \n${JSON.stringify(news('n2'))}\n${JSON.stringify(news('n3'))}`;
    expect(await take(text)).toMatchObject({ lines: 3, stored: 3, problems: 0 });
  });

  it('reports bytes that are not UTF-8 with their line', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${JSON.stringify(news('n1'))}\n{"kind":"news","title":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]);
    expect(await take(bytes)).toMatchObject({ stored: 1, problems: 1 });
    expect(problems).toEqual(['in.ndjson:2: the line is not UTF-8; save the file as UTF-8']);
  });

  it('reads a long line and rejects one over 16 MB', async () => {
    const long = news('n1', { summary: 'x'.repeat((isTorture ? 15 : 1) * 1_024 * 1_024) });
    const text = [JSON.stringify(long), 'y'.repeat(17 * 1_024 * 1_024), JSON.stringify(news('n2'))].join('\n');
    expect(await take(text)).toMatchObject({ lines: 3, stored: 1, problems: 2 });
    expect(problems[0]).toBe('in.ndjson:1: summary: is too long; write a text of at most 65,536 characters');
    expect(problems[1]).toBe('in.ndjson:2: the line is longer than 16 MB; write shorter records');
  });

  it('stores nothing in strict mode if any line is invalid, and everything if none is', async () => {
    expect(await take([news('n1'), { kind: 'news' }], { strict: true })).toMatchObject({ stored: 0 });
    expect(store.batches).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
    expect(await take([news('n1')], { strict: true })).toMatchObject({ stored: 1, problems: 0, lines: 1 });
  });

  it('reports a record that the store rejects with the line it came from', async () => {
    store.refuse = (record) => (record.kind === 'check' ? 'frozen-day' : null);
    const report = await take([news('n1'), check(), news('n2')]);
    expect(report).toMatchObject({ stored: 2, problems: 1 });
    expect(problems).toEqual([
      'in.ndjson:2: checkedAt: lies on a day that is older than the retention, so its counts are final; leave the check out',
    ]);
  });

  it('counts records that were already stored', async () => {
    await take([news('n1')]);
    expect(await take([news('n1'), news('n2')])).toMatchObject({ stored: 1, unchanged: 1 });
  });

  it('writes in batches, so that memory does not grow with the file', async () => {
    await take(Array.from({ length: 3_100 }, (_, i) => news(`n${String(i)}`)));
    expect(store.batches.length).toBeGreaterThan(3);
    expect(Math.max(...store.batches)).toBeLessThanOrEqual(1_000);
  });

  it('keeps the order of storing and deleting', async () => {
    const gone = { kind: 'news', id: 'n1', deleted: true };
    expect(await take([news('n1'), gone, news('n2'), gone, news('n1', { title: 'Again' })])).toMatchObject({ removed: 1, problems: 0 });
    expect(store.all).toMatchObject([{ id: 'n1', title: 'Again' }, { id: 'n2' }]);
  });

  it('ends when it is aborted', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(take([news('n1')], { signal: stop.signal })).rejects.toThrow();
    expect(store.all).toEqual([]);
  });
});

describe('a deletion', () => {
  const article = {
    kind: 'article',
    id: 'a1',
    articleKind: 'help',
    title: 'T',
    body: '',
    bodyFormat: 'text',
    url: 'https://acme.example/a',
    language: 'en',
    publishedAt: '2026-11-20T10:00:00Z',
    sourceUrl: 'https://acme.example/a',
    provenance,
  };

  it.each([
    ['repository', { kind: 'repository', fullName: 'acme/widget', provenance }, { id: 'ACME/widget' }],
    ['commit', commit(), { id: `Acme/widget@${'A'.repeat(40)}` }],
    [
      'commit of a pinned repository',
      commit({ repository: 'acme/pinned', repositoryRef: 'acme/pinned#1' }),
      { id: `acme/pinned@${'a'.repeat(40)}`, repositoryRef: 'acme/pinned#1' },
    ],
    [
      'release',
      {
        kind: 'release',
        repository: 'acme/widget',
        tagName: 'a@b',
        name: '',
        releaseType: 'stable',
        publishedAt: '2026-11-20T10:00:00Z',
        sourceUrl: 'https://acme.example/r',
        provenance,
      },
      { id: 'acme/widget@a@b' },
    ],
    ['finding', finding(), { id: 'f1', repository: 'acme/WIDGET' }],
    ['article of a repository', { ...article, repository: 'acme/widget' }, { id: 'a1', repository: 'acme/widget' }],
    ['article of no repository', article, { id: 'a1' }],
    ['news', news('n1'), { id: 'n1' }],
    ['service', { kind: 'service', key: 'acme:api', displayName: 'API', healthUrl: 'https://acme.example/', provenance }, { id: 'acme:api' }],
    ['check', check(), { id: 'acme:api@2026-11-20T10:00:00.000Z@Acme' }],
    ['status-day', statusDay(), { id: 'acme:api@2025-01-01' }],
    [
      'sync',
      { kind: 'sync', id: 'git acme/widget', repository: 'acme/widget', lastSuccessAt: '2026-11-20T10:00:00Z', intervalMs: 60_000 },
      { id: 'git acme/widget' },
    ],
  ])('removes a %s', async (_, record, identity) => {
    await take([record], { admits: () => true });
    expect(problems).toEqual([]);
    expect(store.all).toHaveLength(1);
    expect(await take([{ kind: record.kind, ...identity, deleted: true }])).toMatchObject({ removed: 1, problems: 0 });
    expect(store.all).toEqual([]);
  });

  it('is applied even if the repository is no longer approved', async () => {
    const identity = { kind: 'commit', id: `acme/widget@${'a'.repeat(40)}`, deleted: true };
    await take([commit()]);
    expect(await take([identity], { approved: Allowlist.of('acme/other').approved() })).toMatchObject({ removed: 1, skipped: 0, problems: 0 });
    expect(store.all).toEqual([]);
  });

  const pinned = (id: string | null) => ({ repository: 'acme/widget', ...(id !== null && { repositoryRef: `acme/widget#${id}` }) });
  const widget = (id: string | null) => new Allowlist([{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: id }]).approved();

  it.each([
    ['has left the list', Allowlist.of('acme/other').approved()],
    ['has another id', widget('100')],
    ['has no id any more', widget(null)],
    ['has its id still', widget('99')],
  ])('by name alone removes records that were stored with a forge id: the repository %s', async (_, approved) => {
    const records = [
      { kind: 'repository', fullName: 'acme/widget', provenance, repositoryRef: 'acme/widget#99' },
      commit(pinned('99')),
      finding(pinned('99')),
      { ...article, ...pinned('99') },
    ];
    const other = commit({ repository: 'acme/widget2', repositoryRef: 'acme/widget2#99' });
    expect(await take([...records, commit(pinned(null)), other], { admits: () => true })).toMatchObject({ stored: 6, problems: 0 });
    const deletions = [
      { kind: 'repository', id: 'acme/widget', deleted: true },
      { kind: 'commit', id: `acme/widget@${'a'.repeat(40)}`, deleted: true },
      { kind: 'finding', id: 'f1', repository: 'acme/widget', deleted: true },
      { kind: 'article', id: 'a1', repository: 'acme/widget', deleted: true },
      { kind: 'commit', id: `acme/widget@${'b'.repeat(40)}`, deleted: true },
    ];
    // A line counts once, although the commit was stored under two refs.
    expect(await take(deletions, { approved })).toMatchObject({ removed: 4, problems: 0 });
    expect(store.all).toMatchObject([{ repositoryRef: 'acme/widget2#99' }]);
  });

  it('with a ref removes nothing of another ref', async () => {
    await take([commit(pinned('99')), commit(pinned(null))], { admits: () => true });
    const id = `acme/widget@${'a'.repeat(40)}`;
    expect(await take([{ kind: 'commit', id, repositoryRef: 'acme/widget', deleted: true }])).toMatchObject({ removed: 1 });
    expect(store.all).toMatchObject([{ repositoryRef: 'acme/widget#99' }]);
  });

  it('of an article does not remove the one of another repository', async () => {
    await take([article, { ...article, repository: 'acme/widget' }]);
    await take([{ kind: 'article', id: 'a1', deleted: true }]);
    expect(store.all).toMatchObject([{ repositoryRef: 'acme/widget' }]);
  });

  it.each([
    [{ kind: 'finding', id: 'f1', deleted: true }, 'id: names no finding; write the id, and repository beside it'],
    [{ kind: 'commit', id: 'acme/widget@123', deleted: true }, 'id: names no commit; write owner/name@sha'],
    [{ kind: 'commit', id: 'a'.repeat(40), deleted: true }, 'id: names no commit; write owner/name@sha'],
    [{ kind: 'repository', id: 'acme/widget@1.0', repositoryRef: 'acme/widget', deleted: true }, 'id: names no repository; write owner/name'],
    [{ kind: 'check', id: 'acme:api@yesterday@x', deleted: true }, 'id: names no check; write serviceKey@checkedAt@source'],
    [{ kind: 'news', deleted: true }, 'id: is missing'],
    [{ kind: 'news', id: 'n1', deleted: false }, 'deleted: is not true'],
    [{ kind: 'news', id: 'n1', deleted: true, title: 'x' }, 'title: is not a key here'],
  ])('%j is rejected', async (line, expected) => {
    expect(await take([line])).toMatchObject({ removed: 0, problems: 1 });
    expect(problems[0]).toContain(expected);
  });
});
