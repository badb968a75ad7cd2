import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampled } from '@vitrine/test-support';
import { ServerProcess } from './support/server-process.js';

const EXAMPLE = JSON.stringify(join(__dirname, '../../../examples/records.ndjson'));

describe('a server whose data folder was removed', () => {
  let folder = '';
  let server: ServerProcess | null = null;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-moved-'));
    writeFileSync(join(folder, 'vitrine.yaml'), `approved: [acme/widget]\nstore: { path: data }\nsources: [{ records: ${EXAMPLE} }]\n`);
  });
  afterEach(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(sampled(['', '--no-collect'], 2))('says so and is not ready, but alive, until it is back (arguments: %j)', async (argument) => {
    const started = new ServerProcess(join(folder, 'vitrine.yaml'), '', argument === '' ? [] : [argument]);
    server = started;
    const readiness = async () => (await started.get('/readyz')).status;
    await started.eventually('be ready', async () => (await readiness()) === 200);
    renameSync(join(folder, 'data'), join(folder, 'away'));
    await started.eventually('not be ready', async () => (await readiness()) === 503);
    expect((await started.get('/livez')).status).toBe(200);
    await started.eventually('log the reason', () => started.err.includes('Put them back, or restart the process'));
    renameSync(join(folder, 'away'), join(folder, 'data'));
    await started.eventually('be ready again', async () => (await readiness()) === 200);
  });
});
