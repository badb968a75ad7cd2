import { Allowlist, SEARCH_TYPES, searchWordsOf, type PlainRecord, type StoredRecord } from '@vitrine/core';
import {
  aCheck,
  aCommit,
  aFinding,
  anArticle,
  aRelease,
  aRepositoryRecord,
  aService,
  evidenceFrom,
  LIST_SPECS,
  NOW,
  oneOfEach,
  someNews,
} from '@vitrine/core/testing';
import { describeMongo, emptied } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import type { StoredDocument } from '../src/documents/codec.js';
import { specOf } from '../src/documents/documents.js';
import { initStore, openMongoStore, reindexStore } from '../src/index.js';
import { checkDocument } from '../src/status/status-documents.js';
import { indexed } from './support/indexed.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const approved = Allowlist.of('acme/widget').approved();
const ADDRESS = 'ada@example.org';
const MAIL = `Ada <${ADDRESS}>`;
const QUERY = { limit: 50, after: null, from: null, to: NOW };

/** Writes records like a collector that has no rule about e-mail addresses. */
describeMongo('a database whose writer stored e-mail addresses', (databases) => {
  let db: Db;
  let told: string[] = [];

  const insert = async (records: readonly PlainRecord[]): Promise<void> => {
    for (const record of records) {
      const { collection, toDocument } = specOf(record.kind);
      await db.collection<StoredDocument>(collection).insertOne(toDocument(record));
    }
  };
  const insertChecks = (...checks: Parameters<typeof checkDocument>[0][]) =>
    db.collection<StoredDocument>('status_checks').insertMany(checks.map(checkDocument));
  const open = () => openMongoStore(db, { clock, monitor: { quarantined: (kind, id, reason) => void told.push(`${kind} ${id}: ${reason}`) } });
  const stored = async (): Promise<StoredRecord[]> => {
    const records: StoredRecord[] = [];
    for await (const record of open().collection.records(context)) records.push(record);
    return records;
  };
  const found = async (q: string): Promise<number> => {
    const words = searchWordsOf(q) ?? { whole: [], prefix: null };
    const store = indexed(open());
    const { items } = await store.readers.search.search(approved, { words, types: SEARCH_TYPES, ...QUERY }, context);
    await store.close();
    return items.length;
  };

  beforeAll(async () => {
    db = await databases.prepared(initStore);
  });

  beforeEach(async () => {
    told = [];
    await emptied(db);
  });

  it('is read without them, in every kind', async () => {
    const dirty = oneOfEach().filter((record): record is PlainRecord => record.kind !== 'check' && record.kind !== 'status-day');
    const withMail = dirty.map((record) => (record.kind === 'sync' ? record : { ...record, provenance: { ...record.provenance, source: MAIL } }));
    await insert(withMail);
    const read = await stored();
    expect(read.map(({ kind }) => kind).sort()).toEqual(dirty.map(({ kind }) => kind).sort());
    expect(JSON.stringify(read)).not.toContain('example.org');
    for (const spec of LIST_SPECS) {
      const { items } = await spec.list(open().readers, approved, QUERY, {}, context);
      expect(JSON.stringify(items)).not.toContain('example.org');
    }
    expect(told).toEqual([]);
  });

  it('shows a commit without them, and does not find it by them', async () => {
    await insert([
      aRepositoryRecord({ defaultBranch: ADDRESS }),
      aCommit({ title: `by ${MAIL}`, authorName: MAIL, authorLogin: ADDRESS, branch: ADDRESS }),
      someNews({ source: MAIL }),
    ]);
    const { readers } = open();
    const commits = async (over: object) =>
      (await readers.commits.list(approved, { ...QUERY, author: null, changeType: null, branch: null, ...over }, context)).items;
    expect(await commits({})).toMatchObject([{ title: 'by Ada', authorName: 'Ada', authorLogin: '', branch: null }]);
    expect(await readers.commits.bySha(approved, aCommit().sha, context)).toMatchObject([{ title: 'by Ada' }]);
    expect([await commits({ author: MAIL }), await commits({ author: ADDRESS }), await commits({ branch: ADDRESS })]).toEqual([[], [], []]);
    expect((await readers.news.list({ ...QUERY, source: MAIL }, context)).items).toEqual([]);
    expect([await found('ada'), await found('example'), await found('org')]).toEqual([2, 0, 0]);
    expect(await readers.repositories.byRefs(approved, ['acme/widget'], context)).toMatchObject([{ defaultBranch: null }]);
  });

  it('skips a record with one in an id, a tag name or a URL, or with the name of another repository, fills the page, and logs neither', async () => {
    const releases = Array.from({ length: 6 }, (_, serial) => aRelease({ tagName: `v${String(serial)}`, publishedAt: NOW - serial }));
    const refused = [
      aRelease({ tagName: ADDRESS }),
      aRelease({ tagName: 'v7', sourceUrl: 'https://git.example/acme/widget?by=ada%40example.org' }),
      aRelease({ tagName: 'v8', id: 'acme/secret@v8' }),
    ].map((release, serial) => ({ ...release, publishedAt: NOW - serial }));
    await insert([...releases, ...refused, aFinding({ id: ADDRESS }), anArticle({ url: `https://h.example/?to=${ADDRESS}` })]);
    const { readers } = open();
    const page = await readers.releases.list(approved, { ...QUERY, limit: 5, platform: null, releaseType: null }, context);
    expect(page.items.map(({ tagName }) => tagName)).toEqual(releases.slice(0, 5).map(({ tagName }) => tagName));
    expect(await readers.releases.byId(approved, 'acme/secret@v8', context)).toBeNull();
    expect(await readers.findings.byId(approved, ADDRESS, context)).toBeNull();
    expect((await stored()).map(({ kind }) => kind)).toEqual(releases.map(({ kind }) => kind));
    expect(told.join('\n')).not.toMatch(/example\.org|secret/);
    expect(new Set(told.map((line) => line.replace(/^(\w+) .*: /, '$1: ')))).toEqual(
      new Set(['release: email-in-identifier', 'release: foreign-id', 'finding: email-in-identifier', 'article: email-in-identifier']),
    );
  });

  it.each(['.', '..'])('passes over a record with the id %s, which nobody could ask for, and reports it', async (id) => {
    await insert([someNews({ id: 'nws_1' }), someNews({ id })]);
    expect((await stored()).map((record) => 'id' in record && record.id)).toEqual(['nws_1']);
    expect(told).toEqual([expect.stringMatching(/^news .*: .*id: /)]);
  });

  it('shows no latest release that must not be published', async () => {
    await insert([aRepositoryRecord()]);
    const summary = {
      tagName: ADDRESS,
      name: 'x',
      releaseType: 'stable',
      platform: null,
      publishedAt: new Date(NOW - 1),
      sourceUrl: 'https://h.example',
    };
    const facts = async (latestRelease: Document): Promise<unknown> => {
      await db.collection('repositories').updateOne({}, { $set: { latestActivityAt: new Date(NOW - 1), latestRelease, upcoming: [] } });
      const [repository] = await open().readers.repositories.byRefs(approved, ['acme/widget'], context);
      return repository?.latestRelease?.name ?? null;
    };
    expect([await facts(summary), await facts({ ...summary, tagName: 'v1', name: MAIL })]).toEqual([null, 'Ada']);
  });

  it('shows checks without them, and none of a source whose name contains one', async () => {
    await insert([aService()]);
    const source = { ...aCheck().provenance, source: MAIL };
    await insertChecks(aCheck({ rawState: MAIL }), aCheck({ checkedAt: NOW - 90_000, provenance: source }));
    await reindexStore(db, { clock, ...context, onProgress: () => undefined });
    const { readers } = open();
    const { items } = await readers.checks.list(aCheck().serviceKey, QUERY, context);
    expect(items.map(({ rawState }) => rawState)).toEqual(['Ada']);
    const evidence = await evidenceFrom(readers.checks, { serviceKeys: null, windows: [], now: NOW }, context);
    expect(JSON.stringify([...evidence])).not.toContain('example.org');
    expect(evidence.get(aCheck().serviceKey)?.newest).toHaveLength(1);
  });
});
