import { inspect } from 'node:util';
import { loadConfig } from '../configuration/load-config.js';
import { Allowlist } from '@vitrine/core';
import { ConfiguredSources, createSources } from './create-sources.js';
import { FakeStore } from '../testing/fake-store.js';

const TEXT = `
approved: [acme/widget]
sources:
  - {git: ., repository: acme/widget, url: "https://code.acme.example/acme/widget", interval: 2m}
  - {records: news}
services:
  - {key: "acme:api", name: API, check: self}
`;

const config = (more = '') => loadConfig({ text: TEXT + more, file: '/srv/vitrine.yaml', env: {} });

async function healthUrl(sources: ReturnType<typeof createSources>): Promise<string | null> {
  const store = new FakeStore();
  await sources[0]?.run({
    writer: store,
    collection: store,
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const service = store.all.find((record) => record.kind === 'service');
  return service?.kind === 'service' ? service.healthUrl : null;
}

describe('createSources', () => {
  it('makes a source of each entry, with its interval', () => {
    const sources = createSources(config(), { folder: '/tmp/clones', origin: () => 'http://127.0.0.1:8080' });
    expect(sources.map(({ id, intervalMs }) => [id, intervalMs])).toEqual([
      ['services of the configuration', 3_600_000],
      ['git acme/widget', 120_000],
      ['records /srv/news', 10_000],
      ['self-check acme:api', 30_000],
      ['detected incidents', 60_000],
    ]);
  });

  it('registers each source under an id without a path, of which the one for the services has none', () => {
    const sources = createSources(config(), { folder: '/tmp/clones', origin: () => 'http://127.0.0.1:8080' });
    expect(sources.map(({ registration }) => registration?.id)).toEqual([
      undefined,
      'git:acme/widget',
      expect.stringMatching(/^records:[0-9a-f]{12}$/),
      'probe:acme:api',
      'incident:detected by checks',
    ]);
    expect(JSON.stringify(sources.map(({ registration }) => registration))).not.toContain('/srv');
  });

  it('keeps each source whose entry says the same, and makes a new one of each entry that has changed', () => {
    const made = new ConfiguredSources(config(), { folder: '/tmp/clones', origin: () => 'http://127.0.0.1:8080' });
    const before = [...made.of(config())];
    const changed = (from: string, to: string) => {
      const text = TEXT.replace(from, to);
      expect(text).not.toBe(TEXT);
      const after = made.of(loadConfig({ text, file: '/srv/vitrine.yaml', env: {} }));
      const outcome = after.map((source) => before.includes(source));
      // Back to what it was, with new ones where it was not.
      before.splice(0, before.length, ...made.of(config()));
      return outcome;
    };
    expect(made.of(config())).toEqual(before);
    expect(changed('interval: 2m', 'interval: 3m')).toEqual([true, false, true, true, true]);
    expect(changed('approved: [acme/widget]', 'approved: [{name: acme/widget, id: 7}]')).toEqual([true, false, true, true, true]);
    expect(changed('records: news', 'records: other')).toEqual([true, true, false, true, true]);
    expect(changed('name: API', 'name: Other')).toEqual([false, true, true, false, true]);
    expect(changed('  - {records: news}\n', '')).toEqual([true, true, true, true]);
  });

  it('makes sources of feeds, videos, articles and changelogs, under their labels', async () => {
    const text = `approved: [acme/widget]
sources:
  - feed: https://blog.acme.example/feed.xml
  - {video: "https://tube.acme.example/feed.xml", repository: acme/widget}
  - {articles: docs/help, label: Help}
  - {changelog: CHANGELOG.md, repository: acme/widget}
`;
    const options = { folder: '', origin: null, approved: () => Allowlist.of().approved() };
    const [, ...sources] = createSources(loadConfig({ text, file: '/srv/vitrine.yaml', env: {} }), options);
    expect(sources.map(({ id, intervalMs, isRemote, registration }) => [id, intervalMs, isRemote, registration?.id, registration?.feeds])).toEqual([
      ['feed blog.acme.example', 900_000, true, 'feed:blog.acme.example', ['news']],
      ['video tube.acme.example', 900_000, true, 'video:tube.acme.example', ['video']],
      ['article Help', 60_000, undefined, 'article:Help', ['article']],
      ['changelog acme/widget', 60_000, undefined, 'changelog:acme/widget', ['article']],
    ]);
    const store = new FakeStore();
    const context = { writer: store, collection: store, clock: { now: () => 0 }, signal: new AbortController().signal, progress: () => undefined };
    // They collect nothing while their repository is not approved.
    expect(await sources[1]?.run(context)).toMatchObject({ stored: 0, warnings: [expect.stringContaining('is not approved any more')] });
    expect(await sources[3]?.run(context)).toMatchObject({ stored: 0, warnings: [expect.stringContaining('is not approved any more')] });
  });

  it('puts sources last that read what others bring, and rebuilds them when the git source that they read has changed', async () => {
    const text = `approved: [acme/widget]
sources:
  - {articles: docs, from: git, repository: acme/widget, label: Docs}
  - {changelog: releases, repository: acme/widget}
  - {git: ., repository: acme/widget, url: "https://code.acme.example/acme/widget"}
`;
    const load = (yaml: string) => loadConfig({ text: yaml, file: '/srv/vitrine.yaml', env: {} });
    const state = { approved: Allowlist.of('acme/widget').approved() };
    const made = new ConfiguredSources(load(text), { folder: '', origin: null, approved: () => state.approved });
    const before = made.of(load(text));
    expect(before.map(({ id }) => id)).toEqual(['services of the configuration', 'git acme/widget', 'article Docs', 'changelog acme/widget']);
    expect(made.of(load(text.replace('git: .', 'git: elsewhere'))).map((source) => before.includes(source))).toEqual([true, false, false, true]);
    state.approved = Allowlist.of().approved();
    const store = new FakeStore();
    const context = { writer: store, collection: store, clock: { now: () => 0 }, signal: new AbortController().signal, progress: () => undefined };
    for (const source of before.slice(2))
      expect(await source.run(context)).toMatchObject({ stored: 0, warnings: [expect.stringContaining('is not approved any more')] });
  });

  it('makes two sources of a forge, which share a limit of requests without a token', () => {
    const text = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `acme/w${String(index)}`);
      return `approved: [${names.join(', ')}]\nsources: [${names.map((name) => `{ github: ${name}, interval: 1m }`).join(', ')}]\n`;
    };
    const configOf = (count: number) => loadConfig({ text: text(count), file: '/srv/vitrine.yaml', env: {} });
    const made = new ConfiguredSources(configOf(1), { folder: '', origin: null });
    const [, git, forge] = made.of(configOf(1));
    expect([git?.id, forge?.id, forge?.registration?.id, forge?.isRemote]).toEqual(['git acme/w0', 'github acme/w0', 'github:acme/w0', true]);
    expect([git?.intervalMs, forge?.intervalMs]).toEqual([60_000, Math.ceil((5 * 3_600_000) / 57)]);
    made.of(configOf(4));
    expect(forge?.intervalMs).toBe(Math.ceil((20 * 3_600_000) / 57));
    const withToken = createSources(configOf(4), { folder: '', origin: null, environment: { GITHUB_TOKEN: 'x' } });
    expect(withToken.at(-1)?.intervalMs).toBe(60_000);
  });

  it('reads the pull requests of a forge only for findings, which then come after it, and makes both anew when that changes', () => {
    const load = (findings: boolean, forge = '{github: acme/w}') => {
      const git = `{git: ., repository: acme/w, url: "https://code.acme.example/w", findings: ${String(findings)}}`;
      return loadConfig({ text: `approved: [acme/w]\nsources: [${git}, ${forge}]\n`, file: '/srv/vitrine.yaml', env: {} });
    };
    const made = new ConfiguredSources(load(true), { folder: '', origin: null });
    const before = made.of(load(true));
    expect(before.map(({ id }) => id)).toEqual(['services of the configuration', 'git acme/w', 'github acme/w', 'finding acme/w']);
    const requestsOf = (sources: typeof before) => ((sources[2]?.intervalMs ?? 0) * 57) / 3_600_000;
    expect(requestsOf(before)).toBeCloseTo(6);
    const without = made.of(load(false));
    expect(requestsOf(without)).toBeCloseTo(5);
    expect(without.map((source) => before.includes(source))).toEqual([true, false, false]);
    const again = made.of(load(true));
    const elsewhere = made.of(load(true, '{github: acme/w, api: "https://git.acme.example"}'));
    expect(elsewhere.map((source) => again.includes(source))).toEqual([true, true, false, false]);
  });

  it('checks services that are reached over a network, also where nothing is served', async () => {
    const services = `
  - {key: "acme:web", name: Web, check: "https://acme.example/health?token=a"}
  - {key: "acme:db", name: Db, check: "tcp://db.acme.example:5432", url: "https://acme.example/db"}
  - {key: "acme:dns", name: Dns, check: "dns:acme.example"}
`;
    const sources = createSources(config(services), { folder: '/tmp/clones', origin: null });
    expect(sources.map(({ registration }) => registration?.id).slice(-4, -1)).toEqual(['probe:acme:web', 'probe:acme:db', 'probe:acme:dns']);
    const store = new FakeStore();
    await sources[0]?.run({
      writer: store,
      collection: store,
      clock: { now: () => 0 },
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    expect(store.all.flatMap((record) => (record.kind === 'service' ? [[record.key, record.healthUrl]] : []))).toEqual([
      ['acme:api', 'http://127.0.0.1:3000/livez'],
      ['acme:db', 'https://acme.example/db'],
      ['acme:dns', 'http://127.0.0.1:3000/status/services/acme%3Adns'],
      ['acme:web', 'https://acme.example/health'],
    ]);
  });

  it('makes the source of incidents anew when the name of a service has changed', () => {
    const incidents = TEXT.replace('sources:', 'sources:\n  - {incidents: incidents}');
    const load = (text: string) => loadConfig({ text, file: '/srv/vitrine.yaml', env: {} });
    const made = new ConfiguredSources(load(incidents), { folder: '', origin: null });
    const before = made.of(load(incidents));
    expect(before.map(({ id }) => id)).toContain('incidents incidents');
    const after = made.of(load(incidents.replace('name: API', 'name: Other')));
    expect(after.filter((source) => !before.includes(source)).map(({ id }) => id)).toEqual(['services of the configuration', 'incidents incidents']);
  });

  it('finds outages in checks only if something brings checks', () => {
    const idsOf = (text: string) =>
      createSources(loadConfig({ text, file: '/srv/vitrine.yaml', env: {} }), { folder: '', origin: null }).map(({ id }) => id);
    expect(idsOf('approved: []\nservices: []\nsources: [{records: news}]\n')).toContain('detected incidents');
    expect(idsOf('approved: []\nservices: []\n')).not.toContain('detected incidents');
  });

  it('checks nothing of its own where nothing is served', () => {
    const sources = createSources(config(), { folder: '/tmp/clones', origin: null });
    expect(sources.map(({ id }) => id)).not.toContain('self-check acme:api');
  });

  it('names the health page under the public address, else where it listens, else where it would', async () => {
    const origin = () => 'http://127.0.0.1:8080';
    expect(await healthUrl(createSources(config('publicUrl: https://vitrine.acme.example/\n'), { folder: '', origin }))).toBe(
      'https://vitrine.acme.example/livez',
    );
    expect(await healthUrl(createSources(config(), { folder: '', origin }))).toBe('http://127.0.0.1:8080/livez');
    expect(await healthUrl(createSources(config(), { folder: '', origin: null }))).toBe('http://127.0.0.1:3000/livez');
    expect(await healthUrl(createSources(config('server: {host: "::1", port: 81}\n'), { folder: '', origin: null }))).toBe('http://[::1]:81/livez');
    expect(await healthUrl(createSources(config('server: {host: 0.0.0.0}\n'), { folder: '', origin: null }))).toBe('http://127.0.0.1:3000/livez');
  });

  it('shows no token and no query of an address when a source is printed, because callbacks of embedders get sources', () => {
    const more = `  - {key: "acme:site", name: Site, check: "https://acme.example/?key=s3cret"}
  - {key: "acme:job", name: Job, check: heartbeat, token: JOB_TOKEN, interval: 5m}
heartbeats: {port: 3001}
`;
    const text = (TEXT + more).replace(
      'sources:',
      'sources:\n  - {feed: "https://acme.example/feed?key=s3cret", label: Blog}\n  - {github: acme/widget}',
    );
    const environment = { JOB_TOKEN: 's3cret-of-the-job-of-acme', GITHUB_TOKEN: 's3cret' };
    const options = { folder: '/tmp/clones', origin: () => 'http://127.0.0.1:8080', environment };
    const sources = createSources(loadConfig({ text, file: '/srv/vitrine.yaml', env: environment }), options);
    expect(sources).toHaveLength(9);
    expect(inspect(sources, { depth: Infinity })).not.toContain('s3cret');
    expect(JSON.stringify(sources)).not.toContain('s3cret');
  });
});
