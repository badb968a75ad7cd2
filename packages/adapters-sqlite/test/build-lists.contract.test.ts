import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, KINDS, LISTED_KINDS } from '@vitrine/core';
import { aBuild, anIncident, NOW, StandingClock } from '@vitrine/core/testing';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { openLocalStore } from './open-local-store.js';
import { bringBack } from './older-format.js';

const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();
const query = { limit: 10, after: null, from: null, to: NOW, branch: null, state: null };

it('builds of a file of an older format are listed by state and branch, but for damaged ones', async () => {
  const path = mkdtempSync(join(tmpdir(), 'vitrine-builds-'));
  const clock = new StandingClock(NOW);
  const store = await openLocalStore({ clock, path });
  const builds = (['failed', 'succeeded', 'failed', 'failed'] as const).map((state, index) =>
    aBuild({ id: `bld_${String(index)}`, state, branch: index === 2 ? null : 'main', startedAt: NOW - index }),
  );
  await store.writer.put(builds, context);
  await store.close();
  const database = new SqliteDatabase(join(path, 'vitrine.db'));
  bringBack(database, 8);
  expect(database.number("select count(*) from listing l join list n on n.id = l.list where n.name like 'build %=%'")).toBe(0);
  database.exec("update record set json = '{' where key like 'bld_3%'");
  database.close();
  const migrated = await openLocalStore({ clock, path });
  const idsOf = async (filters: object) =>
    (await migrated.readers.builds.list(approved, { ...query, ...filters }, context)).items.map(({ id }) => id);
  expect(await idsOf({ state: 'failed' })).toEqual(['bld_0', 'bld_2']);
  expect(await idsOf({ state: ['failed', 'succeeded'], branch: 'main' })).toEqual(['bld_0', 'bld_1']);
  await migrated.writer.put([aBuild({ id: 'bld_0', state: 'running', branch: 'main', startedAt: NOW })], context);
  expect([await idsOf({ state: 'failed' }), await idsOf({ state: 'running' })]).toEqual([['bld_2'], ['bld_0']]);
  await migrated.close();
  rmSync(path, { recursive: true });
});

it('a list of incidents that are not over, of an older format, leaves nothing behind', async () => {
  const path = mkdtempSync(join(tmpdir(), 'vitrine-incidents-'));
  const clock = new StandingClock(NOW);
  const store = await openLocalStore({ clock, path });
  const incident = anIncident({ id: 'inc_1', state: 'investigating' });
  await store.writer.put([incident], context);
  await store.close();
  const database = new SqliteDatabase(join(path, 'vitrine.db'));
  bringBack(database, 10);
  expect(database.number('select count(*) from listing l join list n on n.id = l.list where n.name = ?', 'incident unresolved=true')).toBe(1);
  database.close();
  const migrated = await openLocalStore({ clock, path });
  expect(await migrated.readers.incidents.unresolved(NOW, context)).toEqual([incident]);
  await migrated.writer.remove([incident], context);
  expect((await migrated.check(context)).damages).toEqual([]);
  await migrated.close();
  rmSync(path, { recursive: true });
});

it('the stored lists have the filters that kinds have; a new filter needs an entry in MIGRATIONS that lists the stored records', () => {
  const filters = LISTED_KINDS.flatMap((kind) => Object.entries(KINDS[kind].filters).map(([name, field]) => `${kind} ${name}: ${field}`));
  expect(filters.sort()).toEqual([
    'article articleKind: articleKind',
    'article language: language',
    'article tag: tags',
    'build branch: branch',
    'build state: state',
    'commit author: author',
    'commit branch: branch',
    'commit changeType: changeType',
    'finding changeType: changeType',
    'finding status: status',
    'incident covers: covers',
    'incident kind: incidentKind',
    'incident service: services.key',
    'incident state: state',
    'mission status: status',
    'news source: source',
    'release platform: platform',
    'release releaseType: releaseType',
    'video source: provenance.source',
  ]);
});
