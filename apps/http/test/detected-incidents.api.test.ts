import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSources, Scheduler, type Source } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { formatInstant, MINUTE, DAY } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { Api } from './support/api.js';

let folder: string;
let service: Server;
/** What the service answers. */
let status: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-detected-'));
  mkdirSync(join(folder, 'incidents'));
  status = 503;
  service = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await Api.closeAll();
  await new Promise((resolve) => service.close(resolve).closeAllConnections());
  rmSync(folder, { recursive: true, force: true });
});

const ID = `detected:acme:web:${formatInstant(NOW).replaceAll(/[-:]|\.000/g, '')}`;
const PATH = `/status/incidents/${encodeURIComponent(ID)}`;

function sourcesOf(api: Api): readonly Source[] {
  const { port } = service.address() as AddressInfo;
  const text = `publicUrl: https://vitrine.acme.example
approved: []
sources: [{ incidents: incidents }]
services: [{ key: "acme:web", name: Web, check: "http://127.0.0.1:${String(port)}/", allowPrivate: true, confirmAfter: 0 }]
`;
  const config = loadConfig({ text, file: join(folder, 'vitrine.yaml'), env: {} });
  return createSources(config, { folder, origin: null, clock: api.clock });
}

describe('an outage that checks find', () => {
  it.each([
    ['en', 'Outage of Web', 'The outage ended after 2 minutes. 2 checks confirmed it.', 'Acme: Incidents', 'State: resolved. Impact: major.'],
    [
      'de',
      'Ausfall: Web',
      'Der Ausfall endete nach 2 Minuten. 2 Prüfungen haben ihn bestätigt.',
      'Acme: Störungen',
      'Zustand: behoben. Auswirkung: erheblich.',
    ],
  ] as const)(
    'is told in the language of the site on pages and in feeds, and in English by the API: %s',
    async (language, title, ended, feedTitle, facts) => {
      const api = await Api.open({ site: { ...DEFAULT_SITE, title: 'Acme', language } });
      const { writer, collection } = api.store;
      const scheduler = new Scheduler({ writer, collection, clock: api.clock });
      const sources = sourcesOf(api);
      for (const [minutes, answer] of [
        [0, 503],
        [1, 503],
        [2, 200],
      ] as const) {
        status = answer;
        api.clock.set(NOW + minutes * MINUTE);
        await scheduler.runOnce(sources);
        if (minutes === 1) for (const page of ['/', '/status']) expect((await api.get(page)).body).toContain(title);
      }
      const { json } = await api.get(`/api/v1${PATH}`);
      expect(json).toMatchObject({
        data: { title: 'Outage of Web', updates: [{ body: 'The outage ended after 2 minutes. 2 checks confirmed it.' }, {}] },
      });
      for (const page of ['/', '/status', '/status/history', '/status/services/acme%3Aweb', PATH]) {
        const { body } = await api.get(page);
        expect([page, body.includes(title), body.includes('Outage of Web')]).toEqual([page, true, language === 'en']);
      }
      expect((await api.get(PATH)).body).toContain(ended);
      // It says why, also long after.
      api.clock.set(NOW + 30 * DAY);
      expect((await api.get(PATH)).body).toContain(language === 'en' ? '>HTTP error 503</p>' : '>HTTP-Fehler 503</p>');
      const feed = (await api.get('/feeds/incidents.json')).json as { readonly title: string; readonly items: readonly object[] };
      expect(feed.title).toBe(feedTitle);
      expect(feed.items).toMatchObject([{ title, content_text: expect.stringContaining(ended) as string }]);
      expect(feed.items).toMatchObject([{ content_text: expect.stringContaining(facts) as string }]);
    },
  );

  it('is an incident until a check ends it, and belongs to the incident that people declare', async () => {
    const api = await Api.open({ site: DEFAULT_SITE });
    const { writer, collection } = api.store;
    const scheduler = new Scheduler({ writer, collection, clock: api.clock });
    const sources = sourcesOf(api);
    const collect = async (minutes: number): Promise<void> => {
      api.clock.set(NOW + minutes * MINUTE);
      const failed = (await scheduler.runOnce(sources)).filter(({ report }) => report === null);
      expect(failed).toEqual([]);
    };
    const body = async (path: string): Promise<string> => (await api.get(path)).body;
    const current = async (): Promise<unknown> => {
      const { data } = (await api.get('/api/v1/status')).json as { data: { incidents: { current: readonly { readonly id: string }[] } } };
      return data.incidents.current.map(({ id }) => id);
    };

    await collect(0);
    expect(await current()).toEqual([ID]);
    expect(await body('/status')).toMatch(/Outage of Web[^]*Detected[^]*One failed check/);
    expect(await body('/feeds/incidents.atom')).toContain('Outage of Web');

    writeFileSync(
      join(folder, 'incidents', 'disk.md'),
      `---\ntitle: The disk is full\nimpact: major\nservices: ["acme:web"]\ncovers: ["${ID}"]\n---\n## ${formatInstant(NOW)} investigating\n\nWe free space.\n`,
    );
    await collect(1);
    expect(await current()).toEqual([ID, 'disk']);
    for (const page of ['/', '/status']) {
      expect(await body(page)).toContain('The disk is full');
      expect(await body(page)).not.toContain('Outage of Web');
    }

    status = 200;
    await collect(2);
    expect((await api.get(`/api/v1${PATH}`)).json).toMatchObject({
      data: {
        id: ID,
        title: 'Outage of Web',
        kind: 'detected',
        state: 'resolved',
        impact: 'major',
        services: [{ key: 'acme:web', displayName: 'Web', impacts: [{ state: 'outage', startAt: formatInstant(NOW) }] }],
        resolvedAt: formatInstant(NOW + 2 * MINUTE),
        covers: [],
        confirmingChecks: 2,
        endUncertain: false,
        provenance: { sourceKind: 'service-interpretation', sourceUrl: 'https://vitrine.acme.example/status/services/acme%3Aweb' },
      },
    });
    expect((await api.get(`/api/v1/status/incidents?covers=${encodeURIComponent(ID)}`)).json).toMatchObject({
      data: [{ id: 'disk', kind: 'declared', covers: [ID], confirmingChecks: null, endUncertain: null }],
    });
    expect(await body(PATH)).toMatch(/Part of the incident[^]*href="[^"]*\/status\/incidents\/disk"[^]*The disk is full/);
    expect(await body('/status/incidents/disk')).toContain(`href="${PATH}"`);
    expect(await body('/status/history')).toContain('The disk is full');
    expect(await body('/status/history')).not.toContain('Outage of Web');
  });
});
