import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@vitrine/test-support';
import { start } from '../src/composition/start.js';
import { localCollector } from './support/local-collector.js';
import { RENDERER } from './support/text-renderer.js';

const COMPONENT = { id: 'c1', name: 'Actions', status: 'major_outage', group: false };
const PAGE = { page: { name: 'Provider', url: 'https://status.provider.example' } };
const INCIDENT = {
  id: 'i1',
  name: 'Actions are down',
  status: 'identified',
  impact: 'critical',
  created_at: '2026-01-02T10:00:00.000Z',
  updated_at: '2026-01-02T10:30:00.000Z',
  started_at: '2026-01-02T10:00:00.000Z',
  incident_updates: [{ id: 'u1', status: 'identified', body: 'We know why.', created_at: '2026-01-02T10:30:00.000Z' }],
  components: [COMPONENT],
};

let folder: string;
let network: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-services-'));
  network = createServer(({ url = '' }, response) => {
    const documents: Readonly<Record<string, unknown>> = {
      '/api/v2/summary.json': { ...PAGE, components: [COMPONENT], incidents: [INCIDENT], scheduled_maintenances: [] },
      '/api/v2/incidents.json': { ...PAGE, incidents: [INCIDENT] },
      '/api/v2/scheduled-maintenances.json': { ...PAGE, scheduled_maintenances: [] },
    };
    if (url.startsWith('/secret-health')) response.end('all is ok');
    else if (documents[url] === undefined) response.writeHead(404).end();
    else response.end(JSON.stringify(documents[url]));
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => network.close(resolve).closeAllConnections());
  rmSync(folder, { recursive: true, force: true });
});

async function started() {
  const origin = `http://127.0.0.1:${String((network.address() as AddressInfo).port)}`;
  mkdirSync(join(folder, 'incidents'));
  writeFileSync(
    join(folder, 'incidents', 'slow.md'),
    '---\ntitle: Slow answers\nimpact: minor\nservices: ["acme:web"]\n---\n## 2026-01-03T10:00:00Z investigating\n\nWe look into it.\n',
  );
  const config = join(folder, 'vitrine.yaml');
  writeFileSync(
    config,
    `publicUrl: https://vitrine.acme.example
server: {port: 0}
store: {path: ${JSON.stringify(join(folder, 'store'))}}
approved: []
sources:
  - {incidents: incidents, label: Acme operations}
  - {statuspage: "${origin}", label: Provider, url: "https://status.provider.example", allowPrivate: true}
services:
  - {key: "acme:web", name: Web, check: "${origin}/secret-health?token=secret", expect: {text: ok}, allowPrivate: true}
`,
  );
  const lines: string[] = [];
  const running = await start({
    args: [],
    env: { VITRINE_CONFIG: config },
    pid: 1,
    print: (line) => lines.push(line),
    logs: { write: () => undefined },
    launch: localCollector({ VITRINE_CONFIG: config }),
    texts: RENDERER,
  });
  const address = /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '';
  return { running, origin, get: async (path: string) => (await fetch(`${address}/api/v1/${path}`)).text() };
}

interface Status {
  readonly overallState: string;
  readonly services: readonly Readonly<Record<string, unknown>>[];
  readonly incidents: { readonly current: readonly Readonly<Record<string, unknown>>[] };
}

describe('a server whose configuration names services, incidents and a status page', () => {
  it('shows them on the status page, counts no dependency, and publishes no private address', async () => {
    const { running, origin, get } = await started();
    try {
      let status: Status = { overallState: '', services: [], incidents: { current: [] } };
      await until(async () => {
        // On a busy machine, a status may be late, and then its response has no data.
        const { data } = JSON.parse(await get('status')) as { data: Status | null };
        status = data ?? status;
        const states = status.services.map(({ currentState }) => currentState);
        return status.overallState === 'operational' && states.join() === 'operational,outage' && status.incidents.current.length === 2;
      });
      expect(status.overallState).toBe('operational');
      expect(status.services).toMatchObject([
        { key: 'acme:web', currentState: 'operational', healthUrl: 'https://vitrine.acme.example/status/services/acme%3Aweb' },
        {
          key: 'provider:c1',
          displayName: 'Provider: Actions',
          currentState: 'outage',
          dependency: true,
          healthUrl: 'https://status.provider.example',
        },
      ]);
      expect(status.services[0]).not.toHaveProperty('dependency');
      expect(status.incidents.current).toMatchObject([
        {
          id: 'slow',
          title: 'Slow answers',
          kind: 'declared',
          services: [{ key: 'acme:web', displayName: 'Web' }],
          href: '/api/v1/status/incidents/slow',
        },
        { id: 'provider:i1', title: 'Provider: Actions are down', provenance: { source: 'Provider', sourceUrl: 'https://status.provider.example' } },
      ]);
      const bodies = await Promise.all(
        [
          'status',
          'status/services/acme%3Aweb',
          'status/services/acme%3Aweb/history',
          'status/incidents/slow',
          'sources',
          'overview',
          'search?q=web',
        ].map(get),
      );
      expect(bodies.join('\n')).not.toMatch(/secret|127\.0\.0\.1/);
      expect(bodies.join('\n')).not.toContain(origin);
      expect(bodies[4]).toContain('"id":"statuspage:Provider"');
      expect(bodies[4]).toContain('"id":"probe:acme:web"');
    } finally {
      await running.stop();
    }
  });
});
