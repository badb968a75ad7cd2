import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../test/support/command-line.js';

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine('approved: []\nsources:\n  - incidents: incidents\nservices:\n  - { key: "acme:api", name: Api, check: self }\n', {});
});
afterEach(() => {
  rmSync(line.folder, { recursive: true });
});

async function shown(...args: readonly string[]): Promise<readonly string[]> {
  line.out.length = 0;
  expect([await line.run('sources', ...args), line.err]).toEqual([0, []]);
  return [...line.out];
}

async function collected(): Promise<void> {
  await line.run('collect');
  line.err.length = 0;
}

const INCIDENT = '---\ntitle: Errors\nimpact: minor\n---\n## 2026-11-20T13:00:00Z investigating\n';

describe('vitrine sources', () => {
  it('shows the state, the last and the next run and the counts of each source', async () => {
    await line.run('incident', 'open', 'Errors');
    await collected();
    expect(await shown()).toEqual([
      'incidents incidents (incident:incidents): fresh, last run 2026-11-20T14:00:00.000Z, next about 2026-11-20T14:00:10.000Z, 1 stored, 0 unchanged, 0 removed',
      'self-check acme:api (probe:acme:api): unknown, no run yet',
      expect.stringMatching(/^detected incidents \(incident:detected by checks\): fresh, .*, 0 stored, 0 unchanged, 0 removed$/),
    ]);
  });

  it('shows why the last run has failed, and goes on showing it after a run that has completed', async () => {
    await collected();
    const reason = `${join(line.folder, 'incidents')} does not exist; create it, or correct the path`;
    expect((await shown()).slice(0, 2)).toEqual([
      'incidents incidents (incident:incidents): failing, last run 2026-11-20T14:00:00.000Z, next about 2026-11-20T14:00:10.000Z',
      `  last failure 2026-11-20T14:00:00.000Z: ${reason}`,
    ]);
    mkdirSync(line.path('incidents'));
    writeFileSync(join(line.path('incidents'), 'a.md'), INCIDENT);
    writeFileSync(join(line.path('incidents'), 'b.md'), 'x');
    await collected();
    expect(await shown()).toEqual([
      expect.stringMatching(/: fresh, .*, 1 stored, 0 unchanged, 0 removed$/),
      `  last failure 2026-11-20T14:00:00.000Z: ${reason}`,
      expect.stringMatching(/^  warning: .*b\.md: has no front matter/),
      expect.stringMatching(/^self-check/),
      expect.stringMatching(/^detected incidents/),
    ]);
  });

  it('prints the same as JSON', async () => {
    await collected();
    expect(JSON.parse((await shown('--json'))[0] ?? '')).toEqual([
      {
        id: 'incident:incidents',
        source: 'incidents incidents',
        state: 'failing',
        intervalSeconds: 10,
        lastRunAt: '2026-11-20T14:00:00.000Z',
        lastSuccessAt: null,
        nextRunAt: '2026-11-20T14:00:10.000Z',
        counts: null,
        warnings: [],
        lastFailure: { at: '2026-11-20T14:00:00.000Z', code: 'ENOENT', reason: expect.stringContaining('does not exist') as string },
      },
      expect.objectContaining({ id: 'probe:acme:api', state: 'unknown', lastRunAt: null }),
      expect.objectContaining({ id: 'incident:detected by checks', state: 'fresh' }),
    ]);
  });

  it('prints when a source that fails again and again is tried next', async () => {
    await collected();
    const [file] = readdirSync(line.path('.vitrine')).filter((name) => name.startsWith('source-runs-'));
    const notes = join(line.path('.vitrine'), String(file));
    const kept = JSON.parse(readFileSync(notes, 'utf8')) as Record<string, object>;
    writeFileSync(
      notes,
      JSON.stringify({ ...kept, 'incident:incidents': { ...kept['incident:incidents'], retryAt: Date.parse('2026-11-20T14:40:00Z') } }),
    );
    expect((await shown())[0]).toContain('failing, last run 2026-11-20T14:00:00.000Z, next about 2026-11-20T14:40:00.000Z');
  });

  it('forgets a source that has left the configuration', async () => {
    await collected();
    line.write('vitrine.yaml', 'approved: []\n');
    await line.run('collect');
    await line.run('export', line.path('out.ndjson'));
    line.write('vitrine.yaml', 'approved: []\nsources:\n  - incidents: incidents\n');
    expect(await shown()).toEqual(['incidents incidents (incident:incidents): unknown, no run yet']);
  });
});
