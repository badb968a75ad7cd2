import { Allowlist, SEARCH_TYPES, searchWordsOf, type RecordStore, type RepositoryRef, type StoreReaders } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { atMost, percentile, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

const HIDDEN = 50_000;
const SHOWN = 1_000;
const SAMPLES = 200;
const BATCH = 1_000;
const LIMIT = 20;
const SHOWN_REF = 'acme/widget';
const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };
const approved = Allowlist.of(SHOWN_REF).approved();

const shaOf = (serial: number) => serial.toString(16).padStart(40, '0');

/** Fills a store whose index follows no list. One word is in all hidden commits, and in no other record. */
async function fill({ writer }: Pick<RecordStore, 'writer'>, repositoryRef: RepositoryRef, count: number): Promise<void> {
  const commits = (ref: RepositoryRef, length: number, title: string) =>
    Array.from({ length }, (_, serial) =>
      aCommit({ repositoryRef: ref, sha: shaOf(serial), title: `${title} ${String(serial)}`, committedAt: NOW - serial * 1_000 }),
    );
  const records = [...commits(SHOWN_REF, SHOWN, 'common'), ...commits(repositoryRef, count, 'zebra common')];
  for (let start = 0; start < records.length; start += BATCH) await writer.put(records.slice(start, start + BATCH), context);
}

/** The commits on the first page of a search, by repository and sha. */
async function found({ search }: StoreReaders, q: string): Promise<readonly string[]> {
  const words = searchWordsOf(q);
  if (words === null) throw new Error(`${q} holds no word`);
  const { items } = await search.search(approved, { words, types: SEARCH_TYPES, limit: LIMIT, after: null, to: NOW }, context);
  return items.map(({ repositoryRef, record }) => `${repositoryRef}@${record.kind === 'commit' ? record.sha : ''}`);
}

/** How much longer the median search for the hidden word takes than a search for a word that does not exist. The two searches alternate, in both orders. */
async function difference(count: number, readers: StoreReaders): Promise<number> {
  // Check that search works: the word of the shown commits finds them, and no hidden one.
  const shown = Array.from({ length: LIMIT }, (_, serial) => `${SHOWN_REF}@${shaOf(serial)}`);
  mustBe('search for "common"', await found(readers, 'common'), shown);
  const times = { zebra: [] as number[], okapi: [] as number[] };
  for (let sample = -count / 10; sample < count; sample++)
    for (const q of sample % 2 === 0 ? (['zebra', 'okapi'] as const) : (['okapi', 'zebra'] as const)) {
      const start = performance.now();
      const hits = await found(readers, q);
      if (sample >= 0) times[q].push(performance.now() - start);
      mustBe(`search for "${q}"`, hits, []);
    }
  return percentile(times.zebra, 0.5) - percentile(times.okapi, 0.5);
}

/** Measures the limit in docs/guides/stored-documents.md: what time tells before the index follows a list. */
export async function hiddenWordFigures(): Promise<readonly Figure[]> {
  const sqlite = await openSqliteStore({ clock, path: null });
  await fill(sqlite, 'acme/secret', HIDDEN);
  const embedded = await difference(SAMPLES, sqlite.readers);
  await sqlite.close();
  const what = `search for a word that only ${HIDDEN.toLocaleString('en')} hidden commits hold against one that exists nowhere`;
  return [atMost(`${what}, SQLite, if indexFor was never called: p50 longer by`, embedded, 'ms', 3)];
}
