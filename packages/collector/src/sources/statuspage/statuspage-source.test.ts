import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE, type Check, type Incident, type Service } from '@vitrine/core';
import { OutgoingClient } from '../../fetching/outgoing-client.js';
import { pendingSync } from '../../running/registered-source.js';
import { FakeStore } from '../../testing/fake-store.js';
import { StatuspageSource, type StatuspageSourceOptions } from './statuspage-source.js';
import { wrappedWriter } from '../../running/vouching.js';

const NOW = Date.UTC(2026, 10, 20, 15);

/** Documents in the shape that Statuspage v2 publishes. */
const PAGE = {
  id: 'kctbh9vrtdwd',
  name: 'Provider',
  url: 'https://status.provider.example',
  time_zone: 'Etc/UTC',
  updated_at: '2026-11-20T14:30:00.000Z',
};

function component(id: string, name: string, status: string, more = {}) {
  const times = { created_at: '2024-01-01T00:00:00.000Z', updated_at: '2026-11-20T14:30:00.000Z', start_date: null };
  return {
    id,
    name,
    status,
    ...times,
    position: 1,
    description: null,
    showcase: true,
    group_id: null,
    page_id: PAGE.id,
    group: false,
    only_show_if_degraded: false,
    ...more,
  };
}

const API = component('brv1bkgrwx7q', 'API Requests', 'partial_outage', { group_id: 'g1' });
const ACTIONS = component('br0l2tvcx85d', 'Actions', 'operational');
const GROUP = component('g1', 'Developer', 'partial_outage', { group: true, components: ['brv1bkgrwx7q'] });

const INCIDENT = {
  id: 'p31zjtct2jer',
  name: 'Errors in <b>API</b> Requests',
  status: 'monitoring',
  created_at: '2026-11-20T14:00:00.000Z',
  updated_at: '2026-11-20T14:30:00.000Z',
  monitoring_at: '2026-11-20T14:30:00.000Z',
  resolved_at: null,
  impact: 'major',
  shortlink: 'https://stspg.io/abc',
  started_at: '2026-11-20T08:59:00.000-05:00',
  page_id: PAGE.id,
  incident_updates: [
    {
      id: 'u2',
      status: 'monitoring',
      body: 'A fix is <em>deployed</em>.',
      incident_id: 'p31zjtct2jer',
      created_at: '2026-11-20T14:30:00.000Z',
      updated_at: '2026-11-20T14:30:00.000Z',
      display_at: '2026-11-20T14:30:00.000Z',
      affected_components: null,
    },
    {
      id: 'u1',
      status: 'investigating',
      body: 'We are investigating.',
      incident_id: 'p31zjtct2jer',
      created_at: '2026-11-20T14:00:00.000Z',
      updated_at: '2026-11-20T14:00:00.000Z',
      display_at: '2026-11-20T14:00:00.000Z',
      affected_components: [{ code: API.id, name: API.name, old_status: 'operational', new_status: 'partial_outage' }],
    },
  ],
  components: [API],
  reminder_intervals: null,
};

const MAINTENANCE = {
  ...INCIDENT,
  id: 'w1f8hjyx7m3d',
  name: 'Database upgrade',
  status: 'scheduled',
  impact: 'maintenance',
  started_at: '2026-11-19T10:00:00.000Z',
  created_at: '2026-11-19T10:00:00.000Z',
  scheduled_for: '2026-11-21T22:00:00.000Z',
  scheduled_until: '2026-11-21T23:00:00.000Z',
  incident_updates: [],
  components: [ACTIONS],
};

const OLD = {
  ...INCIDENT,
  id: 'old1',
  name: 'Old',
  status: 'resolved',
  resolved_at: '2026-11-19T09:00:00.000Z',
  impact: 'critical',
  components: [ACTIONS],
};

let documents: Record<string, unknown>;
let server: Server;
let store: FakeStore;
let address: string;
beforeEach(async () => {
  documents = {
    '/api/v2/summary.json': {
      page: PAGE,
      components: [API, ACTIONS, GROUP],
      incidents: [INCIDENT],
      scheduled_maintenances: [MAINTENANCE],
      status: { indicator: 'minor', description: 'Partial outage' },
    },
    '/api/v2/incidents.json': { page: PAGE, incidents: [INCIDENT, OLD] },
    '/api/v2/scheduled-maintenances.json': { page: PAGE, scheduled_maintenances: [MAINTENANCE] },
  };
  store = new FakeStore();
  server = createServer(({ url = '' }, response) => {
    const document = documents[url];
    if (document === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(typeof document === 'string' ? document : JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

function source(more: Partial<StatuspageSourceOptions> = {}): StatuspageSource {
  return new StatuspageSource({
    client: new OutgoingClient(),
    address,
    allowPrivate: true,
    label: 'Provider',
    pageUrl: 'https://status.provider.example',
    services: null,
    intervalMs: MINUTE,
    ...more,
  });
}

const run = (made = source(), now = NOW) =>
  made.run({ writer: store, collection: store, clock: { now: () => now }, signal: new AbortController().signal, progress: () => undefined });

const services = () => store.all.filter((record): record is Service => record.kind === 'service');
const checks = () => store.all.filter((record): record is Check => record.kind === 'check');
const incidents = () => store.all.filter((record): record is Incident => record.kind === 'incident');
const incident = (id: string) => incidents().find((one) => one.id === `provider:${id}`);

describe('StatuspageSource', () => {
  it('removes control characters from the texts of the page', async () => {
    documents['/api/v2/summary.json'] = {
      page: PAGE,
      components: [{ ...API, name: 'A\u001b[31m\nB' }],
      incidents: [{ ...INCIDENT, name: 'C\u0007 D', incident_updates: [{ ...INCIDENT.incident_updates[0], body: 'E\u0000F' }] }],
    };
    documents['/api/v2/incidents.json'] = { page: PAGE, incidents: [] };
    await run();
    expect(services()).toMatchObject([{ displayName: 'Provider: A[31m B' }]);
    expect(incident(INCIDENT.id)).toMatchObject({ title: 'Provider: C D', updates: [{ body: 'EF' }] });
  });

  it('stores each component as a dependency with a check of now, and no groups', async () => {
    expect(await run()).toMatchObject({ removed: 0, warnings: [] });
    expect(services()).toMatchObject([
      { key: 'provider:br0l2tvcx85d', displayName: 'Provider: Actions', dependency: true, healthUrl: 'https://status.provider.example' },
      {
        key: 'provider:brv1bkgrwx7q',
        displayName: 'Provider: API Requests',
        dependency: true,
        provenance: { source: 'Provider', sourceKind: 'official-source' },
      },
    ]);
    expect(checks()).toMatchObject([
      { serviceKey: 'provider:br0l2tvcx85d', state: 'operational', rawState: 'operational', checkedAt: NOW, validForMs: 15 * MINUTE },
      { serviceKey: 'provider:brv1bkgrwx7q', state: 'degraded', rawState: 'partial_outage', checkedAt: NOW, responseTimeMs: null },
    ]);
    expect(store.all.find(({ kind }) => kind === 'sync')).toMatchObject({
      id: 'statuspage:Provider',
      sourceType: 'statuspage',
      feeds: ['check', 'incident'],
    });
  });

  it('tells components of several groups apart that have the same name, also in incidents', async () => {
    const group = (id: string, name: string) => component(id, name, 'operational', { group: true });
    const part = (id: string, name: string, groupId: string | null) => component(id, name, 'operational', { group_id: groupId });
    const components = [
      ...[group('g1', 'Droplets'), group('g2', 'Spaces'), group('g3', 'Ada')],
      ...[part('a1', 'AMS3', 'g1'), part('a2', 'AMS3', 'g2'), part('a3', 'AMS3', null), part('a4', 'AMS3', 'gone')],
      ...[part('b1', 'NYC1', 'g1'), part('c1', 'Ada', 'g3')],
    ];
    const [, second] = components.filter(({ name }) => name === 'AMS3');
    documents['/api/v2/summary.json'] = { page: PAGE, components, incidents: [{ ...INCIDENT, components: [second] }], scheduled_maintenances: [] };
    documents['/api/v2/incidents.json'] = { page: PAGE, incidents: [] };
    await run();
    const names = ['Droplets / AMS3', 'Spaces / AMS3', 'AMS3', 'AMS3', 'NYC1', 'Ada'].map((name) => `Provider: ${name}`);
    expect(services().map(({ displayName }) => displayName)).toEqual(names);
    expect(incident(INCIDENT.id)?.services).toMatchObject([{ key: 'provider:a2', displayName: 'Provider: Spaces / AMS3' }]);
    await run(source({ services: ['AMS3'] }));
    expect(services().map(({ displayName }) => displayName)).toEqual(names.slice(0, 4));
    expect(await run(source({ services: ['spaces / ams3'] }))).toMatchObject({ warnings: [] });
    expect(services().map(({ displayName }) => displayName)).toEqual([names[1]]);
  });

  it('stores incidents with their updates as plain text, newest first', async () => {
    await run();
    expect(incident('p31zjtct2jer')).toEqual({
      kind: 'incident',
      id: 'provider:p31zjtct2jer',
      title: 'Provider: Errors in API Requests',
      incidentKind: 'declared',
      state: 'monitoring',
      impact: 'major',
      services: [
        {
          key: 'provider:brv1bkgrwx7q',
          displayName: 'Provider: API Requests',
          impacts: [{ state: 'degraded', startAt: Date.UTC(2026, 10, 20, 13, 59), endAt: null }],
        },
      ],
      startedAt: Date.UTC(2026, 10, 20, 13, 59),
      updatedAt: Date.UTC(2026, 10, 20, 14, 30),
      resolvedAt: null,
      scheduledFor: null,
      scheduledUntil: null,
      announcedAt: null,
      updates: [
        { id: 'provider:p31zjtct2jer~u2', state: 'monitoring', body: 'A fix is deployed.', createdAt: Date.UTC(2026, 10, 20, 14, 30) },
        { id: 'provider:p31zjtct2jer~u1', state: 'investigating', body: 'We are investigating.', createdAt: Date.UTC(2026, 10, 20, 14) },
      ],
      sourceUrl: 'https://stspg.io/abc',
      provenance: {
        source: 'Provider',
        sourceKind: 'official-source',
        sourceUrl: 'https://status.provider.example',
        observedAt: Date.UTC(2026, 10, 20, 14, 30),
        confidence: 'high',
        isOfficialSource: true,
      },
    });
    expect(incident('old1')).toMatchObject({ state: 'resolved', impact: 'critical', resolvedAt: Date.UTC(2026, 10, 19, 9) });
  });

  it('stores maintenance by its window', async () => {
    await run();
    expect(incident('w1f8hjyx7m3d')).toMatchObject({
      incidentKind: 'maintenance',
      impact: 'maintenance',
      state: 'scheduled',
      startedAt: Date.UTC(2026, 10, 21, 22),
      scheduledFor: Date.UTC(2026, 10, 21, 22),
      scheduledUntil: Date.UTC(2026, 10, 21, 23),
      announcedAt: Date.UTC(2026, 10, 19, 10),
    });
  });

  it.each([
    ['degraded_performance', 'degraded', 'degraded_performance'],
    ['major_outage', 'outage', 'major_outage'],
    ['under_maintenance', 'maintenance', 'under_maintenance'],
    ['on_fire', 'unknown', 'on_fire'],
    ['<script>', 'unknown', 'unknown'],
  ])('maps %s to %s', async (status, state, rawState) => {
    documents['/api/v2/summary.json'] = { page: PAGE, components: [component('a', 'A', status)] };
    await run();
    expect(checks()).toMatchObject([{ state, rawState }]);
  });

  it('shows only the chosen components, by name or id, and says which do not exist', async () => {
    const { warnings } = await run(source({ services: ['api requests', 'g1', 'Pages'] }));
    expect(services().map(({ key }) => key)).toEqual(['provider:brv1bkgrwx7q', 'provider:g1']);
    expect(incidents().map(({ id }) => id)).toEqual(['provider:p31zjtct2jer']);
    expect(warnings).toEqual(['the page has no component "Pages"; correct services']);
  });

  it('stores a check for each run and nothing else while nothing changes', async () => {
    const made = source();
    await run(made);
    await run(made, NOW + MINUTE);
    expect([services(), checks(), incidents()].map(({ length }) => length)).toEqual([2, 4, 3]);
  });

  it('removes services that are no longer shown and unresolved incidents that the page has deleted; checks and resolved incidents stay', async () => {
    await run();
    documents['/api/v2/summary.json'] = { page: PAGE, components: [ACTIONS] };
    documents['/api/v2/incidents.json'] = { page: PAGE, incidents: [] };
    expect(await run(source(), NOW + MINUTE)).toMatchObject({ removed: 1 });
    expect(await run(source(), NOW + 2 * MINUTE)).toMatchObject({ removed: 1 });
    expect(services().map(({ key }) => key)).toEqual(['provider:br0l2tvcx85d']);
    expect(incidents().map(({ id }) => id)).toEqual(['provider:old1', 'provider:w1f8hjyx7m3d']);
    expect(checks().filter(({ serviceKey }) => serviceKey === 'provider:brv1bkgrwx7q')).toHaveLength(1);
  });

  it('keeps a service that the page lacks once, and removes one at once that is no longer chosen', async () => {
    for (const [minute, components] of [[API, ACTIONS], [ACTIONS], [API, ACTIONS], [ACTIONS], [API, ACTIONS]].entries()) {
      documents['/api/v2/summary.json'] = { page: PAGE, components };
      await run(source(), NOW + minute * MINUTE);
      expect(services()).toHaveLength(2);
    }
    expect(checks().filter(({ serviceKey }) => serviceKey === 'provider:brv1bkgrwx7q')).toHaveLength(3);
    await run(source({ services: ['Actions'] }), NOW + 5 * MINUTE);
    expect(services()).toHaveLength(1);
  });

  it.each([
    ['of all components', null],
    ['of chosen components', ['API Requests', 'Actions']],
  ])('keeps the incidents %s unchanged while the page lacks a component once', async (_, chosen) => {
    const both = { ...INCIDENT, id: 'both', components: [ACTIONS, API] };
    documents['/api/v2/incidents.json'] = { page: PAGE, incidents: [INCIDENT, both, { ...OLD, components: [API] }] };
    await run(source({ services: chosen }));
    const before = incidents();
    expect(before).toHaveLength(4);
    for (const [minute, components] of [[ACTIONS], [API, ACTIONS]].entries()) {
      documents['/api/v2/summary.json'] = { page: PAGE, components };
      expect(await run(source({ services: chosen }), NOW + (minute + 1) * MINUTE)).toMatchObject({ removed: 0 });
      expect(incidents()).toEqual(before);
    }
  });

  it('removes an open incident of a chosen component that the page lacks twice', async () => {
    const made = source({ services: [API.id] });
    await run(made);
    documents['/api/v2/summary.json'] = { page: PAGE, components: [ACTIONS] };
    expect(await run(made, NOW + MINUTE)).toMatchObject({ removed: 0 });
    expect(await run(made, NOW + 2 * MINUTE)).toMatchObject({ removed: 2 });
    expect([...services(), ...incidents()]).toEqual([]);
  });

  it('goes on with the summary when a list cannot be read, and removes no incident', async () => {
    await run();
    delete documents['/api/v2/incidents.json'];
    documents['/api/v2/scheduled-maintenances.json'] = '<html>';
    documents['/api/v2/summary.json'] = { page: PAGE, components: [ACTIONS] };
    const { warnings } = await run(source(), NOW + MINUTE);
    expect(warnings).toEqual([
      expect.stringMatching(/^http 404: .*incidents\.json responded with the status 404$/),
      'scheduled-maintenances.json is not a document of Statuspage v2',
    ]);
    expect(incidents()).toHaveLength(3);
  });

  it.each(['<html>', '[]', '{"page":{}}', '{"components":[]}'])('fails on the summary %s and leaves everything as it was', async (text) => {
    await run();
    const before = store.all;
    documents['/api/v2/summary.json'] = text;
    await expect(run(source(), NOW + MINUTE)).rejects.toMatchObject({ code: 'NOT_A_STATUS_PAGE' });
    expect(store.all).toEqual(before);
  });

  it('leaves out what is invalid, and takes the rest', async () => {
    const hostile = [null, 5, { id: '../x', name: 'X', status: 'operational' }, { ...API, id: 'ok', name: '<script>alert(1)</script>A' }];
    const bad = [
      { ...INCIDENT, id: 'i1', created_at: 'yesterday' },
      { ...INCIDENT, id: 'i2', shortlink: 'javascript:alert(1)', impact: 'huge', status: 'odd' },
    ];
    documents['/api/v2/summary.json'] = { page: PAGE, components: hostile, incidents: bad };
    documents['/api/v2/incidents.json'] = { page: PAGE, incidents: [] };
    documents['/api/v2/scheduled-maintenances.json'] = { page: PAGE, scheduled_maintenances: [] };
    await run();
    expect(services()).toMatchObject([{ key: 'provider:ok' }]);
    expect(services()[0]?.displayName).not.toContain('<');
    expect(incidents()).toMatchObject([
      { id: 'provider:i2', impact: 'none', state: 'investigating', sourceUrl: 'https://status.provider.example/incidents/i2', services: [] },
    ]);
  });

  it.each([
    ['on its own server', () => `${address}/abc`, {}, 'https://status.provider.example/incidents/i1'],
    ['on its own server, without a public page', () => `${address}/abc`, { pageUrl: 'https://vitrine.example/status', isHidden: true }, null],
    ['nowhere, without a public page', () => null, { pageUrl: 'https://vitrine.example/status', isHidden: true }, null],
    ['elsewhere, without a public page', () => 'https://stspg.io/abc', { isHidden: true }, 'https://stspg.io/abc'],
  ])('publishes no address of a private page if it describes an incident %s', async (_, shortlink, more, sourceUrl) => {
    documents['/api/v2/summary.json'] = { page: PAGE, components: [API], incidents: [{ ...INCIDENT, id: 'i1', shortlink: shortlink() }] };
    documents['/api/v2/incidents.json'] = { page: PAGE, incidents: [] };
    documents['/api/v2/scheduled-maintenances.json'] = { page: PAGE, scheduled_maintenances: [] };
    await run(source(more));
    expect(incidents()).toMatchObject([{ sourceUrl }]);
    expect(JSON.stringify(store.all)).not.toContain('127.0.0.1');
  });

  it('writes its sync record once if it has nothing new to remember', async () => {
    await run();
    store.batches.splice(0);
    await run(source(), NOW + MINUTE);
    expect(store.batches.filter((records) => records === 1)).toHaveLength(1);
  });

  it('remembers what it stores before it stores it', async () => {
    const made = source();
    await store.put([pendingSync(made.registration, made.intervalMs)]);
    const writer = {
      ...wrappedWriter(store),
      put: async (records: Parameters<FakeStore['put']>[0]) => {
        const report = await store.put(records);
        if (records.some(({ kind }) => kind === 'service')) throw new Error('killed');
        return report;
      },
    };
    const context = { collection: store, clock: { now: () => NOW }, signal: new AbortController().signal, progress: () => undefined };
    await expect(made.run({ ...context, writer })).rejects.toThrow('killed');
    documents['/api/v2/summary.json'] = { page: PAGE, components: [ACTIONS] };
    await run(source(), NOW + MINUTE);
    await run(source(), NOW + 2 * MINUTE);
    expect(services().map(({ key }) => key)).toEqual(['provider:br0l2tvcx85d']);
  });
});
