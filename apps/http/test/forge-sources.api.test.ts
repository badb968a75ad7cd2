import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { idleMachine, itInTorture } from '@vitrine/test-support';
import { commit, documents, pullRequest, repository } from '../../../packages/collector/test/forge/github-documents.js';
import { ForgeServer } from '../../../packages/collector/test/forge/forge-server.js';
import { TemporaryRepository } from '../../../packages/collector/test/git/temporary-repository.js';
import { start } from '../src/composition/start.js';
import { localCollector } from './support/local-collector.js';

const REPOSITORY = '/repos/acme/widget';
const WEB = 'https://github.com/acme/widget';
let folder: string;
let forge: ForgeServer;
let logged: string[];
let running: Awaited<ReturnType<typeof start>> | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-forge-'));
  forge = await ForgeServer.start();
  logged = [];
});
afterEach(async () => {
  await running?.stop();
  await forge.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder with one commit and one tag. */
function historyIn(path: string): TemporaryRepository {
  const history = new TemporaryRepository(path);
  history.commit('feat: start');
  history.git('tag', 'v1.0.0');
  return history;
}

async function started({ findings = false } = {}) {
  const config = join(folder, 'vitrine.yaml');
  const source = `{ github: acme/widget, api: "${forge.origin}/api/v3", url: "${WEB}", token: FORGE_TOKEN, allowPrivate: true, interval: 10s }`;
  writeFileSync(
    config,
    `server: {port: 0}
store: {path: ${JSON.stringify(join(folder, 'store'))}}
approved: [acme/widget]
sources:
  - ${source}
  - { git: "${join(folder, 'widget')}", repository: acme/widget, url: "${WEB}", findings: ${String(findings)}, interval: 10s }
`,
  );
  const lines: string[] = [];
  const env = { VITRINE_CONFIG: config, FORGE_TOKEN: 'a-secret-token', PATH: process.env['PATH'] };
  const logs = { write: (line: string) => void logged.push(line) };
  running = await start({ args: [], env, pid: 1, print: (line) => lines.push(line), logs, launch: localCollector(env) });
  const address = /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '';
  const get = async (path: string) => (await (await fetch(`${address}/api/v1/${path}`)).json()) as Body;
  return get;
}

interface Body {
  readonly data?: readonly Readonly<Record<string, unknown>>[] | null;
}

async function until<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (let attempt = 0; attempt < 240; attempt++) {
    const value = await ask();
    if (holds(value)) return value;
    await sleep(250);
  }
  throw new Error('it never did');
}

describe('a server whose configuration names a repository at GitHub', () => {
  it('shows what git and the forge say, and hides nothing but what the forge takes back', async () => {
    const sha = historyIn(join(folder, 'widget')).git('rev-parse', 'HEAD');
    forge.documents = documents(`/api/v3${REPOSITORY}`);
    forge.documents[`/api/v3${REPOSITORY}/commits`] = [commit(sha, 'ada')];
    const get = await started();
    const commits = await until(
      () => get('development/commits'),
      ({ data }) => data?.[0]?.['authorLogin'] === 'ada',
    );
    expect(commits.data).toMatchObject([{ sha, title: 'feat: start', authorLogin: 'ada' }]);
    const releases = await until(
      () => get('development/releases'),
      ({ data }) => data?.length === 2,
    );
    const notes = releases.data?.map(({ tagName, body, platform }) => [tagName, body, platform]);
    expect(notes).toEqual(
      expect.arrayContaining([
        ['v1.0.0', 'Notes of **v1.0.0**', null],
        ['v1.1.0', 'Notes of **v1.1.0**', 'linux'],
      ]),
    );
    expect((await get('missions')).data).toMatchObject([{ title: 'Version 1', progress: { percent: 75 }, repository: { defaultBranch: 'main' } }]);
    const builds = ['20000000001', '20000000002'].map((id) => ({ name: 'CI', url: `${WEB}/actions/runs/${id}` }));
    expect((await get('repositories/acme/widget/hub')).data).toMatchObject({ builds });
    const sources = await until(
      () => get('sources'),
      ({ data }) => data?.length === 2 && data.every(({ state }) => state === 'fresh'),
    );
    expect(sources.data).toMatchObject([{ id: 'git:acme/widget' }, { id: 'github:acme/widget', sourceType: 'github', label: 'acme/widget' }]);

    forge.documents[`/api/v3${REPOSITORY}`] = repository({ private: true, visibility: 'private' });
    await until(
      () => Promise.resolve(logged.join('')),
      (log) => log.includes('HIDDEN since'),
    );
    expect(logged.filter((line) => line.includes('HIDDEN since'))).toHaveLength(1);
    expect(logged.join('')).not.toContain('a-secret-token');
    const answers = await Promise.all(['development/releases', 'missions', 'sources', 'news'].map(get));
    expect(JSON.stringify(answers)).not.toContain(new URL(forge.origin).host);
  });

  itInTorture('shows nothing of it within five seconds after the forge has taken it back, and shows it again when the forge does', async () => {
    historyIn(join(folder, 'widget'));
    const documented = documents(`/api/v3${REPOSITORY}`);
    forge.documents = documented;
    const get = await started();
    // Answers are kept from now on.
    const shown = async (): Promise<readonly boolean[]> => {
      const answers = await Promise.all(['repositories', 'development/commits', 'development/releases', 'missions'].map(get));
      return answers.map(({ data }) => data?.length !== 0);
    };
    const all = (is: boolean) => (answers: readonly boolean[]) => answers.every((one) => one === is);
    await until(shown, all(true));
    forge.documents = {};
    await until(
      () => Promise.resolve(logged.join('')),
      (log) => log.includes('HIDDEN since'),
    );
    const since = performance.now();
    await until(shown, all(false));
    expect(performance.now() - since).toBeLessThan(idleMachine(5_000));
    // The git source has stopped, and the source of the forge goes on asking.
    forge.documents = documented;
    await until(shown, all(true));
    expect(logged.filter((line) => line.includes('a repository is HIDDEN'))).toHaveLength(1);
    expect(logged.filter((line) => line.includes('a repository is not hidden any more'))).toHaveLength(1);
  });

  itInTorture('retracts what a branch brings within the next run after its pull request was closed without merging', async () => {
    const [sha = ''] = historyIn(join(folder, 'widget')).commitOn('topic', { 'feat: idea': {} });
    const list = `/api/v3${REPOSITORY}/pulls`;
    forge.documents = { ...documents(`/api/v3${REPOSITORY}`), [list]: [pullRequest(7, { sha }, { state: 'open', closed_at: null })] };
    const get = await started({ findings: true });
    const finding = (status: string) =>
      until(
        () => get('development/findings'),
        ({ data }) => data?.[0]?.['status'] === status,
      );
    await finding('EXPERIMENTAL');
    await until(
      () => Promise.resolve(forge.asked),
      (asked) => asked.some(({ path: address }) => address.startsWith(list)),
    );
    const closed = new Date(Date.now() + 1_000).toISOString();
    forge.documents[list] = [pullRequest(7, { sha }, { closed_at: closed, updated_at: closed })];
    const summary = 'Closed without merging. It came from the branch topic. 1 commit of the type feature: 0 lines added, 0 lines removed.';
    expect((await finding('RETRACTED')).data).toMatchObject([{ id: 'acme/widget@topic:feature', title: 'feat: idea', summary }]);
  });
});
