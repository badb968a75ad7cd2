import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { createSources, type Source } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { startChild } from './child-process.js';
import { collected } from './collected.js';
import { atMost, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

const REPOSITORIES = 50;
/** The repository, its releases, runs, milestones and commits. */
const ADDRESSES = 5;
/** The repository, and its releases, runs and milestones. No git source has stored the commits. */
const RECORDS = 1 + 30 + 100 + 10;
const clock = { now: () => Date.now() };

/** Runs GitHub sources of a configuration against a server in another process, into a store in a folder. */
export async function forgeSourceFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-forge-'));
  const { message, stop } = await startChild<{ readonly port: number }>('forge-server.js', []);
  const origin = `http://127.0.0.1:${String(message.port)}`;
  const store = await openSqliteStore({ clock, path: folder });
  try {
    const sources = forgeSources(origin);
    mustBe('new records of the first run', await collected(store, sources, clock), REPOSITORIES * RECORDS);
    await requestsOf(origin);
    mustBe('new records of the second run', await collected(store, sources, clock), 0);
    const { asked, counted } = await requestsOf(origin);
    mustBe('requests of the second run', asked, REPOSITORIES * ADDRESSES);
    const what = `GitHub with ${String(REPOSITORIES)} repositories and a token, nothing changed: one conditional request for each of ${String(asked)} addresses, counted against the limit`;
    return [atMost(what, counted, 'requests', 0)];
  } finally {
    await store.close();
    stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Requests {
  readonly asked: number;
  readonly counted: number;
}

async function requestsOf(origin: string): Promise<Requests> {
  return (await (await fetch(`${origin}/requests`)).json()) as Requests;
}

function forgeSources(api: string): readonly Source[] {
  const names = Array.from({ length: REPOSITORIES }, (_, index) => `acme/${String(index + 1)}`);
  const lines = names.map(
    (name) => `  - {github: ${name}, api: "${api}", url: "https://github.com/${name}", token: TOKEN, git: false, allowPrivate: true}`,
  );
  const config = loadConfig({ text: `approved: [${names.join(', ')}]\nsources:\n${lines.join('\n')}\n`, file: 'vitrine.yaml', env: {} });
  const sources = createSources(config, { folder: '', origin: null, environment: { TOKEN: 'a-token' } });
  return sources.filter(({ registration }) => registration?.sourceType === 'github');
}
