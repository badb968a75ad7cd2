import { ConfigError } from '../config-error.js';
import { loadConfig } from '../load-config.js';

const load = (service: string, more = '') =>
  loadConfig({ text: `approved: []\nservices:\n  - { key: "acme:web", name: Web, ${service} }\n${more}`, file: 'v.yaml', env: {} });

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

const COMMON = {
  key: 'acme:web',
  name: 'Web',
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
      interval: 1m, allowPrivate: true, url: "https://acme.example/", certificate: 0d, dependency: true`,
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
    });
    expect(serviceOf('check: https://acme.example, expect: { status: 204 }')).toMatchObject({ expect: { status: [204] } });
  });

  it.each([
    [
      'check: https://user:secret@acme.example/',
      'check: "https://…@acme.example/" is not a web address without user name; write self, an http or https',
    ],
    ['check: ftp://acme.example/', 'check: "ftp://acme.example/" is not known; write self, an http or https address, tcp://host:port or dns:name'],
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
    [
      'check: https://a.example, expect: { json: { path: "a..b", equals: 1 } }',
      'expect.json.path: "a..b" is not such a path; write the path of a value',
    ],
    ['check: https://a.example, headers: { Host: a }', 'headers: has a header "host" that cannot be set; write names and values'],
    ['check: https://a.example, headers: { Accept: "a\\nb" }', 'headers.Accept: is not a value of a header; write a text, or { env: NAME }'],
    ['check: https://a.example, headers: { Accept: { env: "$A" } }', 'headers.Accept: is not a value of a header; write a text, or { env: NAME }'],
    ['check: https://a.example, confirmAfter: 9', 'confirmAfter: 9 is out of range; write a whole number from 0 to 5'],
    ['check: https://a.example, timeout: 2m', 'timeout: "2m" is out of range; write a number and a unit'],
    ['check: https://a.example, slowAfter: 5s', 'slowAfter: is not shorter than timeout, so nothing would ever be slow; write a shorter time'],
    ['check: https://a.example, timeout: 3s, slowAfter: 4s', 'slowAfter: is not shorter than timeout'],
    ['check: https://a.example, url: "https://a.example/?token=b"', 'url: "https://a.example/?token=b" is not a public address'],
  ])('says what is wrong with %s', (service, problem) => {
    const found = problemsOf(service);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`services[0].${problem}`);
    expect(found[0]).not.toContain('secret');
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
