import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TemporaryRepository } from '../../../packages/collector/test/git/temporary-repository.js';
import { start } from '../src/composition/start.js';
import { localCollector } from './support/local-collector.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-findings-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The server of a configuration that clones the repository. */
async function started() {
  const config = join(folder, 'vitrine.yaml');
  const source = { git: `file://${join(folder, 'widget')}`, repository: 'acme/widget', url: 'https://code.acme.example/acme/widget' };
  writeFileSync(
    config,
    `server: {port: 0}
store: {path: ${JSON.stringify(join(folder, 'store'))}}
approved: [acme/widget]
sources: [${JSON.stringify({ ...source, findings: true, interval: '10s' })}]
`,
  );
  const lines: string[] = [];
  const env = { VITRINE_CONFIG: config, PATH: process.env['PATH'], HOME: folder };
  const running = await start({
    args: [],
    env,
    pid: 1,
    print: (line) => lines.push(line),
    logs: { write: () => undefined },
    launch: localCollector(env),
  });
  const address = /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '';
  const read = async (path: string): Promise<string> => (await fetch(address + path)).text();
  const states = async () => {
    const { data } = JSON.parse(await read('/api/v1/development/findings')) as { data: readonly Readonly<Record<string, unknown>>[] | null };
    return (data ?? []).map(({ id, status }) => `${String(id)} ${String(status)}`).sort();
  };
  return { running, read, states };
}

async function until(ask: () => Promise<readonly string[]>, expected: readonly string[]): Promise<void> {
  let found: readonly string[] = [];
  for (let attempt = 0; attempt < 150; attempt++) {
    found = await ask();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    await sleep(400);
  }
  expect(found).toEqual(expected);
}

it('shows the findings of a cloned repository, and follows what becomes of them', async () => {
  const repository = new TemporaryRepository(join(folder, 'widget'));
  repository.commit('feat: start', { 'a.ts': 'a\n' });
  const [sha] = repository.commitOn('topic/b', { 'test: b': { 'b.test.ts': 'b\n' } });
  const { running, read, states } = await started();
  try {
    await until(states, ['acme/widget@topic/b:tests EXPERIMENTAL']);
    // The source tells that its run has ended after it has written.
    await until(async () => [String(/"dataStatus":"(\w+)"/.exec(await read('/api/v1/development/findings'))?.[1])], ['fresh']);
    expect(JSON.parse(await read('/api/v1/development/findings/acme/widget@topic/b:tests'))).toMatchObject({
      data: {
        title: 'test: b',
        changeType: 'tests',
        evidence: { branch: 'topic/b', additions: 1, deletions: 0, files: ['b.test.ts'], commitSha: sha },
        repository: { fullName: 'acme/widget' },
        provenance: { sourceKind: 'service-interpretation', confidence: 'high' },
      },
      meta: { dataStatus: 'fresh' },
    });
    const page = '/findings/acme%2Fwidget%40topic%2Fb%3Atests';
    expect(await read('/findings')).toContain(page);
    expect(await read(page)).toContain('Only on the branch topic/b.');
    expect(await read('/api/v1/sources')).toContain('"finding:acme/widget"');
    repository.merge('topic/b', 'test: b (#1)', true);
    repository.git('branch', '-D', 'topic/b');
    repository.git('tag', 'v1.0.0');
    await until(states, ['acme/widget@topic/b:tests RELEASED']);
    await until(async () => [String((await read(page)).includes('Released with v1.0.0'))], ['true']);
  } finally {
    await running.stop();
  }
});
