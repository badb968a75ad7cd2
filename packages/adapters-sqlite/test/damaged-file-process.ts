import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Allowlist,
  type Commit,
  createUseCases,
  DAY,
  NotFoundError,
  type QuarantineMonitor,
  type StoredRecord,
  type TimePage,
  type TimePosition,
  UnavailableError,
} from '@vitrine/core';
import { aCheck, aCommit, anIncident, aRelease, aRepositoryRecord, aService, aSync, NOW, Random } from '@vitrine/core/testing';
import { isSqliteError } from '../src/database/sqlite-database.js';
import { StoreFolderError, type OpenSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';

/**
 * Damages copies of a store, opens each, and uses everything in it. The driver ends the process if it reads text that is not UTF-8, so this needs a process of its own.
 *
 * First with random bytes at random places: prints a line for each copy, and ends with an error if a use fails in another way than by saying that the store is damaged.
 * Then with a byte that is not UTF-8 in random commits: prints the damaged, the reported, the listed and the exported shas of each copy as JSON.
 */
const [folder = '', seed = '1', rounds = '1'] = process.argv.slice(2);
const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();
const clock = { now: () => NOW };
const COMMITS = 300;
const ALL_COMMITS = { limit: 100, from: null, to: NOW, branch: null, author: null, changeType: null };

function shaOf(number: number): string {
  return String(number).padStart(40, 'a');
}

function records(): readonly StoredRecord[] {
  const numbers = Array.from({ length: COMMITS }, (_, number) => number);
  return [
    aRepositoryRecord(),
    aService(),
    aSync(),
    anIncident(),
    ...numbers.map((number) => aCommit({ sha: shaOf(number), title: `Title ${number}` })),
    ...numbers.slice(0, 20).map((number) => aRelease({ id: `acme/widget@v${number}`, tagName: `v${number}` })),
    ...numbers.map((number) => aCheck({ serviceKey: aService().key, checkedAt: NOW - number * (DAY / 10) })),
  ];
}

async function use({ readers, collection, writer }: OpenSqliteStore): Promise<{ readonly failed: number; readonly exported: number }> {
  const useCases = createUseCases(readers, { clock });
  const both = { ...context, approved };
  let exported = 0;
  const reads = [
    () => useCases.listCommits.execute({ limit: 100 }, both),
    () => useCases.getRepositoryHub.execute({ fullName: 'acme/widget' }, both),
    () => useCases.listRepositories.execute({ limit: 100, after: null }, both),
    () => useCases.getStatus.execute({}, context),
    () => useCases.listServiceDays.execute({ key: aService().key, limit: 100 }, context),
    () => useCases.listIncidents.execute({ limit: 100 }, context),
    () => useCases.search.execute({ q: 'title', types: [], limit: 20, after: null }, both),
    () => useCases.getOverview.execute({}, both),
    () => writer.put([aCommit({ title: 'Another title' }), aCheck({ serviceKey: aService().key, checkedAt: NOW })], context),
    async () => {
      for await (const _ of collection.records(context)) exported += 1;
    },
  ];
  let failed = 0;
  for (const one of reads) {
    await one().catch((error: unknown) => {
      if (!saysDamaged(error)) throw error;
      failed += 1;
    });
  }
  return { failed, exported };
}

function saysDamaged(error: unknown): boolean {
  // The record of the repository may be damaged.
  return error instanceof NotFoundError || error instanceof UnavailableError || error instanceof StoreFolderError || isSqliteError(error);
}

async function opened(bytes: Buffer, monitor: QuarantineMonitor): Promise<OpenSqliteStore> {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  writeFileSync(join(copy, 'vitrine.db'), bytes);
  return openLocalStore({ clock, path: copy, monitor });
}

async function damagedAnywhere(bytes: Buffer, random: Random): Promise<string> {
  for (let places = random.int(20); places >= 0; places--) bytes[random.int(bytes.length)] = random.int(256);
  let quarantined = 0;
  try {
    const store = await opened(bytes, { quarantined: () => void (quarantined += 1) });
    const { failed, exported } = await use(store);
    await store.close();
    return `${String(failed)} of 10 uses failed, ${String(exported)} records exported, ${String(quarantined)} reported`;
  } catch (error) {
    if (!saysDamaged(error)) throw error;
    return 'refused';
  }
}

async function damagedRecords(bytes: Buffer, random: Random): Promise<string> {
  const damaged = [...new Set(Array.from({ length: 1 + random.int(5) }, () => shaOf(random.int(COMMITS))))];
  for (const sha of damaged) damageEach(`"sha":"${sha}"`, bytes, random);
  const reported = new Set<string>();
  const store = await opened(bytes, { quarantined: (_kind, id) => void reported.add(id) });
  const [listed, exported] = [await listedShas(store), [] as string[]];
  for await (const record of store.collection.records(context)) if (record.kind === 'commit') exported.push(record.sha);
  await store.close();
  return JSON.stringify({ damaged, reported: [...reported], listed, exported });
}

/** Unused parts of pages may hold older copies of a text. */
function damageEach(text: string, bytes: Buffer, random: Random): void {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + random.int(text.length)] = 0x80 + random.int(128);
}

async function listedShas({ readers }: OpenSqliteStore): Promise<readonly string[]> {
  const shas: string[] = [];
  let after: TimePosition | null = null;
  do {
    const page: TimePage<Commit> = await readers.commits.list(approved, { ...ALL_COMMITS, after }, context);
    shas.push(...page.items.map(({ sha }) => sha));
    after = page.next;
  } while (after !== null);
  return shas;
}

async function run(): Promise<void> {
  const store = await openLocalStore({ clock, path: join(folder, 'store') });
  await store.writer.put(records(), context);
  await store.close();
  const intact = readFileSync(join(folder, 'store', 'vitrine.db'));
  for (const damagedCopy of [damagedAnywhere, damagedRecords]) {
    const random = new Random(Number(seed));
    for (let number = 0; number < Number(rounds); number++) process.stdout.write(`${await damagedCopy(Buffer.from(intact), random)}\n`);
  }
}

void run();
