import fc from 'fast-check';
import { loadConfig } from '../load-config.js';
import { draftConfig } from './draft-config.js';
import { draftedServices } from './drafted-services.js';
import { PLAIN_CHECK } from './foreign-check.js';
import { foreignChecks } from './read-foreign-checks.js';

/** The configuration that is written for the file of another monitor, as it is loaded again. */
function carriedOver(text: string) {
  const draft = draftConfig({ title: null, owners: [], repositories: [], addresses: [], foreign: foreignChecks(text, 'other.yaml') });
  const { services, site, canary, heartbeats, publicUrl } = loadConfig({ text: draft.text, file: 'vitrine.yaml', env: {} }, {});
  return { services, site, canary, heartbeats, publicUrl, notes: draft.notes, variables: draft.variables, text: draft.text };
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

/** Any code point but half of one. The name `binary` of the library means the same, and takes a second to make. */
const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

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
        slowAfterMs: 1_500,
        redirects: 0,
        certificateMs: 172_800_000,
        allowPrivate: false,
        expect: { status: [200, 204], text: '<h1>Acme</h1>', json: { path: 'data.0.state', equals: 'up' } },
      },
      {
        key: 'core:front-end-2',
        intervalMs: 10_000,
        timeoutMs: 10_000,
        slowAfterMs: 150,
        expect: { status: null, json: { path: 'id', equals: '7' } },
      },
      { key: 'acme-status:database', check: 'tcp', target: { host: '10.0.0.7', port: 5_432 }, intervalMs: 90_000, allowPrivate: true },
      { key: 'acme-status:example-dns-query', check: 'dns', target: 'acme.example', intervalMs: 60_000 },
    ]);
    expect(notes).toEqual([
      'old: is disabled',
      'cron: is an external endpoint without heartbeat.interval, so nothing says when it is late; add it as check: heartbeat',
      'not carried over: alerting (Vitrine sends no notifications)',
      'front-end: not carried over: the condition on len([BODY].data)',
      'front-end: a response that takes longer than 1500ms is degraded, and no failure',
      'front-end: its interval is 10s, the nearest that is possible',
      'front-end: a response that takes longer than 150ms is degraded, and no failure',
      'example-dns-query: not carried over: url (the name is looked up with the name servers of this machine, and its records are not compared)',
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
      { key: 'acme:website', target: 'https://acme.example', intervalMs: 600_000, timeoutMs: 30_000, redirects: 3, confirmAfter: 2, url: null },
      { key: 'acme:api-endpoint', target: 'https://api.acme.example/get-user/3', url: false },
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
      'not carried over: owner, repo (Vitrine keeps its records in a data folder, not in a repository)',
      'not carried over: notifications (Vitrine sends no notifications)',
      'publicUrl is the address of the other page: if Vitrine gets another one, correct it',
      'API endpoint: the query of its address may contain a secret, so it was left out; add it if it does not',
      'API with headers: not carried over: body (requests of Vitrine have no body)',
      'API with headers: the query of its address may contain a secret, so it was left out; add it if it does not',
      'API with headers: a response that takes longer than 5s is degraded, and no failure',
      'Socket: left out, because its address is not http, https, tcp://host:port or a host name',
      'Secret: left out, because its address comes from an environment variable; write the address',
      'Odd: not carried over: __dangerous__body_down (a text that must be absent cannot be expected)',
    ]);
  });

  it('expect from Upptime the text that must be there, and wait as long', () => {
    const missing = '__dangerous__body_down_if_text_missing: "Hello"';
    const { services, notes } = carriedOver(`sites:
  - { name: Web, url: "https://acme.example", ${missing}, requestTimeout: 15 }
  - { name: Odd, url: "https://acme.example", __dangerous__body_degraded_if_text_missing: "Hello", requestTimeout: soon }
  - { name: Mail, check: tcp-ping, url: mail.acme.example, port: 25, ${missing} }
  - { name: Unfollowed, url: "https://acme.example", maxRedirects: 0 }
  - { name: Exact, url: "https://acme.example", maxRedirects: 0, expectedStatusCodes: [200] }
`);
    expect(services).toMatchObject([
      { expect: { text: 'Hello' }, timeoutMs: 15_000 },
      { expect: { text: null }, timeoutMs: 30_000 },
      { check: 'tcp' },
      { expect: { status: expect.arrayContaining([200, 301, 308]) }, redirects: 0 },
      { expect: { status: [200] }, redirects: 0 },
    ]);
    expect(notes).toEqual([
      'Odd: not carried over: __dangerous__body_degraded_if_text_missing (a text that is missing is a failure: expect.text)',
      'Odd: not carried over: requestTimeout (it is not a number of seconds)',
      'Mail: not carried over: __dangerous__body_down_if_text_missing (Vitrine has no such setting)',
    ]);
  });

  it('are carried over from Uptime Kuma', () => {
    const { services, notes, text, heartbeats, variables } = carriedOver(KUMA);
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
      { key: 'services:api', allowPrivate: true, expect: { json: { path: 'state.0', equals: '200' } } },
      { key: 'services:database', check: 'tcp', target: { host: 'db.acme.example', port: 5_432 } },
      { key: 'services:name', check: 'dns', target: 'acme.example' },
      { key: 'services:cron', check: 'heartbeat', intervalMs: 60_000, tokenVariable: 'SERVICES_CRON_TOKEN' },
    ]);
    expect(heartbeats).toEqual({ host: '127.0.0.1', port: 3_001 });
    expect(variables.at(-1)).toEqual([
      'SERVICES_CRON_TOKEN',
      'the token of the heartbeats of services:cron, such as the output of: openssl rand -hex 16',
    ]);
    expect(notes).toEqual([
      'Ping: Vitrine has no check of the type ping',
      'Old: is paused',
      'Gone: is upside down: it expects a failure',
      'not carried over: notificationList (Vitrine sends no notifications)',
      'Web: its number of further attempts is 5, the nearest that is possible',
      'Name: not carried over: dns_resolve_server (the name is looked up with the name servers of this machine, and its records are not compared)',
      'Cron: reports itself at another address from now on: the port of heartbeats, /heartbeat/ and its token',
    ]);
    expect(text).not.toContain('secret-token');
  });

  it('keep from Gatus what the pages show, the canary, and services that report themselves', () => {
    const { site, canary, services, notes, variables } = carriedOver(`
ui: { title: Acme Status, header: Acme, description: All of Acme, logo: "https://acme.example/logo.svg", link: "https://acme.example",
  buttons: [{ name: Help, link: "https://acme.example/help" }, { name: Home, link: / }, { name: Logs, link: "https://\${HOST}/logs" }] }
connectivity: { checker: { target: "1.1.1.1:53", interval: 60s } }
endpoints: [{ name: Web, url: "https://acme.example" }]
external-endpoints: [{ name: Backup, group: jobs, token: secret-token, heartbeat: { interval: 30m } }]
`);
    expect(site).toMatchObject({
      title: 'Acme Status',
      description: 'All of Acme',
      links: [
        { label: 'Acme Status', url: 'https://acme.example' },
        { label: 'Help', url: 'https://acme.example/help' },
      ],
    });
    expect(canary).toEqual({ target: { kind: 'tcp', host: '1.1.1.1', port: 53 }, allowPrivate: false });
    expect(services).toMatchObject([{ key: 'acme-status:web' }, { key: 'jobs:backup', check: 'heartbeat', intervalMs: 1_800_000 }]);
    expect(variables).toEqual([['JOBS_BACKUP_TOKEN', expect.stringContaining('the token of the heartbeats of jobs:backup')]]);
    expect(notes).toEqual([
      'not carried over: ui.header (the pages have one title, which is ui.title)',
      'not carried over: connectivity.checker.interval (Vitrine asks the canary only when a service fails)',
      'not carried over: 2 links (a link needs a label and an http or https address, and at most 20 are shown)',
      'not carried over: the logo (Vitrine shows a file: save the image beside this file, and name it in site.logo)',
      'Backup: reports itself at another address from now on: the port of heartbeats, /heartbeat/ and its token',
    ]);
  });

  it('show no text of Gatus that comes from an environment variable', () => {
    const { site, services, notes } = carriedOver(
      'ui: { title: "${TITLE}", description: "All of ${NAME:Acme} for $5" }\nendpoints: [{ name: Web, url: "https://acme.example" }]',
    );
    expect(JSON.stringify(site)).not.toContain('$');
    expect(services).toMatchObject([{ key: 'services:web' }]);
    expect(notes).toEqual(
      ['title', 'description'].map((key) => `not carried over: site.${key} (it comes from an environment variable; write the text)`),
    );
    expect(carriedOver('ui: { title: "Costs $USD" }\nendpoints: []').site).toMatchObject({ title: 'Costs $USD' });
    const others = carriedOver(
      'ui: { buttons: [{ name: "${NAME}", link: "https://acme.example" }] }\nendpoints: [{ name: "${NAME}", group: "${GROUP}", url: "https://acme.example" }]',
    );
    expect(others.services).toMatchObject([{ key: 'services:service-1', name: 'Service 1' }]);
    expect(JSON.stringify([others.site, others.services])).not.toContain('$');
    expect(others.notes).toMatchObject([/1 links/, /Service 1: is called so/, /Service 1: not carried over: group/].map(expect.stringMatching));
  });

  it('expect nothing of a response that comes from an environment variable', () => {
    const conditions = ['[BODY] == pat(*$WORD*)', '[BODY].version == ${VERSION}', '[BODY].price == $5'].map((one) => JSON.stringify(one));
    const { services, notes } = carriedOver(`endpoints: [{ name: Web, url: "https://acme.example", conditions: [${conditions.join()}] }]`);
    expect(services).toMatchObject([{ expect: { text: null, json: { path: 'price', equals: '$5' } } }]);
    expect(notes).toEqual(['[BODY]', '[BODY].version'].map((subject) => `Web: not carried over: the condition on ${subject}`));
  });

  it('keep from Upptime what the pages show', () => {
    const { site, publicUrl, notes } = carriedOver(`
owner: acme
repo: upptime
sites: [{ name: Web, url: "https://acme.example" }]
status-website:
  name: Acme
  cname: status.acme.example
  theme: dark
  introTitle: "**Acme** status"
  introMessage: See [our site](https://acme.example).
  navbar: [{ title: Code, href: "https://github.com/$OWNER/$REPO" }]
i18n: { footer: Made by Acme, up: Fine }
`);
    expect(publicUrl).toBe('https://status.acme.example');
    expect(site).toMatchObject({
      title: 'Acme',
      description: 'Acme status See our site.',
      links: [{ label: 'Code', url: 'https://github.com/acme/upptime' }],
      footer: 'Made by Acme',
    });
    expect(notes).toContain('not carried over: status-website.theme (the pages follow the setting of the browser)');
    expect(notes).toContain('not carried over: i18n.up (the pages have their own texts; site.language chooses the language)');
  });

  it.each([
    ['hide-url: true', false],
    ['hide-hostname: true', false],
    ['hide-port: true', false],
    ['hide-errors: true, hide-conditions: true', null],
    ['hide-url: false', null],
  ])('stay hidden if Gatus hides them: %s', (ui, url) => {
    const { services, notes } = carriedOver(`endpoints: [{ name: Web, url: "https://acme.example/secret", ui: { ${ui} } }]`);
    expect([services[0], notes]).toMatchObject([{ url }, []]);
  });

  it('stay hidden if Upptime or Uptime Kuma hides them', () => {
    const upptime = carriedOver(
      'sites: [{ name: Web, url: "https://acme.example?key=$KEY" }, { name: Text, url: "https://b.example", urlSecretText: hidden }]',
    );
    const kuma = carriedOver(
      'monitorList: [{ name: A, type: http, url: "https://a.example" }, { name: B, type: http, url: "https://b.example", sendUrl: true }]',
    );
    expect([...upptime.services, ...kuma.services]).toMatchObject([{ url: false }, { url: false }, { url: false }, { url: null }]);
  });

  it.each([
    ['', [...Array.from({ length: 500 }, (_, index) => 100 + index)]],
    ['"[STATUS] == 200"', [200]],
    ['"[STATUS] == any(200, 301)"', [200, 301]],
    ['"[STATUS] < 300"', null],
    ['"[STATUS] >= 200", "[STATUS] < 300"', null],
    ['"[STATUS] > 199", "[STATUS] <= 204", "[STATUS] != 202"', [200, 201, 203, 204]],
    ['"[STATUS] != any(200, 201)", "[STATUS] < 203"', [202]],
  ])('accept the statuses that the conditions of Gatus accept: %s', (conditions, status) => {
    const { services, notes } = carriedOver(`endpoints: [{ name: Web, url: "https://acme.example", conditions: [${conditions}] }]`);
    expect([services[0], notes]).toMatchObject([{ expect: { status } }, []]);
  });

  it.each(['[STATUS] == 200 || [STATUS] == 404', '[STATUS] == pat(2*)', '200 == [STATUS]', 'len([STATUS]) == 3'])(
    'do not accept every status because a condition of Gatus cannot be read: %s',
    (condition) => {
      const { services, notes } = carriedOver(`endpoints: [{ name: Web, url: "https://acme.example", conditions: ["${condition}"] }]`);
      expect(services).toMatchObject([{ expect: { status: null } }]);
      expect(notes).toEqual([expect.stringContaining('Web: not carried over: the condition on ')]);
    },
  );

  it('keep redirects that are not followed, and the valid values of a list', () => {
    const upptime = carriedOver('sites: [{ name: Web, url: "https://acme.example", maxRedirects: 0, expectedStatusCodes: [301, abc, 999] }]');
    expect(upptime.services).toMatchObject([{ redirects: 0, expect: { status: [301] } }]);
    expect(upptime.notes).toEqual(['Web: not carried over: 2 of expectedStatusCodes (not a status from 100 to 599)']);
    const kuma = carriedOver(
      'monitorList: [{ name: Web, type: http, url: "https://acme.example", maxredirects: 0, accepted_statuscodes: ["301", "400-499", "600-700", x] }]',
    );
    expect(kuma.services).toMatchObject([{ redirects: 0, expect: { status: [301, 400, ...Array.from({ length: 99 }, (_, index) => 401 + index)] } }]);
    expect(kuma.notes).toEqual(['Web: not carried over: 2 of accepted_statuscodes (not a status from 100 to 599)']);
  });

  it.each([
    ['state', 'state'],
    ['$.state', 'state'],
    ['$.data[0].id', 'data.0.id'],
    ['$[0].id', '0.id'],
    ['[1]', '1'],
    ['$', null],
    ['$count(items)', null],
    ['state = "ok"', null],
    ['a-b', null],
    ['items[name="a"].state', null],
    ['$state', null],
  ])('expect from Uptime Kuma the value at %s only if that is a plain path', (jsonPath, path) => {
    const monitor = { name: 'Api', type: 'json-query', url: 'https://acme.example', jsonPath, expectedValue: '3' };
    const { services, notes } = carriedOver(JSON.stringify({ monitorList: [monitor, { ...monitor, name: 'Other', jsonPathOperator: '!=' }] }));
    expect(services).toMatchObject([{ expect: { json: path === null ? null : { path, equals: '3' } } }, { expect: { json: null } }]);
    const reason = '(only a plain path that equals a value, in a monitor of the type json-query)';
    expect(notes).toEqual([
      ...(path === null ? [`Api: not carried over: jsonPath, expectedValue ${reason}`] : []),
      `Other: not carried over: jsonPath, expectedValue, jsonPathOperator ${reason}`,
    ]);
  });

  it('keep times of less than a second', () => {
    const { services, notes } = carriedOver(
      'endpoints: [{ name: Web, url: "https://acme.example", client: { timeout: 2500ms }, conditions: ["[STATUS] < 300", "[RESPONSE_TIME] < 300"] }]',
    );
    expect(services).toMatchObject([{ slowAfterMs: 300, timeoutMs: 2_500 }]);
    expect(notes).toEqual(['Web: a response that takes longer than 300ms is degraded, and no failure']);
  });

  it('take over the keys of another object, and name keys that are written twice', () => {
    const { services, notes } = carriedOver(
      'x-defaults: &defaults { interval: 5m }\nendpoints:\n  - { <<: *defaults, name: Web, url: "https://acme.example", group: a, group: b }\n',
    );
    expect(services).toMatchObject([{ intervalMs: 300_000, key: 'b:web' }]);
    expect(notes).toEqual([
      'endpoints[0].group: is written twice, and the last one counts',
      'not carried over: x-defaults (Vitrine has no such setting)',
    ]);
  });

  it('always give a file that can be loaded, without secrets, even if they are hostile', () => {
    const nasty = fc.oneof(
      fc.string({ unit: ANY_CHARACTER }),
      fc.constantFrom('# x\nservices: []', 'https://user:hidden-word@a.example/?k=hidden-word', 'tcp://h:1', 'dns:h', '[BODY].a == hidden', '𝒳', '-'),
      fc.integer(),
      fc.constant(null),
      fc.object({ maxDepth: 1 }),
    );
    const named = (more: fc.Arbitrary<object>) => fc.tuple(fc.string({ unit: ANY_CHARACTER }), more).map(([name, rest]) => ({ name, ...rest }));
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
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 5 },
    );
  });

  it('are at most as many as a configuration may have', () => {
    const plain = { ...PLAIN_CHECK, address: 'https://acme.example', intervalMs: 60_000, timeoutMs: 5_000, unknown: [] };
    const checks = Array.from({ length: 1_200 }, (_, index) => ({ ...plain, name: `Site ${String(index % 900)}` }));
    const { entries, notes } = draftedServices(checks, '');
    expect(new Set(entries.map(({ key }) => key)).size).toBe(999);
    expect(notes).toEqual(['201 more checks were left out, because a configuration has at most 1,000 services']);
  });

  it('are refused from a file that is too heavy, that is not YAML, or that belongs to another program', () => {
    expect(() => foreignChecks(`sites: ${'['.repeat(10_000)}`, 'a.yml')).toThrow(/a\.yml:1: the file is nested more than 32 levels deep/);
    expect(() => foreignChecks('sites: [', 'a.yml')).toThrow(/^a\.yml:1: /);
    expect(() => foreignChecks('{"kind":"news"}\n'.repeat(9), 'a.ndjson')).toThrow(
      /^a\.ndjson:2: [^\n]*; correct it, or name the config\.yaml of Gatus[^\n]*$/,
    );
    expect(() => foreignChecks('approved: []\nservices: []\n', 'a.yml')).toThrow(/has no monitorList, sites or endpoints/);
    expect(() => foreignChecks('just a text', 'a.yml')).toThrow(/has no monitorList, sites or endpoints/);
  });
});
