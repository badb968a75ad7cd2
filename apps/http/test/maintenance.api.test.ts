import { DAY, HOUR, MINUTE, type Incident } from '@vitrine/core';
import { anIncident, NOW } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { Api } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { PUBLIC_URL, smallWorld } from './support/small-world.js';

const TARGET = '/feeds/maintenance.ics';

afterEach(() => Api.closeAll());

const maintenance = (id: string, over: Partial<Incident> = {}): Incident =>
  anIncident({
    id,
    incidentKind: 'maintenance',
    state: 'scheduled',
    impact: 'maintenance',
    startedAt: NOW + DAY,
    scheduledFor: NOW + DAY,
    scheduledUntil: NOW + DAY + HOUR,
    resolvedAt: null,
    updatedAt: NOW - HOUR,
    ...over,
  });

const open = (...incidents: readonly Incident[]) => Api.open({ records: [...smallWorld, ...incidents] });
const idsOf = (text: string): readonly string[] => [...text.matchAll(/^UID:(.+)@status\.acme\.example\r$/gm)].map(([, id = '']) => id);

describe('planned maintenance on a page', () => {
  it.each(['/', '/status'])('begins with the next one: %s', async (page) => {
    const later = { startedAt: NOW + 3 * DAY, scheduledFor: NOW + 3 * DAY, scheduledUntil: NOW + 3 * DAY + HOUR };
    const api = await Api.open({ records: [...smallWorld, maintenance('mnt_later', later), maintenance('mnt_next')], site: DEFAULT_SITE });
    const { body } = await api.send('GET', page, { Accept: 'text/html' });
    const ids = [...body.matchAll(/<article class="alert [^>]*>.*?incidents\/(mnt_\w+)"/gsu)].map(([, id]) => id);
    expect(ids).toEqual(['mnt_next', 'mnt_later']);
  });
});

describe('the calendar of maintenance', () => {
  it('has planned, present and past maintenance, also behind many incidents', async () => {
    const others = Array.from({ length: 120 }, (_, index) => anIncident({ id: `inc_${String(index)}`, startedAt: NOW - index * MINUTE }));
    const past = maintenance('mnt_past', {
      state: 'completed',
      startedAt: NOW - 9 * DAY,
      scheduledFor: NOW - 9 * DAY,
      resolvedAt: NOW - 9 * DAY + HOUR,
    });
    const present = maintenance('mnt_now', { state: 'in_progress', startedAt: NOW - HOUR, scheduledFor: NOW - HOUR });
    const api = await open(...others, maintenance('mnt_soon'), present, past);
    expect(idsOf((await api.get(TARGET)).body)).toEqual(['mnt_past', 'mnt_now', 'mnt_soon']);
  });

  it('can be that of one service', async () => {
    const services = [{ key: 'acme:docs', displayName: 'Documentation', impacts: [] }];
    const api = await open(maintenance('mnt_docs', { services }), maintenance('mnt_other'));
    const { body } = await api.get(`${TARGET}?service=acme:docs&state=none&limit=0&x=y`);
    expect(idsOf(body)).toEqual(['mnt_docs']);
    // Readers find the calendar again by the address that it names.
    const addressIn = (text: string) => /^URL:(.*)\r$/m.exec(text)?.[1];
    expect(addressIn(body)).toBe(`${PUBLIC_URL}${TARGET}?service=acme%3Adocs`);
    expect(body).toContain(String.raw`Planned maintenance\, acme:docs`);
    expect(addressIn((await api.get(TARGET)).body)).toBe(`${PUBLIC_URL}${TARGET}`);
  });

  it('is kept as long as the list of incidents, has a weak tag, and a HEAD', async () => {
    const api = await open(maintenance('mnt_1'));
    const [calendar, list] = [await api.send('GET', TARGET), await api.get('/api/v1/status/incidents')];
    expect(calendar.headers['cache-control']).toBe(list.headers['cache-control']);
    expect((await api.send('GET', TARGET, { 'If-None-Match': String(calendar.headers['etag']) })).status).toBe(304);
    const head = await api.send('HEAD', TARGET);
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', calendar.headers['content-length']]);
  });

  it('is 503, and never empty, if the store cannot be read', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over });
    faulty.set('fails', 'incidents');
    expect((await api.get(TARGET)).status).toBe(503);
  });
});
