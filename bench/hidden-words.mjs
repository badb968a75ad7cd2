import * as core from '../packages/core/dist/index.js';
import { aCommit, NOW } from '../packages/core/dist/testing/index.js';
import { openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { createMongoReaders, initStore, openMongoStore } from '../packages/adapters-mongo/dist/index.js';
import { atMost, percentile } from './measure.mjs';
import { benchMongod, filled } from './mongod.mjs';

const HIDDEN = 50_000;
const FEW_HIDDEN = 1_000;
const SHOWN = 1_000;
const SAMPLES = 200;
const FEW_SAMPLES = 100;
const BATCH = 1_000;
const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };
const approved = core.Allowlist.of('acme/widget').approved();

/** A repository whose entries a search on MongoDB cannot tell from those of the approved one by their tag of 16 bits. */
function sharingTheTag() {
  const tag = (ref) => core.scopeTag(ref).slice(0, 4);
  for (let serial = 0; ; serial++) if (tag(`acme/hidden${String(serial)}`) === tag('acme/widget')) return `acme/hidden${String(serial)}`;
}

/** What somebody stores who gives hidden records search entries too: one word stands in all hidden commits, and in no other. */
async function fill({ writer }, repositoryRef, count) {
  const commits = (ref, length, title) =>
    Array.from({ length }, (_, serial) =>
      aCommit({
        repositoryRef: ref,
        sha: serial.toString(16).padStart(40, '0'),
        title: `${title} ${String(serial)}`,
        committedAt: NOW - serial * 1_000,
      }),
    );
  const records = [...commits('acme/widget', SHOWN, 'common'), ...commits(repositoryRef, count, 'zebra common')];
  for (let start = 0; start < records.length; start += BATCH) await writer.put(records.slice(start, start + BATCH), context);
}

/** How much longer the median search for the hidden word takes than that for a word that exists nowhere. Both are asked in turn, in either order. */
async function difference(count, readersOf) {
  const times = { zebra: [], okapi: [] };
  for (let sample = -count / 10; sample < count; sample++)
    for (const q of sample % 2 === 0 ? ['zebra', 'okapi'] : ['okapi', 'zebra']) {
      const { search } = readersOf();
      const query = { words: core.searchWordsOf(q), types: core.SEARCH_TYPES, limit: 20, after: null, to: NOW };
      const start = performance.now();
      const { items } = await search.search(approved, query, context);
      if (sample >= 0) times[q].push(performance.now() - start);
      if (items.length > 0) throw new Error(`${q} was found`);
    }
  return percentile(times.zebra, 0.5) - percentile(times.okapi, 0.5);
}

/** The bound that is left where somebody else fills the store: docs/guides/stored-documents.md names it. */
export async function hiddenWordFigures() {
  const what = (where, count) =>
    `search for a word that only ${count.toLocaleString('en')} hidden commits hold against one that exists nowhere, ${where}`;
  const memory = await openMemoryStore({ clock });
  await fill(memory, 'acme/secret', HIDDEN);
  await memory.searchReady;
  const embedded = await difference(SAMPLES, () => memory.readers);
  await memory.close();
  return [atMost(what('embedded store without an allowlist: p50 longer by', HIDDEN), embedded, 'ms', 3), ...(await mongoFigures(what))];
}

async function mongoFigures(what) {
  const { client, stop } = await benchMongod();
  try {
    const fillDb = (ref, count) => async (db) => {
      await initStore(db, { clock });
      const store = openMongoStore(db, { clock });
      await fill(store, ref, count);
      await store.close();
    };
    const many = await filled(client, 'hidden_words_1', fillDb('acme/secret', HIDDEN));
    const sharing = await filled(client, 'hidden_words_tag_1', fillDb(sharingTheTag(), FEW_HIDDEN));
    const readersOf = (db) => createMongoReaders(db, { clock, maxTimeMs: 60_000 });
    const [manyReaders, sharingReaders] = [readersOf(many), readersOf(sharing)];
    return [
      atMost(what('MongoDB filled by others, asked first: p50 longer by', HIDDEN), await difference(FEW_SAMPLES, () => readersOf(many)), 'ms', 10),
      atMost(what('MongoDB filled by others, asked again: p50 longer by', HIDDEN), await difference(SAMPLES, () => manyReaders), 'ms', 1),
      atMost(what('MongoDB filled by others, tag shared: p50 longer by', FEW_HIDDEN), await difference(FEW_SAMPLES, () => sharingReaders), 'ms', 150),
    ];
  } finally {
    await stop();
  }
}
