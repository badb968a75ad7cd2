import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Finding, RecordStore } from '@vitrine/core';
import { generateGitRepository, SQUASHED_EVERY, WORK_COMMITS } from '../git-repository.js';
import { atMost, mustBe, percentile, withFolder, type Figure } from '../measure.js';
import { collected, configuredSources, withStore } from '../source-runs.js';

const COMMITS = 50_000;
const BRANCHES = 300;
const ROUNDS = 3;
/** The branches of the generated repository have two. */
const TYPES = 2;

/** A source of findings into an empty store, and again after one commit on a branch and one on the default branch. */
export function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => {
    const repository = join(folder, 'repository.git');
    await generateGitRepository(repository, COMMITS, BRANCHES);
    const [first, again]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++)
      await withStore(join(folder, `store-${String(round)}`), async (store) => {
        const run = secondsOfRun(store, repository, join(folder, `cache-${String(round)}`));
        first.push(await run(BRANCHES * TYPES));
        await mustConfirm(store);
        commitOn(repository, 'work-1');
        again.push(await run(1));
        commitOn(repository, 'main');
        again.push(await run(0));
      });
    const what = `findings over ${COMMITS.toLocaleString('en')} commits and ${String(BRANCHES)} branches`;
    return [atMost(what, percentile(first, 0.5), 's', 10), atMost('the same again with one new commit', percentile(again, 0.5), 's', 0.5)];
  });
}

function secondsOfRun(store: RecordStore, repository: string, folder: string) {
  const text = `approved: [acme/widget]\nsources: [{git: "${repository}", repository: acme/widget, url: "https://git.example/acme/widget", findings: true}]\n`;
  const sources = configuredSources(text, 'finding', { folder, environment: process.env });
  mustBe('sources of findings', sources.length, 1);
  return async (expected: number): Promise<number> => {
    const startedAt = performance.now();
    const stored = await collected(store, sources);
    const seconds = (performance.now() - startedAt) / 1_000;
    mustBe('new or changed findings', stored, expected);
    return seconds;
  };
}

/** Checks that exactly the branches are confirmed that were merged as one commit, and that each finding counts at least half of the commits. */
async function mustConfirm({ collection }: RecordStore): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of collection.ofRepository('finding', 'acme/widget', { signal: new AbortController().signal })) findings.push(finding);
  const confirmed = findings.filter(({ status }) => status !== 'EXPERIMENTAL');
  mustBe('findings of merged branches', confirmed.length, (BRANCHES / SQUASHED_EVERY) * TYPES);
  mustBe('findings with all their commits', findings.filter(({ evidence }) => evidence.additions >= WORK_COMMITS / TYPES).length, BRANCHES * TYPES);
}

function commitOn(repository: string, branch: string): void {
  const person = `Person <person@example.com> ${String(Math.floor(Date.now() / 1_000))} +0000`;
  const path = `work/${String(performance.now())}`;
  const ref = `refs/heads/${branch}`;
  const script = `commit ${ref}\nauthor ${person}\ncommitter ${person}\ndata 10\nfix: more\n\nfrom ${ref}^0\nM 100644 inline ${path}\ndata 2\nx\n\n`;
  execFileSync('git', ['-C', repository, 'fast-import', '--quiet'], { input: script });
}
