import fc from 'fast-check';
import { loadConfig } from '../load-config.js';
import { draftConfig } from './draft-config.js';
import { foreignChecks } from './read-foreign-checks.js';

/** The configuration that is written for the file of another monitor, as it is loaded again. */
function carriedOver(text: string) {
  const draft = draftConfig({ title: null, owners: [], repositories: [], addresses: [], foreign: foreignChecks(text, 'other.yaml') });
  const { services, site } = loadConfig({ text: draft.text, file: 'vitrine.yaml', env: {} });
  return { services, site, notes: draft.notes, variables: draft.variables, text: draft.text };
}

const GATUS = `
ui: { header: Acme Status }
endpoints:
  - name: front-end
    group: core
    url: "https://acme.example/health"
    interval: 5m
    client: { timeout: 3s, ignore-redirect: true }
    conditions:
      - "[STATUS] == any(200, 204)"
      - "[BODY].data[0].state == up"
      - "[BODY] == pat(*<h1>Acme</h1>*)"
      - "[RESPONSE_TIME] < 1500"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "len([BODY].data) > 3"
  - name: front-end
    group: core
    url: "https://acme.example/"
    interval: 1s
    conditions: ["[STATUS] < 300", "[RESPONSE_TIME] < 150", "[BODY].id == 7"]
  - { name: database, url: "tcp://10.0.0.7:5432", interval: 1m30s, conditions: ["[CONNECTED] == true"] }
  - name: example-dns-query
    url: "8.8.8.8"
    dns: { query-name: "acme.example", query-type: "A" }
    conditions: ["[BODY] == 93.184.215.14", "[DNS_RCODE] == NOERROR"]
  - { name: icmp-ping, url: "icmp://acme.example", conditions: ["[CONNECTED] == true"] }
  - { name: hidden, url: "\${API_URL}/health", conditions: ["[STATUS] == 200"] }
  - { name: old, enabled: false, url: "https://old.example", conditions: ["[STATUS] == 200"] }
  - { name: put, url: "https://acme.example/put", method: PUT, conditions: ["[STATUS] == 200"] }
external-endpoints: [{ name: cron, token: secret-token }]
alerting: { slack: { webhook-url: "https://hooks.example/secret-token" } }
`;

const UPPTIME = `
owner: acme
repo: upptime
sites:
  - name: Website
    url: https://acme.example
  - name: API endpoint
    url: https://api.acme.example/get-user/3?api_key=$MY_API_KEY
  - name: API with headers
    url: https://api.acme.example/users?page=1
    method: POST
    headers:
      - "Authorization: Bearer $SECRET_SITE_2"
      - "Content-Type: application/json"
    body: '{ "password": "secret-token" }'
    expectedStatusCodes: [200, 201, 404]
    maxResponseTime: 5000
  - name: Mail
    check: tcp-ping
    url: mail.acme.example
    port: 25
  - { name: Socket, check: ws, url: "wss://acme.example" }
  - { name: Secret, url: $SECRET_SITE }
  - { name: Odd, url: "https://odd.acme.example", __dangerous__body_down: "File not found" }
status-website: { name: Acme, cname: status.acme.example }
workflowSchedule: { uptime: "*/10 * * * *" }
notifications: [{ type: slack }]
`;

const KUMA = JSON.stringify({
  version: '1.23.13',
  notificationList: [{ id: 1, name: 'Mail', config: '{"smtpPassword":"secret-token"}' }],
  monitorList: [
    {
      id: 1,
      name: 'Web',
      url: 'https://acme.example',
      method: 'GET',
      hostname: null,
      port: null,
      maxretries: 7,
      active: true,
      type: 'http',
      timeout: 48,
      interval: 60,
      ignoreTls: false,
      upsideDown: false,
      maxredirects: 10,
      accepted_statuscodes: ['200-204', '301'],
      headers: '{"X-Key":"secret-token","Accept":"text/html"}',
      basic_auth_user: 'admin',
      basic_auth_pass: 'secret-token',
    },
    {
      name: 'Shop',
      type: 'keyword',
      url: 'https://shop.acme.example',
      keyword: 'In stock',
      interval: 20,
      accepted_statuscodes: ['200-299'],
      active: 1,
    },
    { name: 'Api', type: 'json-query', url: 'http://api.internal/', jsonPath: '$.state.0', expectedValue: '200', interval: 60 },
    { name: 'Database', type: 'port', hostname: 'db.acme.example', port: 5432, interval: 60 },
    { name: 'Name', type: 'dns', hostname: 'acme.example', dns_resolve_server: '1.1.1.1', interval: 60 },
    { name: 'Ping', type: 'ping', hostname: 'acme.example', interval: 60 },
    { name: 'Cron', type: 'push', pushToken: 'secret-token', interval: 60 },
    { name: 'Old', type: 'http', url: 'https://old.example', active: false },
    { name: 'Gone', type: 'http', url: 'https://gone.example', active: true, upsideDown: true },
  ],
});

describe('the checks of another monitor', () => {
  it('are carried over from Gatus', () => {
    const { services, site, notes } = carriedOver(GATUS);
    expect(site).toMatchObject({ title: 'Acme Status' });
    expect(services).toMatchObject([
      {
        key: 'core:front-end',
        name: 'front-end',
        check: 'http',
        target: 'https://acme.example/health',
        intervalMs: 300_000,
        timeoutMs: 3_000,
        slowAfterMs: 2_000,
        redirects: 0,
        certificateMs: 172_800_000,
        allowPrivate: false,
        expect: { status: [200, 204], text: '<h1>Acme</h1>', json: { path: 'data.0.state', equals: 'up' } },
      },
      {
        key: 'core:front-end-2',
        intervalMs: 10_000,
        timeoutMs: 10_000,
        slowAfterMs: 1_000,
        expect: { status: null, json: { path: 'id', equals: 7 } },
      },
      { key: 'acme-status:database', check: 'tcp', target: { host: '10.0.0.7', port: 5_432 }, intervalMs: 90_000, allowPrivate: true },
      { key: 'acme-status:example-dns-query', check: 'dns', target: 'acme.example', intervalMs: 60_000 },
    ]);
    expect(notes).toEqual([
      'old: is disabled',
      'alerting: Vitrine has no such part',
      'cron: is an external endpoint, which reports itself',
      'front-end: not carried over: the condition on len([BODY].data)',
      'front-end: a response that takes longer than 2s is degraded, and no failure',
      'front-end: its interval is 10s, the nearest that is possible',
      'front-end: a response that takes longer than 1s is degraded, and no failure',
      'example-dns-query: not carried over: the name is looked up with the name servers of this machine, and its records are not compared',
      'example-dns-query: not carried over: the condition on [BODY]',
      'icmp-ping: left out, because its address is not http, https, tcp://host:port or a host name',
      'hidden: left out, because its address comes from an environment variable; write the address',
      'put: left out, because Vitrine does not accept its method',
    ]);
  });

  it('are carried over from Upptime', () => {
    const { services, site, notes, variables } = carriedOver(UPPTIME);
    expect(site).toMatchObject({ title: 'Acme' });
    expect(services).toMatchObject([
      { key: 'acme:website', target: 'https://acme.example', intervalMs: 600_000, timeoutMs: 30_000, redirects: 3, confirmAfter: 2 },
      {
        key: 'acme:api-with-headers',
        target: 'https://api.acme.example/users',
        method: 'POST',
        slowAfterMs: 5_000,
        expect: { status: [200, 201, 404] },
        headers: [
          { name: 'authorization', value: { variable: 'ACME_API_WITH_HEADERS_AUTHORIZATION' } },
          { name: 'content-type', value: 'application/json' },
        ],
      },
      { key: 'acme:mail', check: 'tcp', target: { host: 'mail.acme.example', port: 25 } },
      { key: 'acme:odd', target: 'https://odd.acme.example' },
    ]);
    expect(variables).toEqual([['ACME_API_WITH_HEADERS_AUTHORIZATION', 'the value of the header Authorization of acme:api-with-headers']]);
    expect(notes).toEqual([
      'notifications: Vitrine sends no notifications',
      'API endpoint: left out, because its address comes from an environment variable; write the address',
      'API with headers: not carried over: the key body',
      'API with headers: the query of its address may contain a secret, so it was left out; add it if it does not',
      'API with headers: a response that takes longer than 5s is degraded, and no failure',
      'Socket: left out, because its address is not http, https, tcp://host:port or a host name',
      'Secret: left out, because its address comes from an environment variable; write the address',
      'Odd: not carried over: the key __dangerous__body_down',
    ]);
  });

  it('are carried over from Uptime Kuma', () => {
    const { services, notes, text } = carriedOver(KUMA);
    expect(services).toMatchObject([
      {
        key: 'services:web',
        intervalMs: 60_000,
        timeoutMs: 48_000,
        confirmAfter: 5,
        redirects: 10,
        expect: { status: [200, 201, 202, 203, 204, 301] },
        headers: [
          { name: 'x-key', value: { variable: 'SERVICES_WEB_X_KEY' } },
          { name: 'accept', value: 'text/html' },
          { name: 'authorization', value: { variable: 'SERVICES_WEB_AUTHORIZATION' } },
        ],
      },
      { key: 'services:shop', intervalMs: 20_000, timeoutMs: 16_000, expect: { status: null, text: 'In stock' } },
      { key: 'services:api', allowPrivate: true, expect: { json: { path: 'state.0', equals: 200 } } },
      { key: 'services:database', check: 'tcp', target: { host: 'db.acme.example', port: 5_432 } },
      { key: 'services:name', check: 'dns', target: 'acme.example' },
    ]);
    expect(notes).toEqual([
      'notificationList: Vitrine has no such part',
      'Ping: Vitrine has no check of the type ping',
      'Cron: Vitrine has no check of the type push',
      'Old: is paused',
      'Gone: is upside down: it expects a failure',
      'Name: not carried over: the name is looked up with the name servers of this machine, and its records are not compared',
    ]);
    expect(text).not.toContain('secret-token');
  });

  it('always give a file that can be loaded, without secrets, even if they are hostile', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('# x\nservices: []', 'https://user:hidden-word@a.example/?k=hidden-word', 'tcp://h:1', 'dns:h', '[BODY].a == hidden', '𝒳', '-'),
      fc.integer(),
      fc.constant(null),
      fc.object({ maxDepth: 1 }),
    );
    const named = (more: fc.Arbitrary<object>) => fc.tuple(fc.string({ unit: 'binary' }), more).map(([name, rest]) => ({ name, ...rest }));
    const site = fc.dictionary(fc.constantFrom('url', 'method', 'headers', 'maxResponseTime', 'check', 'port', 'expectedStatusCodes', 'body'), nasty);
    const endpoint = fc.dictionary(fc.constantFrom('url', 'method', 'headers', 'interval', 'conditions', 'client', 'dns'), nasty);
    const monitor = fc.dictionary(
      fc.constantFrom('url', 'type', 'headers', 'interval', 'hostname', 'port', 'jsonPath', 'accepted_statuscodes', 'timeout'),
      fc.oneof(nasty, fc.constantFrom('http', 'keyword', 'port', 'dns', 'json-query')),
    );
    const file = fc.oneof(
      fc.record({ sites: fc.array(named(site), { maxLength: 3 }), workflowSchedule: nasty }),
      fc.record({ endpoints: fc.array(named(endpoint), { maxLength: 3 }), ui: nasty, alerting: nasty }),
      fc.record({ monitorList: fc.array(named(monitor), { maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(file, (value) => {
        const { text } = carriedOver(JSON.stringify(value));
        expect(text).not.toContain('hidden-word');
      }),
      { numRuns: 60 },
    );
  });

  it('are at most as many as a configuration may have', () => {
    const sites = Array.from({ length: 1_200 }, () => ({ name: 'Same', url: 'https://acme.example' }));
    const { services, notes } = carriedOver(JSON.stringify({ sites }));
    expect(services).toHaveLength(999);
    expect(notes).toEqual(['201 more checks were left out, because a configuration has at most 1,000 services']);
  });

  it('are refused from a file that is too heavy, that is not YAML, or that belongs to another program', () => {
    expect(() => foreignChecks(`sites: ${'['.repeat(10_000)}`, 'a.yml')).toThrow(/a\.yml:1: the file is nested more than 32 levels deep/);
    expect(() => foreignChecks('sites: [', 'a.yml')).toThrow(/^a\.yml:1: /);
    expect(() => foreignChecks('approved: []\nservices: []\n', 'a.yml')).toThrow(/has no monitorList, sites or endpoints/);
    expect(() => foreignChecks('just a text', 'a.yml')).toThrow(/has no monitorList, sites or endpoints/);
  });
});
