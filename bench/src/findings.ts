import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { createSources, Scheduler, type Source } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import type { RecordStore } from '@vitrine/core';
import { generateGitRepository, SQUASHED_EVERY, WORK_COMMITS } from './generate-git-repository.js';
import { atMost, percentile, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 50_000;
const BRANCHES = 300;
const ROUNDS = 3;
/** The branches of the generated repository have two. */
const TYPES = 2;
const clock = { now: () => Date.now() };

/** Runs a source of findings into an empty store, and again after one commit on a branch and one on the default branch. */
export async function findingFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-findings-'));
  try {
    const repository = join(folder, 'repository.git');
    await generateGitRepository(repository, COMMITS, BRANCHES);
    const first: number[] = [];
    const again: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const store = await openSqliteStore({ clock, path: join(folder, `store-${String(round)}`) });
      const source = findingsSource(repository, join(folder, `cache-${String(round)}`));
      first.push(await secondsOf(store, source, BRANCHES * TYPES));
      await mustConfirm(store);
      commitOn(repository, 'work-1');
      again.push(await secondsOf(store, source, 1));
      commitOn(repository, 'main');
      again.push(await secondsOf(store, source, 0));
      await store.close();
    }
    const what = `findings over ${COMMITS.toLocaleString('en')} commits and ${String(BRANCHES)} branches`;
    return [atMost(what, percentile(first, 0.5), 's', 10), atMost('the same again with one new commit', percentile(again, 0.5), 's', 0.5)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findingsSource(repository: string, cache: string): Source {
  const text = `approved: [acme/widget]\nsources: [{git: "${repository}", repository: acme/widget, url: "https://git.example/acme/widget", findings: true}]\n`;
  const sources = createSources(loadConfig({ text, file: 'vitrine.yaml', env: {} }), { folder: cache, origin: null, environment: process.env });
  const [source, ...more] = sources.filter(({ registration }) => registration?.sourceType === 'finding');
  mustBe('further sources of findings', more.length, 0);
  if (source === undefined) throw new Error('the configuration has no source of findings');
  return source;
}

async function secondsOf({ writer, collection }: RecordStore, source: Source, expected: number): Promise<number> {
  const scheduler = new Scheduler({ writer, collection, clock });
  const startedAt = performance.now();
  const [outcome] = await scheduler.runOnce([source]);
  const seconds = (performance.now() - startedAt) / 1_000;
  await scheduler.stop();
  mustBe('failure', outcome?.error, undefined);
  mustBe('new or changed findings', outcome?.report?.stored, expected);
  return seconds;
}

/** Checks that exactly the branches are confirmed that were merged as one commit, and that each finding counts at least half of the commits. */
async function mustConfirm({ collection }: RecordStore): Promise<void> {
  const findings = await collection.findings('acme/widget', { signal: new AbortController().signal });
  const confirmed = findings.filter(({ status }) => status !== 'EXPERIMENTAL');
  mustBe('findings of merged branches', confirmed.length, (BRANCHES / SQUASHED_EVERY) * TYPES);
  mustBe('findings with all their commits', findings.filter(({ evidence }) => evidence.additions >= WORK_COMMITS / TYPES).length, BRANCHES * TYPES);
}

/** Adds a commit that changes a new file. */
function commitOn(repository: string, branch: string): void {
  const person = `Person <person@example.com> ${String(Math.floor(Date.now() / 1_000))} +0000`;
  const path = `work/${String(performance.now())}`;
  const ref = `refs/heads/${branch}`;
  const script = `commit ${ref}\nauthor ${person}\ncommitter ${person}\ndata 10\nfix: more\n\nfrom ${ref}^0\nM 100644 inline ${path}\ndata 2\nx\n\n`;
  execFileSync('git', ['-C', repository, 'fast-import', '--quiet'], { input: script });
}
