import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { until } from '@vitrine/test-support';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { CommandLine } from '../test/support/command-line.js';

const BOTH = `approved: []
store: { path: store }
sources:
  - { articles: help, label: help }
  - { articles: blog, label: blog }
services:
  - { key: "acme:api", name: Api, check: self }
`;

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine(BOTH, {});
  for (const name of ['help', 'blog']) {
    mkdirSync(line.path(name));
    writeFileSync(join(line.path(name), 'a.md'), `# ${name} one`);
  }
});
afterEach(() => {
  line.stopping.abort(new Error('stopped'));
  rmSync(line.folder, { recursive: true });
});

/** The titles of the stored articles, and the ids of the sync records that are published. */
async function stored(): Promise<readonly string[]> {
  await line.run('export', line.path('out.ndjson'));
  line.out.length = 0;
  const records = readFileSync(line.path('out.ndjson'), 'utf8').trim().split('\n');
  const parsed = records.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  const shown = parsed.flatMap(({ kind, title, id }) => (kind === 'article' ? [String(title)] : kind === 'sync' ? [String(id)] : []));
  return shown.filter((text) => /^(?:help|blog|article:|probe:)/.test(text)).sort();
}

describe('vitrine collect --source', () => {
  it('runs only the named sources, and leaves the records and sync records of all others', async () => {
    await line.run('collect');
    writeFileSync(join(line.path('help'), 'b.md'), '# help two');
    writeFileSync(join(line.path('blog'), 'b.md'), '# blog two');
    line.out.length = 0;
    expect([await line.run('collect', '--source', 'article help'), line.err]).toEqual([0, []]);
    expect(line.out).toEqual(['article help: 1 stored, 0 unchanged, 0 removed']);
    expect(await stored()).toEqual(['article:blog', 'article:help', 'blog one', 'help one', 'help two']);
  });

  it('takes the names that sources prints, both of each source, several times', async () => {
    await line.run('sources');
    line.out.length = 0;
    expect(await line.run('collect', '--source', 'article:help', '--source', 'article blog')).toBe(0);
    expect(line.out).toHaveLength(2);
  });

  it('leaves the sync record of a source that only a server runs', async () => {
    const store = await openSqliteStore({ clock: line.clock, path: line.path('store') });
    const { signal } = new AbortController();
    const sync = { sourceType: 'probe', label: 'Api', repositoryRef: '-', feeds: ['check'], intervalMs: 1_000, state: null } as const;
    const times = { firstAttemptAt: 1, lastAttemptAt: 1, lastSuccessAt: 1, lastFailureAt: null, lastFailureCode: null };
    await store.writer.put([{ kind: 'sync', id: 'probe:acme:api', ...sync, ...times }], { signal });
    await store.close();
    await line.run('collect');
    await line.run('collect', '--source', 'article help');
    expect(await stored()).toContain('probe:acme:api');
  });

  it('still removes what a source brought that has left the configuration', async () => {
    await line.run('collect');
    line.write('vitrine.yaml', BOTH.replace('  - { articles: blog, label: blog }\n', ''));
    await line.run('collect', '--source', 'article help');
    expect(await stored()).toEqual(['article:help', 'help one']);
  });

  it('refuses an unknown name with the nearest one, and a source that only a server runs', async () => {
    expect(await line.run('collect', '--source', 'article halp')).toBe(2);
    expect(await line.run('collect', '--source', 'self-check acme:api')).toBe(2);
    expect(line.err).toEqual([
      `${line.path('vitrine.yaml')} has no source "article halp". Did you mean "article help"? The command sources prints the name of each source.`,
      '"self-check acme:api" checks the server itself, so only a running server collects it. Leave it out.',
    ]);
    expect(line.out).toEqual([]);
  });
});

describe('vitrine collect with sources that read what others bring', () => {
  it('stores the articles of a clone and the changelog of its releases in the same run, in whatever order they are written', async () => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-C', line.path('upstream'), ...args], {
        env: { PATH: process.env['PATH'], HOME: line.folder, GIT_CONFIG_GLOBAL: devNull, GIT_COMMITTER_DATE: '2026-11-20T12:00:00Z' },
        stdio: 'pipe',
      });
    mkdirSync(line.path('upstream/docs'), { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(line.path('upstream/docs/a.md'), '# From git');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'docs: start');
    git('tag', '--annotate', 'v1.0.0', '--cleanup=verbatim', '--message', 'First version.\n\n## Added\n\n- Paging\n');
    const configured = (approved: string) =>
      line.write(
        'vitrine.yaml',
        `approved: [${approved}]
store: { path: store }
sources:
  - { changelog: releases, repository: acme/widget }
  - { articles: docs, from: git, repository: acme/widget, label: guides }
  - { git: "file://${line.path('upstream')}", repository: acme/widget, url: "https://code.acme.example/acme/widget" }
`,
      );
    configured('acme/widget');
    await line.run('check');
    expect(line.out).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Reads the articles in docs of the default branch of acme\/widget every/)]),
    );
    line.out.length = 0;
    expect([await line.run('collect'), line.err]).toEqual([0, []]);
    expect(line.out.slice(1)).toEqual([
      expect.stringMatching(/^git acme\/widget: /),
      'changelog acme/widget: 1 stored, 0 unchanged, 0 removed',
      'article guides: 1 stored, 0 unchanged, 0 removed',
    ]);
    await line.run('export', line.path('out.ndjson'));
    const articles = readFileSync(line.path('out.ndjson'), 'utf8')
      .split('\n')
      .filter((text) => text.includes('"kind":"article"'))
      .map((text) => JSON.parse(text) as unknown);
    expect(articles).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ title: 'From git', repository: 'acme/widget' }),
        expect.objectContaining({ version: '1.0.0', changes: [{ type: 'added', text: 'Paging' }] }),
      ]) as unknown[],
    );
    // Its records stay and are hidden, as those of every source of a repository that is not approved.
    configured('acme/gadget');
    line.out.length = 0;
    expect(await line.run('collect')).toBe(1);
    expect(line.out).toEqual(['services of the configuration: 0 stored, 0 unchanged, 0 removed']);
  });
});

describe('vitrine collect --watch', () => {
  it('collects until it is stopped, follows the configuration, and then releases the lease', async () => {
    line.clock = { now: () => Date.now() };
    const running = line.run('collect', '--watch', '--source', 'article:help', '--source', 'article:blog');
    await until(() => line.out.length >= 2);
    expect([...line.out].sort()).toEqual(['article blog: 1 stored, 0 unchanged, 0 removed', 'article help: 1 stored, 0 unchanged, 0 removed']);
    line.write('vitrine.yaml', BOTH.replace('  - { articles: blog, label: blog }\n', '').replace('help, label', 'news, label'));
    mkdirSync(line.path('news'));
    writeFileSync(join(line.path('news'), 'c.md'), '# help three');
    await until(() => line.out.some((text) => text.startsWith('article help: 1 stored') && text.endsWith('1 removed')));
    expect(line.out).toContain('the sources or services have changed (sources: 1, services: 1)');
    line.stopping.abort(new Error('stopped'));
    expect([await running, line.err]).toEqual([0, []]);
    line.stopping = new AbortController();
    const store = await openSqliteStore({ clock: line.clock, path: line.path('store') });
    const lease = await store.acquireLease({ holder: 'next', signal: new AbortController().signal, waitMs: 0 });
    await lease.release();
    await store.close();
    expect(await stored()).toEqual(['article:help', 'help three']);
  });

  it('runs a source now for another command, which prints the result', async () => {
    const running = line.run('collect', '--watch');
    await until(() => line.out.some((text) => text.startsWith('article help: ')) && line.takesRequests());
    line.out.length = 0;
    writeFileSync(join(line.path('help'), 'b.md'), '# help two');
    expect([await line.run('collect', '--source', 'article help'), line.err]).toEqual([0, []]);
    const said = 'article help: 1 stored, 0 unchanged, 0 removed';
    // The process that collects tells each run, too.
    expect(line.out.filter((text) => text.startsWith('article help: '))).toEqual([said, said]);
    line.stopping.abort(new Error('stopped'));
    expect(await running).toBe(0);
  });

  it('ends with 4 if another process takes the lease', async () => {
    const running = line.run('collect', '--watch', '--source', 'article help');
    await until(() => line.out.length > 0);
    const store = await openSqliteStore({ clock: line.clock, path: line.path('store') });
    // A turn of the same name starts at once, although the turn before has not ended.
    const stolen = await store.acquireLease({ holder: 'this test', signal: new AbortController().signal });
    expect(await running).toBe(4);
    expect(line.err).toEqual([expect.stringMatching(/^The right to write to this data folder was lost: .* Run the command again\.$/)]);
    await stolen.release();
    await store.close();
  });

  it('waits as long as it may while another process collects, and ends normally when it is stopped meanwhile', async () => {
    const store = await openSqliteStore({ clock: line.clock, path: line.path('store') });
    const lease = await store.acquireLease({ holder: 'host, process 7', signal: new AbortController().signal });
    expect(await line.run('collect', '--watch', '--wait', '0s')).toBe(3);
    expect(line.err.at(-1)).toContain('host, process 7 collects into the data folder');
    const waiting = line.run('collect', '--watch', '--wait', '5m');
    await until(() => line.err.some((text) => text.includes('waiting for up to 300 s')));
    line.stopping.abort(new Error('stopped'));
    expect(await waiting).toBe(0);
    await lease.release();
    await store.close();
  });
});
