import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_REPOSITORY, type Incident } from '@vitrine/core';
import { aService } from '@vitrine/core/testing';
import type { Source } from '../../running/source.js';
import { DETECTED_SOURCE } from '../detected/detected-source.js';
import { completedSync, pendingSync } from '../../running/registered-source.js';
import { FakeStore } from '../../testing/fake-store.js';
import { IncidentsSource } from './incidents-source.js';
import { wrappedWriter } from '../../running/vouching.js';

const NOW = Date.UTC(2026, 10, 20, 15);

let folder: string;
let store: FakeStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-incidents-'));
  store = new FakeStore();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, updates: string, keys = 'title: Errors\nimpact: major\nservices: ["acme:web"]'): void {
  writeFileSync(join(folder, name), `---\n${keys}\n---\n${updates}\n`);
}

const aSource = (): Source =>
  new IncidentsSource({
    folder,
    label: 'Acme',
    intervalMs: 10_000,
    names: new Map([['acme:web', 'Web']]),
    addressOf: (id) => `https://acme.example/incidents/${id}`,
  });

const contextOf = (now = NOW, signal = new AbortController().signal) => ({
  writer: store,
  collection: store,
  clock: { now: () => now },
  signal,
  progress: () => undefined,
});
const run = (source: Source, now?: number) => source.run(contextOf(now));
const incidents = () => store.all.filter((record): record is Incident => record.kind === 'incident');
const ids = () => incidents().map(({ id }) => id);

const OPENED = '## 2026-11-20T13:55:00Z investigating\n\nRequests fail.';

describe('IncidentsSource', () => {
  it('warns of an update in the future as long as it lies there, and stores it', async () => {
    write('errors.md', `${OPENED}\n\n## 2026-11-21T13:58:00Z resolved`);
    const source = aSource();
    const warning = 'errors.md: its newest update lies in the future, at 2026-11-21T13:58:00.000Z; correct the time, unless it is meant';
    expect(await run(source)).toMatchObject({ stored: 1, warnings: [warning] });
    expect(await run(source)).toMatchObject({ warnings: [warning] });
    expect(await run(source, Date.UTC(2026, 10, 21, 13, 57))).toMatchObject({ warnings: [] });
  });

  describe('planned maintenance', () => {
    const keys = 'title: Disks\nservices: ["acme:db"]\nscheduledFor: 2026-11-20T16:00:00Z\nscheduledUntil: 2026-11-20T18:00:00Z';
    const [before, during, after] = [Date.UTC(2026, 10, 20, 15, 59), Date.UTC(2026, 10, 20, 16), Date.UTC(2026, 10, 21)];
    const statesAt = async (updates: string): Promise<readonly unknown[]> => {
      write('disks.md', updates, keys);
      const source = aSource();
      const found: unknown[] = [];
      for (const now of [before, during, after]) {
        await run(source, now);
        found.push(
          incidents()
            .map(({ state, resolvedAt }) => [state, resolvedAt === null ? null : new Date(resolvedAt).toISOString()])
            .at(-1),
        );
      }
      return found;
    };
    const ANNOUNCED = '## 2026-11-20T10:00:00Z scheduled';

    it('begins and ends at its times', async () => {
      expect(await statesAt(ANNOUNCED)).toEqual([
        ['scheduled', null],
        ['in_progress', null],
        ['completed', '2026-11-20T18:00:00.000Z'],
      ]);
      expect(await run(aSource(), after)).toMatchObject({ stored: 0, unchanged: 1 });
    });

    it('that a person has begun ends when a person says so', async () => {
      const begun = `${ANNOUNCED}\n\n## 2026-11-20T15:30:00Z in_progress`;
      expect(await statesAt(begun)).toEqual([
        ['in_progress', null],
        ['in_progress', null],
        ['in_progress', null],
      ]);
    });

    it('that is announced late has no update before the announcement', async () => {
      expect(await statesAt('## 2026-11-20T19:00:00Z scheduled')).toEqual([
        ['scheduled', null],
        ['scheduled', null],
        ['completed', '2026-11-20T19:00:00.000Z'],
      ]);
    });
  });

  it('names services by the configuration, else as they are stored, else by their keys', async () => {
    await store.put([aService({ key: 'acme:web', displayName: 'Old' }), aService({ key: 'acme:api', displayName: 'API' })]);
    write('errors.md', OPENED, 'title: Errors\nimpact: major\nservices: ["acme:web", "acme:api", "acme:new"]');
    await run(aSource());
    expect(incidents()[0]?.services.map(({ displayName }) => displayName)).toEqual(['Web', 'API', 'acme:new']);
  });

  it('keeps the name of a service that is no longer stored, also after its file was invalid', async () => {
    const api = aService({ key: 'acme:api', displayName: 'API' });
    const services = 'title: Errors\nimpact: major\nservices: ["acme:api"]';
    await store.put([api]);
    write('errors.md', OPENED, services);
    await run(aSource());
    const before = incidents();
    await store.remove([{ kind: 'service', key: api.key }]);
    expect(await run(aSource())).toMatchObject({ stored: 0, unchanged: 1 });
    writeFileSync(join(folder, 'errors.md'), 'nothing');
    await run(aSource());
    write('errors.md', OPENED, services);
    await run(aSource());
    expect(incidents()).toEqual(before);
    expect(before).toMatchObject([{ services: [{ displayName: 'API' }] }]);
  });

  it('shows the new name of a service', async () => {
    write('errors.md', OPENED, 'title: Errors\nimpact: major\nservices: ["acme:api"]');
    for (const displayName of ['API', 'Interface']) {
      await store.put([aService({ key: 'acme:api', displayName })]);
      await run(aSource());
      expect(incidents()).toMatchObject([{ services: [{ displayName }] }]);
    }
  });

  it('stores an incident with its updates, newest first', async () => {
    write('errors.md', `${OPENED}\n\n## 2026-11-20T13:58:00Z resolved\n\nRolled back.\n\n## 2026-11-20T15:00:00Z postmortem`);
    expect(await run(aSource())).toMatchObject({ stored: 1, unchanged: 0, removed: 0, warnings: [] });
    const startedAt = Date.UTC(2026, 10, 20, 13, 55);
    const resolvedAt = Date.UTC(2026, 10, 20, 13, 58);
    expect(incidents()).toEqual([
      {
        kind: 'incident',
        id: 'errors',
        title: 'Errors',
        incidentKind: 'declared',
        state: 'postmortem',
        impact: 'major',
        services: [{ key: 'acme:web', displayName: 'Web', impacts: [{ state: 'outage', startAt: startedAt, endAt: resolvedAt }] }],
        startedAt,
        updatedAt: NOW,
        resolvedAt,
        scheduledFor: null,
        scheduledUntil: null,
        announcedAt: null,
        updates: [
          { id: 'errors~3', state: 'postmortem', body: '', createdAt: NOW },
          { id: 'errors~2', state: 'resolved', body: 'Rolled back.', createdAt: resolvedAt },
          { id: 'errors~1', state: 'investigating', body: 'Requests fail.', createdAt: startedAt },
        ],
        sourceUrl: null,
        provenance: {
          source: 'Acme',
          sourceKind: 'official-source',
          sourceUrl: 'https://acme.example/incidents/errors',
          observedAt: NOW,
          confidence: 'high',
          isOfficialSource: true,
        },
      },
    ]);
    expect(store.all.find(({ kind }) => kind === 'sync')).toMatchObject({ id: 'incident:Acme', sourceType: 'incident', feeds: ['incident'] });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('stores an incident whose file is called %s.md, also long after its end', async (name) => {
    write(`${name}.md`, `${OPENED}\n\n## 2026-11-20T13:58:00Z resolved`);
    expect(await run(aSource(), NOW + 3 * 86_400_000)).toMatchObject({ stored: 1, warnings: [] });
    expect(incidents()).toMatchObject([{ id: name, impact: 'major' }]);
  });

  it('is open again when an update after the end says so', async () => {
    write('errors.md', `${OPENED}\n## 2026-11-20T13:58:00Z resolved\n## 2026-11-20T14:10:00Z investigating`);
    await run(aSource());
    expect(incidents()).toMatchObject([{ state: 'investigating', resolvedAt: null }]);
  });

  it('dates planned maintenance by its window', async () => {
    const keys = 'title: Disks\nservices: ["acme:db"]\nscheduledFor: 2026-11-21T22:00:00Z\nscheduledUntil: 2026-11-21T23:00:00Z';
    write('disks.md', '## 2026-11-20T10:00:00Z scheduled', keys);
    await run(aSource());
    const from = Date.UTC(2026, 10, 21, 22);
    expect(incidents()).toMatchObject([
      {
        incidentKind: 'maintenance',
        impact: 'maintenance',
        state: 'scheduled',
        startedAt: from,
        scheduledFor: from,
        scheduledUntil: Date.UTC(2026, 10, 21, 23),
        announcedAt: Date.UTC(2026, 10, 20, 10),
        services: [{ key: 'acme:db', displayName: 'acme:db', impacts: [{ state: 'maintenance', startAt: from, endAt: null }] }],
      },
    ]);
  });

  it('changes nothing when nothing changed', async () => {
    write('errors.md', OPENED);
    const source = aSource();
    await run(source);
    expect(await run(source, NOW + 10_000)).toMatchObject({ stored: 0, unchanged: 1, removed: 0 });
    expect(await run(aSource(), NOW + 20_000)).toMatchObject({ stored: 0, unchanged: 1, removed: 0 });
    expect(incidents()).toHaveLength(1);
  });

  it('removes an incident whose file is gone, also after a restart', async () => {
    write('a.md', OPENED);
    write('b.md', OPENED);
    await run(aSource());
    rmSync(join(folder, 'a.md'));
    expect(await run(aSource())).toMatchObject({ removed: 1 });
    expect(ids()).toEqual(['b']);
  });

  it('remembers what it stores before it stores it, so that a run that was cut off leaves nothing behind', async () => {
    write('a.md', OPENED);
    const source = aSource();
    if (source.registration === undefined) throw new Error('the source has no registration');
    await store.put([pendingSync(source.registration, source.intervalMs)]);
    const cut = new AbortController();
    const writer = {
      ...wrappedWriter(store),
      put: async (records: Parameters<FakeStore['put']>[0]) => {
        const report = await store.put(records);
        if (records.some(({ kind }) => kind === 'incident')) throw new Error('killed');
        return report;
      },
    };
    await expect(source.run({ ...contextOf(NOW, cut.signal), writer })).rejects.toThrow('killed');
    expect(ids()).toEqual(['a']);
    rmSync(join(folder, 'a.md'));
    expect(await run(aSource())).toMatchObject({ removed: 1 });
    expect(ids()).toEqual([]);
  });

  it('keeps the record of a file that has become invalid, and says so', async () => {
    write('a.md', OPENED);
    const source = aSource();
    await run(source);
    writeFileSync(join(folder, 'a.md'), 'nothing');
    const warning = `${join(folder, 'a.md')}: has no front matter; begin the file with a line ---, YAML keys such as title, and another line ---`;
    expect(await run(source)).toMatchObject({ warnings: [warning], removed: 0 });
    expect(await run(source)).toMatchObject({ warnings: [warning], removed: 0 });
    expect(ids()).toEqual(['a']);
  });

  it('leaves out drafts, folders and other files, and reports names and links that cannot be used', async () => {
    write('.draft.md', OPENED);
    write('notes.txt', OPENED);
    write('two words.md', OPENED);
    mkdirSync(join(folder, 'folder.md'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link.md'));
    const { warnings } = await run(aSource());
    expect(warnings).toEqual([
      `${join(folder, 'link.md')}: does not exist; create it, or correct the path`,
      `${join(folder, 'two words.md')}: its name cannot be part of an address; use A-Z a-z 0-9 . _ - and at most 150 characters before .md`,
    ]);
    expect(ids()).toEqual([]);
  });

  it('fails with a readable reason and removes nothing when the folder is gone', async () => {
    write('a.md', OPENED);
    await run(aSource());
    rmSync(folder, { recursive: true });
    await expect(run(aSource())).rejects.toMatchObject({ message: `${folder} does not exist; create it, or correct the path`, code: 'ENOENT' });
    expect(ids()).toEqual(['a']);
  });

  it('says which incident the store refuses', async () => {
    write('a.md', OPENED);
    store.refuse = (record) => (record.kind === 'incident' ? 'email-in-identifier' : null);
    expect(await run(aSource())).toMatchObject({ stored: 0, warnings: ['the store refused the incident a: email-in-identifier'] });
  });

  describe('with detected incidents', () => {
    const HOUR = 3_600_000;
    const outage = (from: number, until: number | null, key = 'acme:web') => ({ id: `detected:${key}:${String(from)}`, from, until, hash: '' });
    async function detect(...outages: readonly ReturnType<typeof outage>[]): Promise<void> {
      const incidentsOf = (key: string) => outages.filter(({ id }) => id.includes(key));
      const memory = (key: string) => ({ name: key, from: 0, days: [], incidents: incidentsOf(key) });
      const state = JSON.stringify({ 'acme:web': memory('acme:web'), 'acme:api': memory('acme:api') });
      const registration = {
        id: DETECTED_SOURCE,
        sourceType: 'incident',
        label: 'Detected',
        repositoryRef: NO_REPOSITORY,
        feeds: ['incident'],
      } as const;
      await store.put([completedSync(registration, 60_000, null, { at: NOW, state })]);
    }
    const [opened, closed] = [Date.UTC(2026, 10, 20, 13, 55), Date.UTC(2026, 10, 20, 14, 30)];
    const CLOSED = `${OPENED}\n\n## 2026-11-20T14:30:00Z resolved`;

    it.each([
      ['was open when it began', outage(opened - HOUR, opened + 1)],
      ['is still open', outage(opened - HOUR, null)],
      ['began before it ended', outage(closed - 1, closed + HOUR)],
    ])('covers an outage of its service that %s, and shows its impact', async (_, covered) => {
      const others = [outage(opened - HOUR, opened), outage(closed, null), outage(opened + 1, null, 'acme:api')];
      await detect(covered, ...others);
      write('errors.md', CLOSED, 'title: Errors\nimpact: minor\nservices: ["acme:web"]');
      await run(aSource());
      expect(incidents()).toMatchObject([{ id: 'errors', covers: [covered.id], impact: 'major', services: [{ impacts: [{ state: 'outage' }] }] }]);
    });

    it('covers an outage that begins later, without a change of its file, and lets it go when the outage goes', async () => {
      write('errors.md', OPENED, 'title: Errors\nimpact: minor\nservices: ["acme:web"]');
      const source = aSource();
      await detect();
      await run(source);
      await detect(outage(opened + HOUR, null));
      expect(await run(source)).toMatchObject({ stored: 1 });
      expect(incidents()).toMatchObject([{ impact: 'major', covers: [outage(opened + HOUR, null).id] }]);
      await detect();
      await run(source);
      expect(incidents()[0]).toMatchObject({ impact: 'minor' });
      expect(incidents()[0]?.covers).toBeUndefined();
    });

    const TWO = 'services: ["acme:web", "acme:api"]';
    const OWN = 'services: [{ key: "acme:web", state: degraded }, { key: "acme:api", state: maintenance }]';
    it.each([
      ['an outage of the service that had it, and the other as minor', 'minor', TWO, ['major', ['outage'], ['degraded']]],
      ['an outage of the service that had it, and the other without an effect', 'none', TWO, ['major', ['outage'], []]],
      ['an outage of both, because the file says so', 'critical', TWO, ['critical', ['outage'], ['outage']]],
      ['the states that the file names', 'minor', OWN, ['major', ['degraded'], ['maintenance']]],
    ])('that covers the outage of one of two services shows %s', async (_, impact, services, expected) => {
      await detect(outage(opened + 1, null));
      write('errors.md', CLOSED, `title: Errors\nimpact: ${impact}\n${services}`);
      await run(aSource());
      const shown = incidents().map((incident) => [incident.impact, ...incident.services.map(({ impacts }) => impacts.map(({ state }) => state))]);
      expect(shown).toEqual([expected]);
    });

    it('corrects a stored incident that an earlier version showed with an outage of each service, also long after its end', async () => {
      await detect(outage(opened, closed));
      write('errors.md', CLOSED, `title: Errors\nimpact: minor\n${TWO}`);
      await run(aSource());
      const right = incidents();
      const wrong = right.map((incident) => ({
        ...incident,
        services: incident.services.map((service) => ({ ...service, impacts: [{ state: 'outage' as const, startAt: opened, endAt: closed }] })),
      }));
      await store.put(wrong);
      expect(incidents()).toEqual(wrong);
      await detect();
      expect(await run(aSource(), NOW + 2 * 24 * HOUR)).toMatchObject({ stored: 1 });
      expect(incidents()).toEqual(right);
    });

    it('adds what the file names, keeps a worse impact, and finds nothing for an empty list or for maintenance', async () => {
      await detect(outage(opened, null));
      const services = 'services: ["acme:web"]';
      write('a.md', OPENED, `title: A\nimpact: critical\n${services}\ncovers: ["detected:acme:web:1"]`);
      write('b.md', OPENED, `title: B\nimpact: minor\n${services}\ncovers: []`);
      write(
        'c.md',
        '## 2026-11-20T13:00:00Z scheduled',
        `title: C\nscheduledFor: 2026-11-20T13:55:00Z\nscheduledUntil: 2026-11-20T16:00:00Z\n${services}`,
      );
      await run(aSource());
      const shown = incidents().map(({ id, impact, covers = [] }) => `${id} ${impact} ${covers.join(' ')}`);
      expect(shown.sort()).toEqual([`a critical detected:acme:web:1 ${outage(opened, null).id}`, 'b minor ', 'c maintenance ']);
    });

    it('keeps what it covered after the outage is forgotten', async () => {
      await detect(outage(opened, closed));
      write('errors.md', CLOSED);
      await run(aSource());
      await detect();
      write('errors.md', `${CLOSED}\n\nA correction.`);
      await run(aSource(), NOW + 2 * 24 * HOUR);
      expect(incidents()).toMatchObject([{ covers: [outage(opened, closed).id] }]);
    });
  });
});
