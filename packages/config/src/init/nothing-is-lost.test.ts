import fc from 'fast-check';
import { draftConfig } from './draft-config.js';
import { foreignChecks } from './read-foreign-checks.js';

/** The configuration that is written for a file, with its comments: whatever is carried over or listed is in it. */
function drafted(file: unknown): { readonly text: string; readonly notes: readonly string[] } {
  return draftConfig({ title: null, owners: [], repositories: [], addresses: [], foreign: foreignChecks(JSON.stringify(file), 'other.json') });
}

type Path = readonly (string | number)[];

/** The paths of all values that say something, without those of whole lists and objects. */
function paths(value: unknown, path: Path = []): readonly Path[] {
  if (value === null || value === false || value === '' || value === undefined) return [];
  if (typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

function without(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, index) => index !== key)
      : value.map((one: unknown, index) => (index === key ? without(one, rest) : one));
  const entries = Object.entries(value as object);
  return Object.fromEntries(
    entries.flatMap(([name, inner]): [string, unknown][] =>
      name !== key ? [[name, inner]] : rest.length === 0 ? [] : [[name, without(inner, rest)]],
    ),
  );
}

/** An entry that is left out as a whole: one line names it, and none its keys. */
const LEFT_OUT = /^([^:]+): (?:left out|is disabled|is paused|is upside down|is a suite|is a group|is an external endpoint|Vitrine has no check)/;

/** The values of a file that could be removed from it without any change of what is written. @param neutral keys that change nothing of what Vitrine does */
function lost(file: Readonly<Record<string, unknown>>, neutral: (path: string, entry: object) => boolean): readonly string[] {
  const before = drafted(file);
  const leftOut = new Set(before.notes.flatMap((note) => LEFT_OUT.exec(note)?.[1] ?? []));
  return paths(file).flatMap((path) => {
    const entry: unknown = path
      .slice(0, 2)
      .reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), file);
    const named = typeof entry === 'object' && entry !== null ? entry : {};
    const name: unknown = Reflect.get(named, 'name');
    const keys = path.slice(typeof name === 'string' ? 2 : 0).filter((part) => typeof part === 'string');
    // A list that is listed, and a link that lacks a part, are named as a whole.
    const isListed = before.notes.some(
      (note) =>
        note.startsWith(`${String(name ?? '')}: not carried over: `.replace(/^: /, '')) && note.split(/[ .,]/).some((word) => keys.includes(word)),
    );
    const isLink = /buttons|navbar/.test(path.join('.')) && before.notes.some((note) => note.includes('links ('));
    if (isListed || isLink || (typeof name === 'string' && leftOut.has(name)) || neutral(path.join('.'), named)) return [];
    return drafted(without(file, path)).text === before.text ? [path.join('.')] : [];
  });
}

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const odd = fc.oneof(word, fc.integer({ min: 2, max: 9_999 }), fc.constant(true), fc.constant(['x']), fc.constant({ inner: 'x' }));
const duration = fc.constantFrom('30s', '2m', '1h', '500ms', '1h30m', '90', 'soon');
const address = fc.constantFrom(
  'https://acme.example/a',
  'http://10.0.0.7/b',
  'https://ada:pw@acme.example/c?d=e',
  'tcp://db.acme.example:5432',
  'icmp://acme.example',
);
/** The conditions and headers of a check of another kind are listed together. */
const web = address.filter((one) => !one.startsWith('tcp:'));
const unknownKeys = fc.dictionary(
  word.map((name) => `x-${name}`),
  odd,
  { maxKeys: 2 },
);
const optional = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>, required: readonly string[] = []) =>
  fc.tuple(fc.record(shape, { requiredKeys: [...required] }), unknownKeys).map(([known, unknown]) => ({ ...unknown, ...known }));
/** Entries have different names, so that a note names one of them. */
const named = (entry: fc.Arbitrary<object>) =>
  fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => entries.map((one, index) => ({ ...one, name: `entry ${String(index)}` })));
/** With one that can be checked, so that settings of all of them show. */
const withPlain = (entry: fc.Arbitrary<object>) => named(entry).map((entries) => [...entries, { name: 'plain', url: 'https://acme.example' }]);
const headers = fc.dictionary(fc.constantFrom('Accept', 'X-Key', 'Host'), word);

const conditions = fc.uniqueArray(
  fc.constantFrom(
    '[STATUS] == 200',
    '[STATUS] < 500',
    '[STATUS] != 404',
    '[RESPONSE_TIME] < 300',
    '[RESPONSE_TIME] < 90000',
    '[BODY].state == up',
    '[BODY].id == 7',
    '[BODY] == pat(*ok*)',
    '[CERTIFICATE_EXPIRATION] > 48h',
    '[IP] == 10.0.0.1',
    'nonsense',
  ),
  // Of these, each one alone says something: joined, one status can imply another.
  { maxLength: 5, selector: (condition) => condition.split(/[^A-Z_]/)[1] },
);
const gatus = optional(
  {
    endpoints: named(
      optional(
        {
          url: address,
          group: word,
          method: fc.constantFrom('POST', 'HEAD', 'PUT'),
          conditions,
          interval: duration,
          headers,
          body: odd,
          graphql: fc.boolean(),
          dns: optional({ 'query-name': fc.constant('acme.example'), 'query-type': fc.constantFrom('MX', 'TXT') }),
          ssh: odd,
          alerts: odd,
          client: optional({ timeout: duration, 'ignore-redirect': fc.boolean(), insecure: fc.boolean(), 'proxy-url': odd, oauth2: odd }),
          ui: fc.oneof(optional({ 'hide-url': fc.constant(true), badge: odd }), optional({ 'hide-hostname': fc.constant(true) })),
          enabled: fc.constant(false),
          'maintenance-windows': odd,
          'extra-labels': odd,
        },
        ['url'],
      ),
    ),
    'external-endpoints': named(optional({ group: word, token: word, alerts: odd, heartbeat: optional({ interval: duration }) })).map((all) =>
      all.map((one) => ({ ...one, name: `external ${one.name}` })),
    ),
    connectivity: optional({
      checker: optional({ target: fc.constantFrom('1.1.1.1:53', '10.0.0.1:53', 'nothing', 'https://acme.example'), interval: duration }),
    }),
    ui: optional({
      title: word,
      header: word,
      description: fc.oneof(word, fc.constant('x'.repeat(600))),
      logo: word,
      link: fc.constantFrom('https://acme.example', 'nothing'),
      buttons: fc.array(optional({ name: word, link: fc.constantFrom('https://acme.example/b', '/c') }), { maxLength: 2 }),
      'custom-css': word,
      'dark-mode': fc.constant(true),
      favicon: odd,
    }),
    suites: fc.array(
      optional({ interval: duration }).map((suite) => ({ ...suite, name: 'suite' })),
      { maxLength: 1 },
    ),
    alerting: odd,
    announcements: odd,
    maintenance: odd,
    security: odd,
    storage: odd,
    web: odd,
    metrics: fc.boolean(),
    concurrency: fc.integer({ min: 1 }),
  },
  ['endpoints'],
);

const upptime = optional(
  {
    owner: word,
    repo: word,
    'user-agent': word,
    sites: withPlain(
      optional(
        {
          url: fc.oneof(web, fc.constantFrom('$SECRET', 'https://acme.example/?key=$KEY')),
          method: fc.constantFrom('POST', 'HEAD', 'DELETE'),
          headers: fc.uniqueArray(fc.constantFrom('Accept: text/plain', 'X-Key: a', 'Host: b'), { maxLength: 2 }),
          body: word,
          expectedStatusCodes: fc.uniqueArray(fc.oneof(fc.constantFrom<unknown>(200, 301, 404, 999, 'abc')), { maxLength: 4 }),
          maxResponseTime: fc.oneof(fc.integer({ min: 1, max: 50_000 }), word),
          maxRedirects: fc.constantFrom<unknown>(0, 5, 50, 'some'),
          icon: word,
          slug: word,
          assignees: odd,
          urlSecretText: word,
          check: fc.constantFrom('tcp-ping', 'ws'),
          port: fc.integer({ min: 1, max: 65_535 }),
          __dangerous__insecure: fc.boolean(),
          __dangerous__body_down: word,
          __dangerous__body_down_if_text_missing: word,
          requestTimeout: fc.constantFrom<unknown>(15, 'soon'),
        },
        ['url'],
      ),
    ),
    'status-website': optional({
      name: word,
      cname: fc.constantFrom('status.acme.example', 'not a host'),
      baseUrl: word,
      logoUrl: word,
      introTitle: word,
      introMessage: word,
      navbar: fc.array(optional({ title: word, href: fc.constantFrom('https://acme.example/n', '/', 'https://acme.example/$OWNER/$REPO') }), {
        maxLength: 2,
      }),
      theme: word,
      favicon: word,
      js: word,
      metaTags: odd,
    }),
    workflowSchedule: optional({ uptime: fc.constantFrom('*/10 * * * *', '0 3 * * *'), graphs: word }),
    i18n: optional({ footer: word, up: word }),
    notifications: odd,
    assignees: odd,
    commitMessages: odd,
    runner: odd,
  },
  ['sites'],
);

const kuma = optional(
  {
    version: fc.constant('1.23.13'),
    notificationList: odd,
    proxyList: odd,
    monitorList: named(
      optional(
        {
          id: fc.integer({ min: 1, max: 9 }),
          type: fc.constantFrom('http', 'keyword', 'json-query', 'port', 'dns', 'push', 'ping', 'group'),
          url: web,
          hostname: fc.constantFrom('acme.example', '10.0.0.1'),
          port: fc.integer({ min: 1, max: 65_535 }),
          method: fc.constantFrom('POST', 'HEAD', 'PATCH'),
          interval: fc.constantFrom<unknown>(20, 300, 1_000_000, 'soon'),
          retryInterval: fc.constantFrom(21, 301),
          timeout: fc.integer({ min: 1, max: 40 }),
          maxretries: fc.constantFrom<unknown>(1, 9, 'some'),
          maxredirects: fc.constantFrom(0, 3, 20),
          accepted_statuscodes: fc.uniqueArray(fc.constantFrom('200-204', '301', '300-399', 'abc', '999'), { maxLength: 3 }),
          headers: fc.constantFrom('{"Accept":"text/plain","X-Key":"a"}', 'not json'),
          basic_auth_user: word,
          authMethod: fc.constantFrom('ntlm', 'mtls'),
          keyword: word,
          invertKeyword: fc.boolean(),
          jsonPath: fc.constantFrom('$.state', 'a[0]', '$[0].a', '$count(a)'),
          jsonPathOperator: fc.constantFrom('!=', 'contains'),
          expectedValue: word,
          pushToken: word,
          ignoreTls: fc.boolean(),
          upsideDown: fc.boolean(),
          active: fc.boolean(),
          body: word,
          description: word,
          tags: odd,
          notificationIDList: odd,
          proxyId: fc.integer({ min: 1 }),
          resendInterval: fc.integer({ min: 1 }),
          expiryNotification: fc.boolean(),
          sendUrl: fc.boolean(),
          weight: fc.constant(2_000),
          packetSize: fc.constant(56),
          mqttTopic: word,
          dns_resolve_server: fc.constant('9.9.9.9'),
          dns_resolve_type: fc.constant('MX'),
        },
        ['type'],
      ),
    ),
  },
  ['monitorList'],
);

describe('the file of another monitor', () => {
  it.each([
    // The token of an external endpoint becomes a variable whose value nobody reads.
    ['Gatus', gatus, (path: string) => /^external-endpoints\.\d+\.token$/.test(path)],
    // Two reasons to hide an address, and statuses of a check that has none, which are listed as conditions on a response.
    [
      'Upptime',
      upptime,
      (path: string, entry: object) => path.endsWith('urlSecretText') || ('check' in entry && path.includes('expectedStatusCodes')),
    ],
    // The identity of a monitor in the other database, its settings for other types, a token that becomes a variable, and an address of a monitor that has none.
    [
      'Uptime Kuma',
      kuma,
      (path: string, entry: object) =>
        /^version$|\.(?:id|weight|packetSize|mqttTopic|pushToken|active)$/.test(path) ||
        (path.endsWith('sendUrl') && Reflect.get(entry, 'type') === 'push'),
    ],
  ] as const)('of %s is carried over, or listed with its reason, value by value', (_, file, neutral) => {
    fc.assert(
      fc.property(file, (value) => {
        expect(lost(value, neutral)).toEqual([]);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 1_000 : 4 },
    );
  });
});
