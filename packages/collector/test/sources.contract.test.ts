import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, DAY, NO_REPOSITORY, type Check, type ReadContext, type ScopeRef } from '@vitrine/core';
import { aCheck, aService } from '@vitrine/core/testing';
import { isTorture } from '@vitrine/test-support';
import { articlesSource } from '../src/sources/articles/articles-source.js';
import { changelogSource } from '../src/sources/changelog/changelog-source.js';
import { DetectedSource } from '../src/sources/detected/detected-source.js';
import { FeedSource, NEWS } from '../src/sources/feed/feed-source.js';
import { FindingsSource } from '../src/sources/findings/findings-source.js';
import { IncidentsSource } from '../src/sources/incidents/incidents-source.js';
import { OutgoingClient } from '../src/fetching/outgoing-client.js';
import { RecordsSource } from '../src/sources/records/records-source.js';
import type { Source } from '../src/running/source.js';
import { sourceContract, type SourceWorld } from '../src/testing/index.js';
import { VIDEOS } from '../src/sources/video/video-source.js';
import { ForgeFixture } from './forge/forge-fixture.js';
import * as giteaDocuments from './forge/gitea-documents.js';
import * as githubDocuments from './forge/github-documents.js';
import * as gitlabDocuments from './forge/gitlab-documents.js';
import { GitFixture } from './git/git-fixture.js';

/** A folder that is moved away to break it. */
function inFolder(
  files: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string | null>>,
  create: (folder: string) => Source,
): SourceWorld {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const [folder, away] = [join(home, 'origin'), join(home, 'away')];
  const write = (names: Readonly<Record<string, string | null>>): void => {
    for (const [name, text] of Object.entries(names))
      if (text === null) rmSync(join(folder, name));
      else writeFileSync(join(folder, name), text);
  };
  const moved = (from: string, to: string) => () => Promise.resolve(renameSync(from, to));
  mkdirSync(folder);
  write(files);
  return {
    create: () => create(folder),
    change: () => Promise.resolve(write(changed)),
    break: moved(folder, away),
    repair: moved(away, folder),
    close: () => Promise.resolve(rmSync(home, { recursive: true })),
  };
}

/** A server with one document. */
async function onServer(first: string, second: string, create: (address: string) => Source): Promise<SourceWorld> {
  let [text, isBroken] = [first, false];
  const server = createServer(({ headers }, response) => {
    const etag = `"${String(text.length)}"`;
    if (isBroken) response.writeHead(503).end('<html>Maintenance</html>');
    else if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'content-type': 'application/xml' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/feed.xml`;
  const broken = (value: boolean) => () => {
    isBroken = value;
    return Promise.resolve();
  };
  return {
    create: () => create(address),
    change: () => {
      text = second;
      return Promise.resolve();
    },
    break: broken(true),
    repair: broken(false),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

const rss = (...items: readonly string[]) =>
  `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title><link>https://acme.example/</link>${items.join('')}</channel></rss>`;
const item = (name: string, more = '') =>
  `<item><guid>https://acme.example/${name}</guid><title>${name}</title><pubDate>Wed, 18 Nov 2026 10:00:00 GMT</pubDate>${more}</item>`;
const film = (name: string) => item(name, `<media:content url="https://acme.example/${name}.mp4" type="video/mp4"/>`);

const feed = { label: 'Acme', publicUrl: null, isOfficial: true, allowPrivate: true, intervalMs: 60_000 };
const files = {
  label: 'docs',
  repositoryRef: NO_REPOSITORY as ScopeRef,
  publicUrl: null,
  language: 'en',
  intervalMs: 60_000,
  defaultUrl: (id: string) => `https://vitrine.acme.example/api/v1/articles/${encodeURIComponent(id)}`,
};
const client = new OutgoingClient();

const mission = (id: string) =>
  `${JSON.stringify({
    kind: 'mission',
    id,
    repository: 'acme/widget',
    title: id,
    status: 'active',
    progress: { completed: 0, total: 0, percent: 0 },
    url: 'https://acme.example/',
    provenance: { source: 'Acme', sourceKind: 'official-source', sourceUrl: 'https://acme.example/', confidence: 'high', isOfficialSource: true },
  })}\n`;

const incident = (title: string) => `---\ntitle: ${title}\nimpact: minor\n---\n## 2026-11-20T10:00:00Z investigating\n`;

/** A forge whose documents change. */
async function onForge(
  config: Parameters<ForgeFixture['config']>[0],
  documents: Record<string, unknown>,
  changed: Record<string, unknown>,
  path = '',
): Promise<SourceWorld> {
  const forge = await ForgeFixture.open(documents);
  forge.hasPullRequests = true;
  const { server } = forge;
  return {
    create: () => forge.restarted({ ...config, api: server.origin + path }),
    change: () => Promise.resolve(void Object.assign(server.documents, changed)),
    break: () => Promise.resolve(void (server.faults = { '*': (response) => response.writeHead(503).end('<html>') })),
    repair: () => Promise.resolve(void (server.faults = {})),
    close: () => forge.close(),
  };
}

function gitWorld(): SourceWorld {
  const fixture = new GitFixture();
  const repository = fixture.repository();
  repository.commit('feat: start', { 'a.ts': 'a\n' });
  repository.git('tag', 'v1.0.0');
  const away = fixture.path('away');
  return {
    create: () => fixture.source(repository.path),
    change: () => {
      repository.commit('fix: more', { 'a.ts': 'b\n' });
      repository.git('tag', '-d', 'v1.0.0');
      return Promise.resolve();
    },
    break: () => Promise.resolve(renameSync(repository.path, away)),
    repair: () => Promise.resolve(renameSync(away, repository.path)),
    close: () => Promise.resolve(fixture.folder.remove()),
  };
}

/** @param changelog the path of a changelog; without it, a folder of articles */
function gitArticlesWorld(changelog: string | null = null): SourceWorld {
  const fixture = new GitFixture();
  const repository = fixture.repository();
  const commit = (version: string, text: string, more: Readonly<Record<string, null>> = {}) =>
    repository.commit('docs: more', {
      ...more,
      'docs/a.md': `# A\n\n${text}`,
      [`docs/${text}.md`]: `# ${text}`,
      'CHANGELOG.md': `## ${version} - 2026-11-20\n### Added\n- ${text}\n`,
    });
  commit('1.0.0', 'first');
  const away = fixture.path('away');
  const git = fixture.options(repository.path);
  return {
    create: () => (changelog === null ? articlesSource({ ...files, path: 'docs', git }) : changelogSource({ ...files, path: changelog, git })),
    change: () => {
      commit('1.1.0', 'second', { 'docs/first.md': null });
      return Promise.resolve();
    },
    break: () => Promise.resolve(renameSync(repository.path, away)),
    repair: () => Promise.resolve(renameSync(away, repository.path)),
    close: () => Promise.resolve(fixture.folder.remove()),
  };
}

/** The source reads another store than it writes to. */
async function detectedWorld(): Promise<SourceWorld> {
  const now = Date.now();
  const { signal } = new AbortController();
  const { collection, writer, close } = await openMemoryStore({ clock: { now: () => now } });
  const check = (minutes: number, state: Check['state']) => aCheck({ checkedAt: now - minutes * 60_000, state });
  await writer.put([aService(), check(600, 'outage'), check(598, 'operational'), check(300, 'outage'), check(298, 'operational')], { signal });
  let isBroken = false;
  const unlessBroken = <Result>(read: (context: ReadContext) => Promise<Result>, context: ReadContext): Promise<Result> =>
    isBroken ? Promise.reject(new Error('the checks cannot be read')) : read(context);
  const broken = (is: boolean) => () => {
    isBroken = is;
    return Promise.resolve();
  };
  return {
    create: () => {
      const source = new DetectedSource({ intervalMs: 60_000, retentionMs: 400 * DAY, addressOf: (key) => `https://acme.example/${key}` });
      const run: Source['run'] = (context) =>
        source.run({
          ...context,
          collection: {
            ...context.collection,
            services: (own) => unlessBroken(collection.services, own),
            checkedDays: (own) => unlessBroken(collection.checkedDays, own),
            checksOf: (day, own) => collection.checksOf(day, own),
          },
        });
      return { id: source.id, intervalMs: source.intervalMs, registration: source.registration, run };
    },
    change: async () => {
      await writer.put([check(599, 'degraded'), check(100, 'outage')], { signal });
      await writer.remove([{ kind: 'check', serviceKey: 'acme:widget-api', checkedAt: now - 300 * 60_000, source: 'Acme probe' }], { signal });
    },
    break: broken(true),
    repair: broken(false),
    close,
  };
}

function findingsWorld(): SourceWorld {
  const fixture = new GitFixture();
  const repository = fixture.repository();
  repository.commit('feat: start', { 'a.ts': 'a\n' });
  repository.git('checkout', '--quiet', '-b', 'topic');
  repository.commit('feat: more', { 'b.ts': 'b\n' });
  repository.git('branch', 'gone');
  repository.git('checkout', '--quiet', 'main');
  const away = fixture.path('away');
  return {
    create: () => new FindingsSource(fixture.options(repository.path)),
    change: () => {
      repository.git('branch', '-D', 'gone');
      repository.git('merge', '--quiet', 'topic');
      repository.git('checkout', '--quiet', '-b', 'next');
      repository.commit('fix: more', { 'a.ts': 'b\n' });
      return Promise.resolve();
    },
    break: () => Promise.resolve(renameSync(repository.path, away)),
    repair: () => Promise.resolve(renameSync(away, repository.path)),
    close: () => Promise.resolve(fixture.folder.remove()),
  };
}

const WORLDS: Readonly<Record<string, () => Promise<SourceWorld>>> = {
  feed: () =>
    onServer(
      rss(item('one'), item('two')),
      rss(item('three'), item('two', '<description>changed</description>')),
      (address) => new FeedSource(NEWS, { ...feed, address }, client),
    ),
  video: () =>
    onServer(
      rss(film('one')),
      rss(film('two'), film('one')),
      (address) => new FeedSource(VIDEOS, { ...feed, address, repositoryRef: NO_REPOSITORY }, client),
    ),
  articles: () =>
    Promise.resolve(
      inFolder({ 'a.md': '# A\n\nfirst', 'b.md': '# B', 'c.md': '# C' }, { 'a.md': '# A\n\nsecond', 'b.md': null, 'd.md': '# D' }, (path) =>
        articlesSource({ ...files, path }),
      ),
    ),
  changelog: () =>
    Promise.resolve(
      inFolder({ 'C.md': '## 1.0.0 - 2026-11-19\n### Added\n- a\n' }, { 'C.md': '## 1.1.0 - 2026-11-20\n### Fixed\n- b\n' }, (folder) =>
        changelogSource({ ...files, path: join(folder, 'C.md') }),
      ),
    ),
  'articles from git': () => Promise.resolve(gitArticlesWorld()),
  'changelog of a file in git': () => Promise.resolve(gitArticlesWorld('CHANGELOG.md')),
  records: () =>
    Promise.resolve(
      inFolder({ 'a.ndjson': mission('a') }, { 'a.ndjson': mission('b'), 'b.ndjson': mission('c') }, (path) => {
        const approved = Allowlist.of('acme/widget').approved();
        return new RecordsSource({ path, approved: () => approved, intervalMs: 10_000 });
      }),
    ),
  incidents: () =>
    Promise.resolve(
      inFolder({ 'a.md': incident('A'), 'b.md': incident('B') }, { 'a.md': incident('changed'), 'b.md': null, 'c.md': incident('C') }, (folder) => {
        const origin = { label: 'incidents', names: new Map<string, string>(), addressOf: (id: string) => `https://acme.example/${id}` };
        return new IncidentsSource({ ...origin, folder, intervalMs: 10_000 });
      }),
    ),
  detected: detectedWorld,
  git: () => Promise.resolve(gitWorld()),
  findings: () => Promise.resolve(findingsWorld()),
  github: () => {
    const base = '/repos/Acme/widget';
    const changed = { [`${base}/releases`]: [githubDocuments.release('v2')], [`${base}/actions/runs`]: { workflow_runs: [githubDocuments.run(9)] } };
    return onForge({ type: 'github' }, githubDocuments.documents(base), changed);
  },
  gitea: () => {
    const base = '/api/v1/repos/Acme/widget';
    return onForge({ type: 'gitea' }, giteaDocuments.documents(base), { [`${base}/milestones`]: [giteaDocuments.milestone(2)] }, '/api/v1');
  },
  gitlab: () => {
    const base = '/api/v4/projects/Acme%2Fwidget';
    return onForge({ type: 'gitlab' }, gitlabDocuments.documents(base), { [`${base}/pipelines`]: [gitlabDocuments.pipeline(9)] }, '/api/v4');
  },
};

/** These are killed anywhere in a torture run only: they start git a hundred times, or another suite or source like them keeps its kills in every run. */
const KILLED_IN_TORTURE = new Set(['git', 'github', 'findings', 'incidents', 'changelog']);

/** Each reads as other sources of the list do, which are tested in every run. */
const IN_TORTURE = new Set(['articles from git', 'changelog of a file in git', 'video', 'gitea', 'gitlab']);

describe.each(Object.entries(WORLDS).filter(([name]) => isTorture || !IN_TORTURE.has(name)))('the source %s', (name, open) => {
  // Files that are written now must not be in the future of the source.
  const cases = sourceContract({ open, openStore: (clock) => openMemoryStore({ clock }), now: Date.now() + 3_600_000 });
  const sample = cases.filter((one) => isTorture || !KILLED_IN_TORTURE.has(name) || !one.name.includes('killed anywhere'));
  it.each(sample)('$name', ({ run }) => run());
});
