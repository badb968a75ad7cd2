import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore, type OpenMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, type ApprovedRepositories, SEARCH_TYPES, searchWordsOf, UnavailableError } from '@vitrine/core';
import { aFinding, NOW, StandingClock } from '@vitrine/core/testing';
import { until } from '@vitrine/test-support';
import { pino } from 'pino';
import { LocalSearch } from './deployment.js';

const context = { signal: new AbortController().signal };
const widget = Allowlist.of('acme/widget').approved();
const gadget = Allowlist.of('acme/gadget').approved();

describe('the search index of a server beside a database', () => {
  let store: OpenMemoryStore;
  let folder: string;
  let lines: string;
  let search: LocalSearch;

  beforeEach(async () => {
    store = await openMemoryStore({ clock: new StandingClock(NOW) });
    await store.writer.put([aFinding({ repositoryRef: 'acme/widget', title: 'zebra' })], context);
    folder = mkdtempSync(join(tmpdir(), 'vitrine-local-search-'));
    lines = '';
  });
  afterEach(async () => {
    await search.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const openedIn = (place: string): LocalSearch => {
    const logger = pino({ base: null }, { write: (line: string) => void (lines += line) });
    return new LocalSearch({ scan: store.scan, feed: store.changeFeed, name: 'test' }, place, logger);
  };
  const found = async (approved: ApprovedRepositories): Promise<number> => {
    const words = searchWordsOf('zebra');
    if (words === null) throw new Error('zebra is a word');
    return (await search.search.search(approved, { words, types: SEARCH_TYPES, limit: 9, after: null, to: NOW }, context)).items.length;
  };

  it('begins when it is known what is approved, and follows the list', async () => {
    search = openedIn(folder);
    let list: ApprovedRepositories | null = null;
    search.follow({
      current: () => {
        if (list === null) throw new UnavailableError('not read yet');
        return list;
      },
    });
    expect([search.isBuilding, readdirSync(folder)]).toEqual([true, []]);
    list = widget;
    await until(() => !search.isBuilding);
    expect(await found(widget)).toBe(1);
    list = gadget;
    // Also the words go: nobody who may see everything finds them there.
    await until(async () => (await found(Allowlist.of('acme/widget', 'acme/gadget').approved())) === 0);
    expect(readdirSync(folder).some((name) => name.startsWith('search-test-'))).toBe(true);
  });

  it('is kept in memory and reported if the folder cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '');
    search = openedIn(join(folder, 'file', 'search'));
    search.follow({ current: () => widget });
    await until(() => !search.isBuilding);
    expect([await found(widget), lines.split('kept in memory')]).toMatchObject([1, { length: 2 }]);
  });
});
