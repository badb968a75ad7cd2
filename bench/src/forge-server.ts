// Serves the API of GitHub for any repository, on a free port, with an ETag for each address. `/requests` says how many requests it got since the last call, and how many
// of them count against the limit: those without a token, and those that are not answered with 304. Sends the port to its parent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child-process.js';

const RELEASES = 30;
const RUNS = 100;
const MILESTONES = 10;
const COMMITS = 100;
const LIMIT = 5_000;
let [asked, counted] = [0, 0];

const times = { created_at: '2026-11-19T10:00:00Z', updated_at: '2026-11-19T10:05:00Z' };
const many = <Item>(count: number, make: (index: number) => Item): readonly Item[] => Array.from({ length: count }, (_, index) => make(index + 1));
const shaOf = (index: number): string => index.toString(16).padStart(40, '0');

/** By the last part of the path. */
const LISTS: Readonly<Record<string, unknown>> = {
  releases: many(RELEASES, (index) => ({
    ...{ ...times, id: index, tag_name: `v1.${String(index)}.0`, name: `Widget 1.${String(index)}`, body: 'Fixes\n'.repeat(50) },
    ...{ draft: false, prerelease: false, published_at: times.created_at, assets: [] },
  })),
  runs: {
    total_count: RUNS,
    workflow_runs: many(RUNS, (index) => ({
      ...{ ...times, id: index, name: 'CI', head_branch: 'main', head_sha: shaOf(index), run_number: index, event: 'push' },
      ...{ status: 'completed', conclusion: 'success', run_started_at: times.created_at },
    })),
  },
  milestones: many(MILESTONES, (number) => ({
    ...{ ...times, id: number, number, title: `Version ${String(number)}`, description: null, state: 'open' },
    ...{ open_issues: 1, closed_issues: 1, due_on: null, closed_at: null },
  })),
  commits: many(COMMITS, (index) => ({ sha: shaOf(index), author: { login: 'ada' } })),
};

function documentOf(path: string): unknown {
  const last = path.split('?')[0]?.split('/').at(-1) ?? '';
  return LISTS[last] ?? { id: Number(last), node_id: `R_${last}`, private: false, visibility: 'public', default_branch: 'main' };
}

const server = createServer(({ url = '', headers }, response) => {
  if (url === '/requests') {
    response.end(JSON.stringify({ asked, counted }));
    [asked, counted] = [0, 0];
    return;
  }
  const etag = `"${url}"`;
  const isKnown = headers['if-none-match'] === etag;
  asked += 1;
  if (!isKnown || headers.authorization === undefined) counted += 1;
  const limit = {
    'x-ratelimit-limit': String(LIMIT),
    'x-ratelimit-remaining': String(LIMIT - counted),
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 3_600),
  };
  response
    .writeHead(isKnown ? 304 : 200, { etag, ...limit, 'content-type': 'application/json' })
    .end(isKnown ? undefined : JSON.stringify(documentOf(url)));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
answerParent({ port: (server.address() as AddressInfo).port }, { stays: true });
