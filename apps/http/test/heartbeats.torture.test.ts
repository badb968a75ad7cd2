import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTorture } from '@vitrine/test-support';
import { ServerProcess } from './support/server-process.js';

const VITRINE = join(__dirname, '../../collector/dist/main.js');
const TOKENS = { BACKUP_TOKEN: 'canary-of-the-backup-token', CRON_TOKEN: 'canary-of-the-cron-token' };
const SERVICES = `
heartbeats: { port: 0 }
services:
  - { key: "acme:backup", name: Backup, check: heartbeat, interval: 31d, token: BACKUP_TOKEN }
  - { key: "acme:cron", name: Cron, check: heartbeat, interval: 10s, grace: 0s, token: CRON_TOKEN }
`;

interface Shown {
  readonly data: readonly { readonly state: string; readonly rawState: string; readonly checkedAt: string }[];
}

describe('services that report themselves', () => {
  let folder = '';
  let config = '';
  const servers: ServerProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-heartbeats-'));
    config = join(folder, 'vitrine.yaml');
    writeFileSync(config, `approved: []${SERVICES}`);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  });

  function started(): ServerProcess {
    const server = new ServerProcess(config, '', [], [], { more: { ...TOKENS, LOG_LEVEL: 'trace' } });
    servers.push(server);
    return server;
  }

  function vitrine(...args: readonly string[]): string {
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: config, ...TOKENS };
    return execFileSync(process.execPath, [VITRINE, ...args], { env, encoding: 'utf8' });
  }

  async function beat(server: ServerProcess, path: string): Promise<number> {
    const address = () => /received on (http:\S+)\/</.exec(server.out)?.[1];
    await server.eventually('listen for heartbeats', () => address() !== undefined);
    return (await fetch(`${String(address())}/${path}`)).status;
  }

  async function history(server: ServerProcess, key: string): Promise<readonly string[]> {
    const { body } = await server.get(`/api/v1/status/services/${encodeURIComponent(key)}/history`);
    return (body as Shown).data.map(({ state, rawState }) => `${state} ${rawState}`);
  }

  it('are shown as soon as the response says so, also after the process was killed, and no token leaves it', async () => {
    const server = started();
    expect(await beat(server, TOKENS.BACKUP_TOKEN.slice(1))).toBe(404);
    expect(await beat(server, TOKENS.BACKUP_TOKEN)).toBe(200);
    expect(await history(server, 'acme:backup')).toEqual(['operational ok']);
    expect(await beat(server, `${TOKENS.BACKUP_TOKEN}/fail`)).toBe(200);
    server.kill();
    await server.ended();
    // It collects half a minute later, when the lease of the killed process has expired: lease.test.ts.
    const restarted = started();
    expect(await history(restarted, 'acme:backup')).toEqual(['outage reported']);
    const { body } = await restarted.get('/api/v1/sources');
    expect((body as { readonly data: readonly object[] }).data).toContainEqual(
      expect.objectContaining({ id: 'heartbeat:acme:backup', sourceType: 'heartbeat', service: 'acme:backup', state: 'fresh', intervalSeconds: 60 }),
    );
    expect(vitrine('sources')).toMatch(/^heartbeat acme:backup \(heartbeat:acme:backup\): fresh/m);
    expect(vitrine('check')).toContain('Expects heartbeats as acme:backup (Backup) every 2678400 s, at most 86400 s late.');
    const everything = [server.text, restarted.text, vitrine('export', '-'), JSON.stringify(body)].join();
    for (const token of Object.values(TOKENS)) expect(everything).not.toContain(token.slice(0, 8));
  });

  // The shortest interval is ten seconds. `heartbeat-source.test.ts` moves its clock.
  if (isTorture)
    it('are an outage when a heartbeat is missing', async () => {
      const server = started();
      expect(await beat(server, TOKENS.CRON_TOKEN)).toBe(200);
      await server.eventually('miss a heartbeat', async () => (await history(server, 'acme:cron')).includes('outage missed'));
      expect((await server.get('/api/v1/status')).body).toMatchObject({ data: { overallState: 'outage' } });
    });
});
