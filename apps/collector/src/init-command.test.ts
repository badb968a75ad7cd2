import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { loadConfig } from '@vitrine/collector';
import { CommandLine } from '../test/support/command-line.js';

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine('', {});
  rmSync(line.path('vitrine.yaml'));
});
afterEach(() => {
  rmSync(line.folder, { recursive: true });
});

const written = () => readFileSync(line.path('vitrine.yaml'), 'utf8');
const loaded = () => loadConfig({ text: written(), file: line.path('vitrine.yaml'), env: {} });

/** Types on a terminal. */
function types(text: string, ends = false): void {
  line.terminal = Object.assign(new PassThrough(), { isTTY: true });
  if (ends) (line.terminal as PassThrough).end(text);
  else (line.terminal as PassThrough).write(text);
}

describe('vitrine init', () => {
  it('writes a commented file from options, which check accepts', async () => {
    const options = [
      '--title',
      'Acme: all "of" it',
      '--repository',
      'https://code.acme.example/acme/widget/',
      '--check',
      'https://acme.example/health',
    ];
    expect([await line.run('init', ...options), line.err]).toEqual([0, []]);
    const file = line.path('vitrine.yaml');
    expect(line.out).toEqual([
      `${file}: written (1 service, 1 source).`,
      `Next: npm run vitrine -- check, then npm start, both with VITRINE_CONFIG=${file}`,
    ]);
    expect(loaded()).toMatchObject({
      site: { title: 'Acme: all "of" it' },
      approved: [{ fullName: 'acme/widget' }],
      sources: [{ kind: 'git', location: 'https://code.acme.example/acme/widget.git', url: 'https://code.acme.example/acme/widget' }],
      services: [{ check: 'http', target: 'https://acme.example/health', key: 'acme-all-of-it:acme-example' }],
    });
    expect(written()).toMatch(/^# The configuration of Vitrine/);
    expect([await line.run('check'), line.err]).toEqual([0, []]);
    expect(readdirSync(line.folder).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('asks nothing if standard input is not a terminal, and writes a file that shows nothing yet', async () => {
    expect(await line.run('init')).toBe(0);
    expect(loaded()).toMatchObject({ approved: [], sources: [], services: [{ check: 'self' }] });
  });

  it('asks three questions on a terminal', async () => {
    types('Acme\nhttps://code.acme.example/acme/widget https://code.acme.example/acme/gadget\nhttps://acme.example, tcp://db.acme.example:5432\n');
    expect([await line.run('init'), line.err]).toEqual([0, []]);
    expect(loaded()).toMatchObject({
      site: { title: 'Acme' },
      approved: [{ fullName: 'acme/widget' }, { fullName: 'acme/gadget' }],
      services: [{ check: 'http' }, { check: 'tcp', target: { host: 'db.acme.example', port: 5432 } }],
    });
  });

  it('asks a question again if the answer cannot be used', async () => {
    types('Acme\nacme/widget\nhttps://code.acme.example/acme/widget\nicmp://acme.example\ngone.yaml\nhttps://acme.example\n');
    expect(await line.run('init')).toBe(0);
    expect(line.err).toEqual([
      '"acme/widget" is not the name of a GitHub user or organization; write https://github.com/acme/widget for this repository',
      expect.stringContaining('"icmp://acme.example" cannot be checked'),
      expect.stringContaining('gone.yaml'),
    ]);
    expect(loaded()).toMatchObject({ site: { title: 'Acme' }, approved: [{ fullName: 'acme/widget' }], services: [{ check: 'http' }] });
  });

  it('takes a file as an answer, and its title if none is typed', async () => {
    const file = line.write('.upptimerc.yml', 'sites: [{name: Web, url: "https://acme.example"}]\nstatus-website: {name: Acme}\n');
    types(`\n\n${file}\n`);
    expect(await line.run('init')).toBe(0);
    expect(loaded()).toMatchObject({ site: { title: 'Acme' }, services: [{ name: 'Web', key: 'acme:web' }] });
  });

  it('asks nothing if an option was given', async () => {
    types('');
    expect(await line.run('init', '--title', 'Acme')).toBe(0);
  });

  it('writes nothing if the answers end, or if the command is stopped', async () => {
    types('Acme\n', true);
    expect([await line.run('init'), line.err]).toEqual([2, ['Nothing was written, because not every question was answered.']]);
    types('Acme\n');
    const stopped = line.run('init');
    setTimeout(() => {
      line.stopping.abort(new Error('stopped'));
    }, 50);
    expect(await stopped).toBe(1);
    expect(existsSync(line.path('vitrine.yaml'))).toBe(false);
  });

  it('replaces no file without --force', async () => {
    writeFileSync(line.path('vitrine.yaml'), 'mine');
    expect(await line.run('init', '--title', 'Acme')).toBe(2);
    expect([written(), line.err[0]]).toEqual(['mine', expect.stringMatching(/vitrine\.yaml exists\. To replace it, add --force\./)]);
    expect(await line.run('init', '--title', 'Acme', '--force')).toBe(0);
    expect(loaded()).toMatchObject({ site: { title: 'Acme' } });
  });

  it('refuses addresses and names that are not valid, and writes nothing', async () => {
    const wrong = [
      '--repository',
      'acme/widget',
      '--github',
      'acme/*',
      '--check',
      'https://user:secret@acme.example',
      '--check',
      'icmp://acme.example',
    ];
    expect(await line.run('init', ...wrong)).toBe(2);
    expect(line.err.join('\n').split('\n').slice(-4)).toEqual([
      expect.stringMatching(/"acme\/\*" is not the name of a GitHub user/),
      expect.stringMatching(/"acme\/widget" is not the web address of a repository/),
      expect.stringMatching(/acme\.example" cannot be checked/),
      expect.stringMatching(/"icmp:\/\/acme\.example" cannot be checked/),
    ]);
    expect(line.err.join('\n')).not.toContain('secret');
    expect(existsSync(line.path('vitrine.yaml'))).toBe(false);
  });

  it('writes a pattern for the public repositories of GitHub owners', async () => {
    expect(await line.run('init', '--github', 'acme', '--github', 'acme')).toBe(0);
    expect(written()).toContain('approved:\n  - github: acme/*\n');
    expect(loaded()).toMatchObject({ approved: [], patterns: [{ owner: 'acme' }] });
  });

  it('names the variables that secrets of another monitor need, and copies none of them', async () => {
    const file = line.write(
      'config.yaml',
      `endpoints:
  - name: Web
    group: core
    url: https://user:first-secret@acme.example/health?key=second-secret
    headers: { X-Token: third-secret, Accept: text/plain }
    body: fourth-secret
    conditions: ["[STATUS] == 200", "[IP] == 10.0.0.1"]
  - { name: Ping, url: "icmp://acme.example" }
alerting: { slack: { webhook-url: "https://hooks.example/fifth-secret" } }
`,
    );
    expect(await line.run('init', '--from', file)).toBe(0);
    expect(line.err).toEqual([
      'Set the environment variable CORE_WEB_X_TOKEN: the value of the header X-Token of core:web.',
      'Set the environment variable CORE_WEB_AUTHORIZATION: the value of the header Authorization of core:web.',
      'not carried over: alerting (Vitrine sends no notifications)',
      'Web: not carried over: body (requests of Vitrine have no body)',
      'Web: not carried over: the condition on [IP]',
      'Web: the query of its address may contain a secret, so it was left out; add it if it does not',
      'Web: the user name and password of its address were left out',
      'Ping: left out, because its address is not http, https, tcp://host:port or a host name',
    ]);
    for (const note of line.err) expect(written()).toContain(`# - ${note.replace('Set the environment variable ', '').replace(/\.$/, '')}`);
    expect(written() + line.err.join('')).not.toMatch(/(?:first|second|third|fourth|fifth)-secret|user:/);
    expect(loaded().services).toMatchObject([
      {
        key: 'core:web',
        target: 'https://acme.example/health',
        headers: [
          { name: 'x-token', value: { variable: 'CORE_WEB_X_TOKEN' } },
          { name: 'accept', value: 'text/plain' },
          { name: 'authorization', value: { variable: 'CORE_WEB_AUTHORIZATION' } },
        ],
      },
    ]);
  });

  it('refuses a file of another program, or none', async () => {
    expect(await line.run('init', '--from', line.write('other.yaml', 'a: 1\n'))).toBe(2);
    expect(await line.run('init', '--from', line.path('missing'))).toBe(2);
    expect(line.err).toEqual([
      expect.stringMatching(/other\.yaml: has no monitorList, sites or endpoints; name the config\.yaml of Gatus/),
      expect.stringMatching(/missing: cannot be read \(ENOENT\); name the config\.yaml of Gatus/),
    ]);
  });
});
