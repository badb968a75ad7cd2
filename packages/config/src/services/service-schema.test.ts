import { ConfigError } from '../validation/problems.js';
import { loadConfig } from '../load-config.js';

const load = (service: string, more = '') =>
  loadConfig({ text: `approved: []\nservices:\n  - { key: "acme:web", name: Web, ${service} }\n${more}`, file: 'v.yaml', env: {} }, {});

const serviceOf = (service: string) => load(service).services[0];

function problemsOf(service: string, more = ''): readonly string[] {
  try {
    load(service, more);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const NAMED = { key: 'acme:web', name: 'Web', group: null, order: null };

const COMMON = {
  ...NAMED,
  url: null,
  intervalMs: 30_000,
  timeoutMs: 5_000,
  slowAfterMs: null,
  confirmAfter: 2,
  allowPrivate: false,
  dependency: false,
};

describe('a service that is checked over a network', () => {
  it('has defaults for everything but its address', () => {
    expect(serviceOf('check: https://acme.example/health')).toEqual({
      ...COMMON,
      check: 'http',
      target: 'https://acme.example/health',
      method: 'GET',
      headers: [],
      expect: { status: null, text: null, json: null },
      redirects: 5,
      certificateMs: 14 * 86_400_000,
    });
    expect(serviceOf('check: tcp://db.acme.example:5432')).toEqual({ ...COMMON, check: 'tcp', target: { host: 'db.acme.example', port: 5432 } });
    expect(serviceOf('check: "tcp://[2001:db8::1]:22"')).toMatchObject({ target: { host: '2001:db8::1', port: 22 } });
    expect(serviceOf('check: dns:acme.example')).toEqual({ ...COMMON, check: 'dns', target: 'acme.example' });
  });

  it('reads every key', () => {
    const service = serviceOf(
      `check: http://10.0.0.1/, method: HEAD, headers: { Accept: text/plain, Authorization: { env: WEB_TOKEN } }, redirects: 0,
      expect: { status: [200, 401], text: ok, json: { path: checks.0.state, equals: true } }, timeout: 3s, slowAfter: 2s, confirmAfter: 0,
      interval: 1m, allowPrivate: true, url: "https://acme.example/", certificate: 0d, dependency: true, group: " Web sites ", order: 3`,
    );
    expect(service).toEqual({
      ...COMMON,
      check: 'http',
      target: 'http://10.0.0.1/',
      method: 'HEAD',
      headers: [
        { name: 'accept', value: 'text/plain' },
        { name: 'authorization', value: { variable: 'WEB_TOKEN' } },
      ],
      expect: { status: [200, 401], text: 'ok', json: { path: 'checks.0.state', equals: true } },
      redirects: 0,
      certificateMs: 0,
      url: 'https://acme.example',
      intervalMs: 60_000,
      timeoutMs: 3_000,
      slowAfterMs: 2_000,
      confirmAfter: 0,
      allowPrivate: true,
      dependency: true,
      group: 'Web sites',
      order: 3,
    });
    for (const check of ['https://acme.example', 'tcp://acme.example:22', 'dns:acme.example'])
      expect(serviceOf(`check: "${check}", url: false`)).toMatchObject({ url: false });
    expect(serviceOf('check: https://acme.example, expect: { status: 204 }')).toMatchObject({ expect: { status: [204] } });
  });

  it.each([
    [
      'check: https://user:secret@acme.example/',
      'check: "https://…@acme.example/" is not a web address without user name; write self, heartbeat, an http or https',
    ],
    [
      'check: ftp://acme.example/',
      'check: "ftp://acme.example/" is not known; write self, heartbeat, an http or https address, tcp://host:port or dns:name',
    ],
    ['check: tcp://acme.example', 'check: "tcp://acme.example" has no host or no port; write self'],
    ['check: "tcp://acme.example:0"', 'check: "tcp://acme.example:0" has no port from 1 to 65535; write self'],
    ['check: "dns:8.8.8.8"', 'check: "dns:8.8.8.8" has no host name; write self'],
    ['check: no, expect: { text: ok }', 'check: "no" is not known; write self'],
    ['check: self, timeout: 3s', 'timeout: is not a key here; write one of key, name, check, interval'],
    ['check: "tcp://a.example:1", expect: { status: 200 }', 'expect: is not a key here; write one of'],
    ['check: https://a.example, expect: { status: 99 }', 'expect.status: 99 is not a status; write a status from 100 to 599'],
    ['check: https://a.example, expect: { status: [] }', 'expect.status: is empty; write a status such as 200, or a list'],
    ['check: https://a.example, expect: { txt: ok }', 'expect.txt: is not a key here; did you mean text?'],
    ['check: https://a.example, expect: { json: { path: a } }', 'expect.json.equals: is missing; write a text, a number, true or false, or null'],
    ...['a..b', '$.a.b', '$', 'a[0]', "$['a']"].map((path) => [
      `check: https://a.example, expect: { json: { path: ${JSON.stringify(path)}, equals: 1 } }`,
      `expect.json.path: ${JSON.stringify(path)} is not such a path; write the names and positions that lead to a value, such as status or checks.0.state`,
    ]),
    ['check: https://a.example, headers: { Host: a }', 'headers: has a header "host" that cannot be set; write names and values'],
    ['check: https://a.example, headers: { Accept: "a\\nb" }', 'headers.Accept: is not a value of a header; write a text, or { env: NAME }'],
    ['check: https://a.example, headers: { Accept: { env: "$A" } }', 'headers.Accept: is not a value of a header; write a text, or { env: NAME }'],
    ['check: self, group: " "', 'group: " " is not such a text; write a text of 1 to 100 characters'],
    ['check: "tcp://a.example:1", order: -1', 'order: -1 is out of range; write a whole number from 0 to 10000'],
    ['check: https://a.example, confirmAfter: 9', 'confirmAfter: 9 is out of range; write a whole number from 0 to 5'],
    ['check: https://a.example, timeout: 2m', 'timeout: "2m" is out of range; write a number and a unit'],
    ['check: https://a.example, slowAfter: 5s', 'slowAfter: is not shorter than timeout, so nothing would ever be slow; write a shorter time'],
    ['check: https://a.example, timeout: 3s, slowAfter: 4s', 'slowAfter: is not shorter than timeout'],
    ['check: https://a.example, url: "https://a.example/?token=b"', 'url: "https://a.example/?…" is not a public address'],
  ])('says what is wrong with %s', (service, problem) => {
    const found = problemsOf(service);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`services[0].${problem}`);
    expect(found[0]).not.toContain('secret');
  });
});

describe('a service that reports itself', () => {
  const LISTENER = 'heartbeats: {}\n';

  it('has a default for its grace: a tenth of the interval, at least a minute and at most a day', () => {
    const backup = (interval: string) => load(`check: heartbeat, interval: ${interval}, token: BACKUP_TOKEN`, LISTENER);
    const { services, heartbeats } = backup('1d');
    expect(heartbeats).toEqual({ host: '127.0.0.1', port: 3001 });
    expect(services).toEqual([
      { ...NAMED, check: 'heartbeat', intervalMs: 86_400_000, graceMs: 8_640_000, tokenVariable: 'BACKUP_TOKEN', url: null },
    ]);
    expect(['10s', '31d'].map((interval) => backup(interval).services[0])).toMatchObject([{ graceMs: 60_000 }, { graceMs: 86_400_000 }]);
  });

  it('reads every key', () => {
    const { services, heartbeats } = load(
      'check: heartbeat, interval: 10s, grace: 0s, token: T, url: "https://acme.example/"',
      'heartbeats: { port: 0, host: 10.0.0.1 }\n',
    );
    expect(services).toMatchObject([{ intervalMs: 10_000, graceMs: 0, tokenVariable: 'T', url: 'https://acme.example' }]);
    expect(heartbeats).toEqual({ host: '10.0.0.1', port: 0 });
  });

  it('can hide its address', () => {
    expect(load('check: heartbeat, interval: 1d, token: T, url: false', LISTENER).services).toMatchObject([{ url: false }]);
  });

  it.each([
    ['check: heartbeat, token: T', 'interval: is missing; write a number and a unit'],
    [
      'check: heartbeat, interval: 32d, token: T',
      'interval: "32d" is out of range; write a number and a unit, such as 30s, 5m or 8h, from 10s to 31d',
    ],
    ['check: heartbeat, interval: 1d, grace: 2d, token: T', 'grace: "2d" is out of range'],
    [
      'check: heartbeat, interval: 1d',
      'token: is missing; write the name of an environment variable in capital letters, such as ACME_TOKEN, and never the token itself',
    ],
    [
      'check: heartbeat, interval: 1d, token: secret-token',
      'token: is not such a name; write the name of an environment variable in capital letters',
    ],
    [
      'check: heartbeat, interval: 1d, token: T, timeout: 3s',
      'timeout: is not a key here; write one of key, name, check, interval, group, order, grace, token, url',
    ],
  ])('says what is wrong with %s', (service, problem) => {
    const found = problemsOf(service, LISTENER);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`services[0].${problem}`);
    expect(found[0]).not.toContain('secret');
  });

  it('cannot be received on the port of the server', () => {
    const service = 'check: heartbeat, interval: 1d, token: T';
    for (const lines of ['heartbeats: { port: 4815 }\nserver: { port: 4815 }\n', 'heartbeats: { port: 3000 }\n'])
      expect(problemsOf(service, lines)).toEqual([
        expect.stringMatching(/heartbeats\.port: is the port of the server too; write another one, such as 3001$/),
      ]);
    for (const lines of [
      'heartbeats: { port: 4815 }\nserver: { port: 4816 }\n',
      'heartbeats: { port: 0 }\nserver: { port: 0 }\n',
      'heartbeats: { port: 4815, host: 10.0.0.1 }\nserver: { port: 4815, host: 10.0.0.2 }\n',
    ])
      expect(load(service, lines).services).toHaveLength(1);
  });

  it('needs an address where heartbeats are received, and a token of its own', () => {
    expect(problemsOf('check: heartbeat, interval: 1d, token: T')).toEqual([
      'v.yaml:3: services[0].check: needs an address where heartbeats are received; add the key heartbeats, such as heartbeats: { port: 3001 }',
    ]);
    const second = '  - { key: "acme:cron", name: Cron, check: heartbeat, interval: 1d, token: T }\n';
    expect(problemsOf('check: heartbeat, interval: 1d, token: T', second + LISTENER)).toEqual([
      'v.yaml:4: services[1].token: "T" appears twice; write it once',
    ]);
  });

  it.each([
    ['3001', 'heartbeats: 3001 is not an object; write port and host below it, or remove the key'],
    ['{ port: 70000 }', 'heartbeats.port: 70000 is out of range'],
  ])('says what is wrong with the address %s', (listener, problem) => {
    expect(problemsOf('check: self', `heartbeats: ${listener}\n`).join()).toContain(problem);
  });
});

describe('the canary', () => {
  it('is an address, or an object', () => {
    expect(load('check: self').canary).toBeNull();
    expect(load('check: self', 'canary: https://example.org/\n').canary).toEqual({
      target: { kind: 'http', url: 'https://example.org/' },
      allowPrivate: false,
    });
    expect(load('check: self', 'canary: { check: "tcp://10.0.0.1:53", allowPrivate: true }\n').canary).toEqual({
      target: { kind: 'tcp', host: '10.0.0.1', port: 53 },
      allowPrivate: true,
    });
  });

  it.each([
    ['self', 'canary: "self" is not known; write an http or https address, or tcp://host:port'],
    ['{ check: "dns:a.example" }', 'canary.check: "dns:a.example" is not known'],
    ['[]', 'canary: a list is not an object; write an address such as https://example.org'],
  ])('says what is wrong with %s', (canary, problem) => {
    expect(problemsOf('check: self', `canary: ${canary}\n`).join('\n')).toContain(problem);
  });
});
