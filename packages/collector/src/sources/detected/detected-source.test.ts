import { openMemoryStore } from '@vitrine/adapters-memory';
import {
  DAY,
  formatInstant,
  HOUR,
  MINUTE,
  MISSED,
  type Check,
  type Incident,
  type Instant,
  type RecordStore,
  type Service,
  type StoredRecord,
} from '@vitrine/core';
import { aCheck, aProvenance, aService } from '@vitrine/core/testing';
import { vouchingWriter } from '../../running/vouching.js';
import type { RunReport } from '../../running/source.js';
import { DETECTED_SOURCE, DetectedSource, storedDetected } from './detected-source.js';

const signal = new AbortController().signal;
const KEY = 'acme:web';
const RETENTION = 400 * DAY;
const NOW = Date.UTC(2026, 10, 20, 14);
const START = NOW - HOUR;

const service = (over: Partial<Service> = {}): Service => aService({ key: KEY, displayName: 'Web', ...over });

function check(minutes: number, state: Check['state'], over: Partial<Check> = {}): Check {
  const checkedAt = START + minutes * MINUTE;
  return aCheck({
    serviceKey: KEY,
    checkedAt,
    state,
    provenance: aProvenance({ source: 'vitrine', sourceKind: 'confirmed-from-source', observedAt: checkedAt }),
    ...over,
  });
}

/** A store, and the source that reads it. */
class World {
  now: Instant = NOW;
  /** The days of which raw checks were read. */
  readonly read: string[] = [];
  readonly source = new DetectedSource({ intervalMs: MINUTE, retentionMs: RETENTION, addressOf: (key) => `https://vitrine.acme.example/s/${key}` });
  private constructor(readonly store: RecordStore) {}

  static async open(...records: readonly StoredRecord[]): Promise<World> {
    let world: World | null = null;
    world = new World(await openMemoryStore({ clock: { now: () => world?.now ?? NOW } }));
    await world.put(...records);
    return world;
  }

  async put(...records: readonly StoredRecord[]): Promise<void> {
    const { refused } = await this.store.writer.put(records, { signal });
    expect(refused).toEqual([]);
  }

  run(source = this.source): Promise<RunReport> {
    const collection = {
      ...this.store.collection,
      checksOf: (...args: Parameters<RecordStore['collection']['checksOf']>) => {
        this.read.push(formatInstant(args[0].day).slice(0, 10));
        return this.store.collection.checksOf(...args);
      },
    };
    const writer = vouchingWriter(source.registration.id, this.store.writer, new AbortController().signal);
    return source.run({ writer, collection, clock: { now: () => this.now }, signal, progress: () => undefined });
  }

  async incidents(): Promise<readonly Incident[]> {
    const found: Incident[] = [];
    for await (const record of this.store.collection.records({ signal })) if (record.kind === 'incident') found.push(record);
    return found.sort((a, b) => a.startedAt - b.startedAt);
  }

  async ids(): Promise<readonly string[]> {
    return (await this.incidents()).map(({ id }) => id);
  }
}

const ID = `detected:${KEY}:20261120T130100Z`;

describe('DetectedSource', () => {
  it('stores an outage when it begins, and resolves it when a check has ended it', async () => {
    const world = await World.open(service(), check(0, 'operational'), check(1, 'outage'));
    world.now = START + 2 * MINUTE;
    expect(await world.run()).toMatchObject({ stored: 1, warnings: [] });
    expect(await world.incidents()).toEqual([
      expect.objectContaining({
        id: ID,
        title: 'Outage of Web',
        incidentKind: 'detected',
        state: 'investigating',
        impact: 'major',
        services: [{ key: KEY, displayName: 'Web', impacts: [{ state: 'outage', startAt: START + MINUTE, endAt: null }] }],
        resolvedAt: null,
        confirmingChecks: 1,
        endUncertain: false,
      }),
    ]);
    await world.put(check(2, 'outage'), check(8, 'operational'));
    world.now = NOW;
    await world.run();
    const [incident] = await world.incidents();
    expect(incident).toMatchObject({ id: ID, state: 'resolved', resolvedAt: START + 8 * MINUTE, confirmingChecks: 2, endUncertain: false });
    expect(incident?.updates.map(({ state, body }) => [state, body])).toEqual([
      ['resolved', 'The outage ended after 7 minutes. 2 checks confirmed it.'],
      ['investigating', 'Checks found that the service is down.'],
    ]);
    expect(incident?.provenance).toMatchObject({ sourceKind: 'service-interpretation', sourceUrl: `https://vitrine.acme.example/s/${KEY}` });
  });

  it.each<[milliseconds: number, text: string]>([
    [40_000, '40 seconds'],
    [MINUTE, '1 minute'],
    [5 * MINUTE - 1, '5 minutes'],
    [59_600, '1 minute'],
    [89_000, '1 minute'],
    [41 * MINUTE + 59_000, '42 minutes'],
  ])('names the length of an outage of %i ms as pages do, rounded', async (milliseconds, text) => {
    const world = await World.open(
      service(),
      check(1, 'outage', { validForMs: HOUR }),
      check(1, 'operational', { checkedAt: START + MINUTE + milliseconds }),
    );
    await world.run();
    expect((await world.incidents())[0]?.updates[0]?.body).toContain(`ended after ${text}.`);
  });

  it('says that the end is not known when the checks stop', async () => {
    const world = await World.open(service(), check(1, 'outage'));
    await world.run();
    const [incident] = await world.incidents();
    expect(incident).toMatchObject({ state: 'resolved', resolvedAt: START + 16 * MINUTE, endUncertain: true });
    expect(incident?.updates[0]?.body).toBe(
      'No valid check is left, so the end of the outage is not known. It is shown for 15 minutes. One check confirmed it.',
    );
  });

  it('leaves out services that somebody else runs, and removes what it stored before', async () => {
    const world = await World.open(service(), check(1, 'outage'), check(2, 'operational'));
    await world.run();
    expect(await world.ids()).toEqual([ID]);
    await world.put(service({ dependency: true }));
    expect(await world.run()).toMatchObject({ removed: 1 });
    expect(await world.ids()).toEqual([]);
  });

  it('follows a late check, and keeps the id when the start moves', async () => {
    const world = await World.open(service(), check(1, 'outage'), check(9, 'operational'));
    await world.run();
    await world.put(check(-3, 'outage', { validForMs: 30 * MINUTE, provenance: aProvenance({ source: 'b', sourceKind: 'confirmed-from-source' }) }));
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ id: ID, startedAt: START - 3 * MINUTE, confirmingChecks: 2 })]);
    await world.put(check(1, 'outage'), check(5, 'operational', { provenance: aProvenance({ source: 'b', sourceKind: 'confirmed-from-source' }) }));
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ id: ID, resolvedAt: START + 9 * MINUTE })]);
  });

  it('splits an outage, joins two, and removes one that was none, as late checks say', async () => {
    const world = await World.open(service(), check(1, 'outage'), check(10, 'outage'), check(12, 'operational'));
    await world.run();
    expect(await world.ids()).toEqual([ID]);
    await world.put(check(5, 'operational'));
    await world.run();
    expect(await world.ids()).toEqual([ID, `detected:${KEY}:20261120T131000Z`]);
    await world.store.writer.remove([{ kind: 'check', serviceKey: KEY, checkedAt: START + 5 * MINUTE, source: 'vitrine' }], { signal });
    expect(await world.run()).toMatchObject({ removed: 1 });
    expect(await world.ids()).toEqual([ID]);
    const identities = [1, 10].map(
      (minutes) => ({ kind: 'check', serviceKey: KEY, checkedAt: START + minutes * MINUTE, source: 'vitrine' }) as const,
    );
    await world.store.writer.remove(identities, { signal });
    await world.run();
    expect(await world.ids()).toEqual([]);
  });

  it('continues an outage with a heartbeat that is missed days later, unless a day between says something else', async () => {
    const [missed, day] = [{ rawState: MISSED }, 24 * 60];
    const world = await World.open(service(), check(-4 * day, 'outage', missed), check(0, 'outage', missed));
    await world.run();
    expect(await world.ids()).toEqual([`detected:${KEY}:20261116T130000Z`]);
    await world.put(check(-2 * day, 'operational'));
    await world.run();
    expect(await world.ids()).toEqual([`detected:${KEY}:20261116T130000Z`, `detected:${KEY}:20261120T130000Z`]);
  });

  it('still knows its incidents if an earlier version remembered days in another form', async () => {
    const world = await World.open(service(), check(1, 'outage'), check(2, 'operational'));
    await world.run();
    const sync = await world.store.collection.sync(DETECTED_SOURCE, { signal });
    if (sync === null) throw new Error('no sync record');
    await world.put({ ...sync, state: sync.state?.replaceAll(',"isFollowed":true', '') ?? null });
    expect(await storedDetected(world.store.collection, { signal })).toEqual([expect.objectContaining({ id: ID })]);
    expect(await world.run()).toMatchObject({ stored: 0, unchanged: 1, removed: 0 });
  });

  it('ends an outage by a check of the next day, also by a late one', async () => {
    const midnight = Math.floor(NOW / DAY) * DAY;
    const at = (time: Instant, state: Check['state']) => check((time - START) / MINUTE, state, { validForMs: HOUR });
    const world = await World.open(service(), at(midnight - 5 * MINUTE, 'outage'), at(midnight + 20 * MINUTE, 'operational'));
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ resolvedAt: midnight + 20 * MINUTE })]);
    await world.put(at(midnight + MINUTE, 'operational'));
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ resolvedAt: midnight + MINUTE, endUncertain: false })]);
  });

  it('reads raw checks only of days that have changed and matter', async () => {
    const days = Array.from({ length: 30 }, (_, index) => -index * 24 * 60);
    const world = await World.open(
      service(),
      ...days.map((minutes) => check(minutes, 'operational')),
      check(-3 * 24 * 60 + 1, 'outage'),
      check(-3 * 24 * 60 + 2, 'operational'),
    );
    await world.run();
    expect(world.read).toEqual(['2026-11-17']);
    await world.put(check(5, 'operational'));
    await world.run();
    expect(await world.run(new DetectedSource({ intervalMs: MINUTE, retentionMs: RETENTION, addressOf: () => 'https://a.example/' }))).toMatchObject({
      stored: 1,
    });
    expect(world.read).toEqual(['2026-11-17']);
  });

  it('keeps incidents whose raw checks were deleted, and those of a service that has left', async () => {
    const world = await World.open(service(), check(1, 'outage'), check(2, 'operational'));
    await world.run();
    await world.store.writer.remove([{ kind: 'service', key: KEY }], { signal });
    await world.run();
    expect(await world.ids()).toEqual([ID]);
    world.now = NOW + 500 * DAY;
    await world.put(service({ key: 'acme:new' }), check(500 * 24 * 60, 'operational', { serviceKey: 'acme:new' }));
    expect(await world.run()).toMatchObject({ removed: 0 });
    expect(await world.ids()).toEqual([ID]);
    expect(await storedDetected(world.store.collection, { signal })).toEqual([]);
  });

  it('resolves the outage of a service that has left while it lasted', async () => {
    const world = await World.open(service(), check(55, 'outage'));
    await world.run();
    await world.store.writer.remove([{ kind: 'service', key: KEY }], { signal });
    world.now = NOW + HOUR;
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ title: 'Outage of Web', state: 'resolved', endUncertain: true })]);
  });

  it('counts a check of the future when its time has come', async () => {
    const world = await World.open(service(), check(59, 'outage'), check(61, 'operational'));
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ resolvedAt: null })]);
    world.now = NOW + 2 * MINUTE;
    await world.run();
    expect(await world.incidents()).toEqual([expect.objectContaining({ resolvedAt: START + 61 * MINUTE })]);
  });

  it('stores the same incidents for the same checks, however they were batched', async () => {
    const checks = Array.from({ length: 60 }, (_, index) => check(index, index % 7 < 2 ? 'outage' : index % 11 === 0 ? 'unknown' : 'operational'));
    const [once, often] = [await World.open(service(), ...checks), await World.open(service())];
    await once.run();
    for (const one of checks) {
      await often.put(one);
      often.now = one.checkedAt;
      await often.run();
    }
    often.now = NOW;
    await often.run();
    expect(await often.incidents()).toEqual(await once.incidents());
    expect((await once.incidents()).length).toBeGreaterThan(5);
  });

  it('forgets the oldest of very many outages, which then stay as they are', async () => {
    const outages = Array.from({ length: 1_400 }, (_, index) => [
      check(-24 * 60 * 3 + 2 * index, 'outage'),
      check(-24 * 60 * 3 + 2 * index + 1, 'operational'),
    ]);
    const world = await World.open(service(), ...outages.flat());
    for (const _run of [1, 2]) await world.run();
    expect(await world.ids()).toHaveLength(1_400);
    const remembered = await storedDetected(world.store.collection, { signal });
    expect(remembered.length).toBeLessThan(1_400);
    expect(remembered.length).toBeGreaterThanOrEqual(1_000);
    const [first, last] = [outages[0]?.[0], outages.at(-1)?.[0]];
    const gone = [first, last].flatMap((one) => (one === undefined ? [] : { ...one, source: 'vitrine' }));
    await world.store.writer.remove(gone, { signal });
    expect(await world.run()).toMatchObject({ removed: 1 });
  });

  it('has its records vouched for by itself alone, so that they go when it goes', async () => {
    const world = await World.open(service(), check(1, 'outage'), check(2, 'operational'));
    await world.run();
    expect(await world.store.writer.withdraw(world.source.registration.id, { signal })).toBe(1);
    expect(await world.ids()).toEqual([]);
  });
});
