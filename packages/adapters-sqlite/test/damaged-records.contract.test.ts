import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, keyOfIdentity, UnavailableError, type ListedKind, type ListedRecord } from '@vitrine/core';
import {
  aCommit,
  aFinding,
  damagedRecordContract,
  LIST_SPECS,
  lostStoreContract,
  NOW,
  type DamageableStore,
  type LosableStore,
} from '@vitrine/core/testing';
import { StoreFiles } from '../src/folder/store-files.js';
import { SqliteStore } from '../src/open-sqlite-store.js';
import { startLocal } from './start-local.js';
import { openLocalStore } from './open-local-store.js';

const kinds = LIST_SPECS.map(({ kind }) => kind);
const isTorture = process.env['VITRINE_TORTURE'] === '1';
/** The records of all kinds are read in one way. A normal run takes every fourth kind for each damage, and so each kind with two damages. */
const kindsFor = (damage: number): readonly ListedKind[] => kinds.filter((_, kind) => isTorture || (kind + damage) % 4 === 0);
const context = { signal: new AbortController().signal };
const APPROVED = Allowlist.of('acme/widget').approved();

/** Bytes. */
const INTACT = 40 * 4_096;
const MAIL_URL = 'https://git.example/acme/widget/x?to=ada%40example.org';

type Damage = (record: ListedRecord) => string;

const DAMAGES: readonly (readonly [string, Damage])[] = [
  ['is cut', (record) => JSON.stringify(record).slice(0, -20)],
  ['is no object', () => '"text"'],
  ['has no kind', (record) => JSON.stringify({ ...record, kind: undefined })],
  [
    'has another id',
    (record) =>
      JSON.stringify(record)
        .replaceAll('acme/widget', 'acme/gadget')
        .replaceAll(/"(id|sha)":"./g, '"$1":"_'),
  ],
  ['has no provenance', (record) => JSON.stringify({ ...record, provenance: undefined })],
  ['has an e-mail address in its URL', (record) => JSON.stringify({ ...record, provenance: { ...record.provenance, sourceUrl: MAIL_URL } })],
];

interface OpenDamageable extends DamageableStore<ListedKind>, LosableStore<ListedKind> {
  readonly quarantined: string[];
  readonly sql: (sql: string, record: ListedRecord) => unknown;
}

async function openDamageable(damage: Damage): Promise<OpenDamageable> {
  const quarantined: string[] = [];
  const monitor = { quarantined: (...told: readonly string[]) => quarantined.push(told.join(' ')) };
  const files = await StoreFiles.open(null);
  const store = new SqliteStore(files, { clock: { now: () => NOW }, path: null, monitor }, startLocal);
  return {
    quarantined,
    readers: store.readers,
    fill: (records) => store.writer.put(records, context),
    damage: (record) =>
      Promise.resolve(
        files.database.run('update record set json = ? where kind = ? and key = ?', damage(record), record.kind, keyOfIdentity(record)),
      ),
    sql: (sql, record) => files.database.run(sql, record.kind, keyOfIdentity(record)),
    lose: () => store.close(),
    close: () => store.close(),
  };
}

/** Each text of a record with a byte that is not UTF-8: its parameters are the kind and the key. */
const NOT_UTF8: readonly (readonly [string, readonly string[]])[] = [
  [
    'JSON',
    [
      "update record set json = cast(substr(cast(json as blob), 1, 40) || x'ff' || substr(cast(json as blob), 42) as text) where kind = ?1 and key = ?2",
    ],
  ],
  [
    'key',
    [
      "update listing set key = cast(x'ff' || key as text) where ?1 <> '' and key = ?2",
      "update record set key = cast(x'ff' || key as text) where kind = ?1 and key = ?2",
    ],
  ],
];

describe.each(NOT_UTF8.map(([what, changes], index) => [what, changes, kindsFor(index)] as const))(
  'a stored record whose %s is not UTF-8',
  (_what, changes, some) => {
    const damageWith = async () => {
      const store = await openDamageable(() => '');
      const damage = async (record: ListedRecord) => {
        for (const change of changes) await store.sql(change, record);
      };
      return { ...store, damage };
    };
    it.each(damagedRecordContract({ kinds: some, open: damageWith }))('$name', ({ run }) => run());
  },
);

describe.each(DAMAGES.map(([what, damage], index) => [what, damage, kindsFor(index + NOT_UTF8.length)] as const))(
  'a stored record that %s',
  (_what, damage, some) => {
    it.each(damagedRecordContract({ kinds: some, open: () => openDamageable(damage) }))('$name', ({ run }) => run());
  },
);

describe('a store that is closed', () => {
  it.each(lostStoreContract({ kinds, open: () => openDamageable(() => '') }))('$name', ({ run }) => run());
});

describe('the monitor', () => {
  it('hears of each damaged record, with its id and the reason', async () => {
    const store = await openDamageable(() => '{');
    await store.fill([aFinding()]);
    await store.damage(aFinding());
    const { findings } = store.readers;
    if (findings === undefined) throw new Error('no findings');
    const found = await findings.list(APPROVED, { limit: 5, after: null, from: null, to: NOW, status: null, changeType: null }, context);
    expect(found.items).toEqual([]);
    expect(store.quarantined).toEqual([`finding ${keyOfIdentity(aFinding())} unreadable`]);
    await store.close?.();
  });
});

describe('a file with damaged pages', () => {
  it('cannot be read, and says so, in lists and to a writer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-damaged-'));
    const filled = await openLocalStore({ clock: { now: () => NOW }, path: folder });
    const commits = Array.from({ length: 200 }, (_, index) => aCommit({ sha: `${String(index)}f`.padEnd(40, '0') }));
    await filled.writer.put(commits, context);
    await filled.close();
    const file = await open(join(folder, 'vitrine.db'), 'r+');
    const { size } = await file.stat();
    // The first pages have the schema and the roots of the tables.
    await file.write(Buffer.alloc(size - INTACT, 7), 0, size - INTACT, INTACT);
    await file.close();
    const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
    const query = { limit: 5, after: null, from: null, to: NOW, author: null, branch: null, changeType: null };
    await expect(store.readers.commits.list(APPROVED, query, context)).rejects.toThrow(UnavailableError);
    await expect(store.writer.put([aCommit()], context)).rejects.toMatchObject({ problem: 'damaged' });
    await store.close();
    await rm(folder, { recursive: true });
  });
});
