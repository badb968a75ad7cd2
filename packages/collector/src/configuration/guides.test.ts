import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ConfigError, type Environment } from '@vitrine/config';
import { loadConfig } from './load-config.js';

const ROOT = join(__dirname, '../../../..');

function blocks(guide: string, language: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, code]) => code ?? '');
}

function without(entry: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== field));
}

function isValid(part: Readonly<Record<string, unknown>>): boolean {
  try {
    loadConfig({ text: JSON.stringify({ approved: ['acme/widget'], ...part }), file: 'vitrine.yaml', env: {} });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return false;
  }
}

describe('docs/guides/configure.md', () => {
  it('has valid configurations', () => {
    const found = blocks('configure.md', 'yaml');
    expect(found).toHaveLength(5);
    const env = { MONGODB_URI: 'mongodb://db.example/vitrine' };
    for (const text of found) expect(() => loadConfig({ text, file: 'vitrine.yaml', env })).not.toThrow();
    expect(loadConfig({ text: found[3] ?? '', file: 'vitrine.yaml', env: {} }).store).toMatchObject({
      kind: 'mongodb',
      hosts: 'a.example,b.example,c.example',
    });
  });

  it('shows every key in the second one', () => {
    const config = loadConfig({ text: blocks('configure.md', 'yaml')[1] ?? '', file: 'vitrine.yaml', env: {} });
    expect(config.publicUrl).not.toBeNull();
    expect(config.server.purgeHeader).toBe('Surrogate-Key');
    expect(config.server.trustProxy).toBe(1);
    expect(config.limits).toEqual({ requestsPerMinute: 300, searchesPerMinute: 60, loopback: false });
    expect(config.approved.map(({ forgeId }) => forgeId)).toEqual([null, '4711']);
    expect(config.patterns).toMatchObject([
      { owner: 'acme', ownerId: '1342004', token: { variable: 'ACME_TOKEN', isRequired: true }, except: [{ fullName: 'acme/secret' }] },
    ]);
    expect(config.sources.map(({ kind }) => kind)).toEqual([
      ...['git', 'forge', 'records', 'feed', 'video', 'articles', 'changelog', 'changelog', 'incidents', 'statuspage'],
    ]);
    expect(config.sources[0]).toMatchObject({ forge: 'gitlab', label: 'Acme Code', remote: 'origin', branches: ['main', 'release/*'] });
    expect(config.cache).not.toBeNull();
    expect(config.services.map(({ check }) => check)).toEqual(['self', 'http', 'heartbeat']);
    expect(config.services[1]).toMatchObject({ slowAfterMs: 2_000, expect: { text: 'ok', json: { equals: 'up' } }, headers: [{}, {}] });
    expect(config.canary).not.toBeNull();
    expect(config.heartbeats).toEqual({ host: '127.0.0.1', port: 3001 });
  });

  it('marks the required keys of sources and services', () => {
    const text = blocks('configure.md', 'yaml')[1] ?? '';
    const lists = parse(text) as Readonly<Record<'sources' | 'services', readonly Readonly<Record<string, unknown>>[]>>;
    const entries = [...lists.sources.map((entry) => ({ key: 'sources', entry })), ...lists.services.map((entry) => ({ key: 'services', entry }))];
    const required = entries.flatMap(({ key, entry }) =>
      Object.keys(entry).filter((field) => !isValid({ heartbeats: {}, [key]: [without(entry, field)] })),
    );
    expect([...text.matchAll(/^ +(?:- )?(\w+):.* # Required\. /gm)].map(([, field]) => field)).toEqual(required);
    expect(required.length).toBeGreaterThan(4);
  });

  it('quotes problems as they are reported', () => {
    const [quoted = ''] = blocks('configure.md', 'text');
    const text = `approved:\n  - acme/widget\nsources:\n${'\n'.repeat(5)}  - git: .\n    repository: acme/widget\n    url: https://a.example/\n    interval: 5 minuts\n${'\n'.repeat(7)}servises: []\n`;
    expect(() => loadConfig({ text, file: 'vitrine.yaml', env: {} })).toThrow(new ConfigError(quoted.trimEnd().split('\n')));
  });
});

describe('examples/compose.yaml', () => {
  it('gives Vitrine a valid configuration, in processes that may all be started at once', () => {
    const compose = parse(readFileSync(join(ROOT, 'examples/compose.yaml'), 'utf8'), { merge: true }) as {
      readonly services: Readonly<
        Record<string, { readonly image: string; readonly command?: readonly string[]; readonly environment?: Environment }>
      >;
      readonly configs: { readonly vitrine: { readonly file: string } };
    };
    const text = readFileSync(join(ROOT, 'examples', compose.configs.vitrine.file), 'utf8');
    const ours = Object.values(compose.services).filter(({ image }) => image === 'vitrine:local');
    expect(ours.map(({ command = [] }) => command.slice(1).join(' '))).toEqual([
      'apps/collector/dist/main.js store init',
      'apps/http/dist/main.js',
      'apps/http/dist/main.js --no-collect',
    ]);
    for (const { environment = {} } of ours) {
      // The image says where it listens.
      const config = loadConfig({ text, file: String(environment['VITRINE_CONFIG']), env: { HOST: '0.0.0.0', ...environment } });
      expect(config).toMatchObject({ store: { kind: 'mongodb', hosts: 'mongo-1,mongo-2,mongo-3' }, server: { host: '0.0.0.0' } });
    }
  });
});
