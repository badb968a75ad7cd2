import { ConfigError, readAllowlist } from '@vitrine/config';
import { sampled } from '@vitrine/test-support';
import { loadConfig } from './load-config.js';
import { problemsOf } from '../../test/problems-of.js';

const env = {};
const load = (text: string, variables: Record<string, string> = env) => loadConfig({ text, file: 'vitrine.yaml', env: variables });

const problems = (text: string, variables: Record<string, string> = env) => problemsOf(() => load(text, variables));

const LEAST = 'approved:\n  - acme/widget\n';

const WHOLE = `publicUrl: https://vitrine.acme.example/
server:
  port: 8080
  host: 0.0.0.0
store:
  path: data
  retention: 500d
approved:
  - Acme/Widget
  - name: acme/Gadget
    id: 4711
sources:
  - git: ../widget
    repository: acme/widget
    url: https://code.acme.example/acme/widget/
    label: Acme Code
    forge: gitlab
    interval: 2m
  - records: news
    interval: 20s
services:
  - key: acme:api
    name: Acme API
    check: self
    interval: 30s
`;

const SITE = {
  title: 'Vitrine',
  description: null,
  logo: null,
  accent: null,
  links: [],
  footer: null,
  language: 'en',
  timeZone: 'UTC',
  images: false,
};

describe('loadConfig', () => {
  it('uses defaults for keys that the file does not have', () => {
    expect(load(LEAST)).toEqual({
      file: 'vitrine.yaml',
      publicUrl: null,
      server: { port: 3000, host: '127.0.0.1', keepAliveMs: 72_000, cacheAnswers: true, purgeHeader: null, trustProxy: null },
      site: SITE,
      limits: { requestsPerMinute: 300, searchesPerMinute: 60, loopback: false },
      logLevel: 'info',
      store: { kind: 'embedded', path: '.vitrine', retentionMs: 400 * 86_400_000 },
      cache: null,
      approved: [{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: null }],
      patterns: [],
      sources: [],
      services: [],
      canary: null,
      heartbeats: null,
      warnings: [],
    });
  });

  it('reads every key, with paths relative to the file', () => {
    expect(loadConfig({ text: WHOLE, file: '/etc/vitrine/v.yaml', env })).toEqual({
      file: '/etc/vitrine/v.yaml',
      publicUrl: 'https://vitrine.acme.example',
      server: { port: 8080, host: '0.0.0.0', keepAliveMs: 72_000, cacheAnswers: true, purgeHeader: null, trustProxy: null },
      limits: { requestsPerMinute: 300, searchesPerMinute: 60, loopback: false },
      site: SITE,
      logLevel: 'info',
      store: { kind: 'embedded', path: '/etc/vitrine/data', retentionMs: 500 * 86_400_000 },
      cache: null,
      approved: [
        { fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget', forgeId: null },
        { fullName: 'acme/Gadget', owner: 'acme', name: 'Gadget', forgeId: '4711' },
      ],
      patterns: [],
      sources: [
        {
          kind: 'git',
          location: '/etc/widget',
          ref: 'acme/widget',
          name: { fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget' },
          url: 'https://code.acme.example/acme/widget',
          label: 'Acme Code',
          forge: 'gitlab',
          remote: null,
          branches: null,
          findings: false,
          intervalMs: 120_000,
        },
        { kind: 'records', path: '/etc/vitrine/news', intervalMs: 20_000 },
      ],
      services: [{ key: 'acme:api', name: 'Acme API', group: null, order: null, check: 'self', intervalMs: 30_000 }],
      canary: null,
      heartbeats: null,
      warnings: [],
    });
  });

  it('reads the folder for clones, and the branches and the remote that are shown', () => {
    const source = (more: string) => `sources:\n  - {git: ., repository: acme/widget, url: "https://acme.example/w", ${more}}\n`;
    const read = (text: string) => loadConfig({ text: LEAST + text, file: '/etc/vitrine/v.yaml', env });
    expect(read('cache: cache\n').cache).toBe('/etc/vitrine/cache');
    expect(read('cache: /var/cache/vitrine\n').cache).toBe('/var/cache/vitrine');
    expect(read(source('remote: upstream')).sources[0]).toMatchObject({ remote: 'upstream', branches: null });
    expect(read(source('branches: local')).sources[0]).toMatchObject({ remote: null, branches: 'local' });
    expect(read(source('branches: [main, "release/*"]')).sources[0]).toMatchObject({ branches: ['main', 'release/*'] });
    expect(read(source('branches: [local]')).sources[0]).toMatchObject({ branches: ['local'] });
  });

  it('reads whether findings are made of the branches', () => {
    const source = (value: string) => `${LEAST}sources: [{git: ., repository: acme/widget, url: "https://acme.example/w", findings: ${value}}]\n`;
    expect(load(source('true')).sources[0]).toMatchObject({ kind: 'git', findings: true });
    expect(() => load(source('some'))).toThrow('findings: "some" is not known; write true or false');
  });

  it('accepts that no answer is kept', () => {
    expect(load(`${LEAST}server: {cacheAnswers: false}\n`).server.cacheAnswers).toBe(false);
  });

  it.each(['Surrogate-Key', 'Cache-Tag'] as const)('accepts the purge header %s', (purgeHeader) => {
    expect(load(`${LEAST}server: {purgeHeader: ${purgeHeader}}\n`).server).toMatchObject({ purgeHeader });
  });

  it('reads how long connections stay open', () => {
    expect(load(`${LEAST}server: {keepAlive: 5m}\n`).server).toMatchObject({ keepAliveMs: 300_000 });
  });

  it('reads what the pages say, with the logo relative to the file', () => {
    const site = (lines: string) => loadConfig({ text: `${LEAST}site: ${lines}\n`, file: '/etc/vitrine/v.yaml', env }).site;
    expect(site('false')).toBeNull();
    expect(site('{}')).toEqual(SITE);
    expect(site('{title: Acme, logo: acme.svg, accent: "#A01020", language: de, timeZone: Europe/Berlin, images: true}')).toEqual({
      ...SITE,
      title: 'Acme',
      logo: '/etc/vitrine/acme.svg',
      accent: '#a01020',
      language: 'de',
      timeZone: 'Europe/Berlin',
      images: true,
    });
    const links = [{ label: 'Home', url: 'https://acme.example' }];
    expect(site('{description: What Acme ships., footer: Acme 2026, links: [{label: Home, url: "https://acme.example"}]}')).toMatchObject({
      description: 'What Acme ships.',
      footer: 'Acme 2026',
      links,
    });
  });

  it.each([
    ['{accent: red}', 'site.accent: "red" is not a colour; write a colour in quotes such as "#2f5bd0"'],
    ['{language: fr}', 'site.language: "fr" is not known; write one of en, de'],
    ['{timeZone: Mars/Olympus}', 'site.timeZone: "Mars/Olympus" is not a time zone; write a time zone such as UTC or Europe/Berlin'],
    ['{logo: logo.exe}', 'site.logo: "logo.exe" is not such a path; write the path of an image whose name ends in .svg, .png, .webp or .jpg'],
    ['{titel: Acme}', 'site.titel: is not a key here; did you mean title?'],
    ['{links: [{label: Home, url: "javascript:alert(1)"}]}', 'site.links[0].url: "javascript:alert(1)" is not a web address'],
    ['no', 'site: "no" is not an object; write false, or title'],
  ])('says what is wrong with site: %s', (lines, message) => {
    expect(problems(`${LEAST}site: ${lines}\n`).join('\n')).toContain(message);
  });

  it('reads how many requests a client may send', () => {
    const limits = (lines: string) => load(`${LEAST}limits: ${lines}\n`).limits;
    expect(limits('false')).toBeNull();
    expect(limits('{}')).toEqual({ requestsPerMinute: 300, searchesPerMinute: 60, loopback: false });
    expect(limits('{requestsPerMinute: 1000, loopback: true}')).toEqual({ requestsPerMinute: 1_000, searchesPerMinute: 60, loopback: true });
    expect(limits('{searchesPerMinute: 1}')).toMatchObject({ searchesPerMinute: 1 });
  });

  it('reads which proxies are trusted', () => {
    const trusted = (value: string) => load(`${LEAST}server: {trustProxy: ${value}}\n`).server.trustProxy;
    expect(trusted('1')).toBe(1);
    expect(trusted('10')).toBe(10);
    const list = ['10.0.0.1', '192.168.0.0/16', '2001:db8::/32', '::1', '::ffff:10.0.0.0/104', '0.0.0.0/0'];
    expect(trusted(JSON.stringify(list))).toEqual(list);
  });

  it('is deeply frozen', () => {
    const config = load(WHOLE);
    expect(() => Object.assign(config.server, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.approved[0] ?? {}, { name: 'other' })).toThrow(TypeError);
  });

  it('pins the forge id of the allowlist entry in the ref of a git source', () => {
    const text = 'approved:\n  - {name: acme/widget, id: "77"}\nsources:\n  - {git: ., repository: ACME/widget, url: "https://acme.example/w"}\n';
    expect(load(text).sources[0]).toMatchObject({ ref: 'acme/widget#77', name: { fullName: 'acme/widget' } });
  });

  it('keeps no records when the path is null', () => {
    expect(load(`${LEAST}store:\n  path: null\n`).store).toMatchObject({ kind: 'embedded', path: null });
  });

  it.each(['https://code.example/a/b.git', 'ssh://git@code.example/a/b', 'git@code.example:a/b.git'])(
    'keeps the clone address %s unchanged',
    (address) => {
      const text = `${LEAST}sources:\n  - {git: "${address}", repository: acme/widget, url: "https://code.example/a/b"}\n`;
      expect(load(text).sources[0]).toMatchObject({ location: address });
    },
  );

  it('lets the environment override the file', () => {
    const config = load(WHOLE, { PORT: '0', HOST: '::1', LOG_LEVEL: 'silent' });
    expect(config).toMatchObject({ server: { port: 0, host: '::1' }, logLevel: 'silent' });
  });

  it('treats an empty variable as unset', () => {
    expect(load(WHOLE, { PORT: '', HOST: ' ' }).server).toEqual({
      port: 8080,
      host: '0.0.0.0',
      keepAliveMs: 72_000,
      cacheAnswers: true,
      purgeHeader: null,
      trustProxy: null,
    });
  });
});

describe('the store', () => {
  const ADDRESS = 'mongodb://ada:s%40cret@a.example:27017,b.example/team?replicaSet=rs0';
  const mongodb = { kind: 'mongodb', uri: ADDRESS, hosts: 'a.example:27017,b.example', retentionMs: 400 * 86_400_000 };

  it.each([
    ['the word, with the address in the environment', 'store: mongodb\n', { MONGODB_URI: ADDRESS }],
    ['the address in the file', `store: {mongodb: "${ADDRESS}"}\n`, {}],
    ['the address in the environment alone', '', { MONGODB_URI: ADDRESS }],
    ['the address in the environment, over another one', 'store: {mongodb: mongodb+srv://c.example}\n', { MONGODB_URI: ADDRESS }],
    ['the address in the environment, over a folder', 'store: {path: data}\n', { MONGODB_URI: ADDRESS }],
  ])('is MongoDB with %s', (_, lines, variables) => {
    expect(load(LEAST + lines, variables).store).toEqual(mongodb);
  });

  it.each([`mongodb: "${ADDRESS}"`, 'path: data'])('keeps its retention beside %s', (line) => {
    const { store } = load(`${LEAST}store:\n  ${line}\n  retention: 500d\n`, { MONGODB_URI: ADDRESS });
    expect(store).toEqual({ ...mongodb, retentionMs: 500 * 86_400_000 });
  });

  it.each(['', '  '])('is the folder when MONGODB_URI is %j', (uri) => {
    expect(load(LEAST, { MONGODB_URI: uri }).store).toMatchObject({ kind: 'embedded', path: '.vitrine' });
  });
});

/** Each key's line in WHOLE, what it is replaced by, and what the one line about it must hold beside line and key. */
const MISTAKES: readonly (readonly [name: string, find: RegExp, replacement: string, line: number, key: string, expected: string])[] = [
  ['approved missing', /approved:\n {2}- Acme\/Widget\n[^]*4711\nsources:[^]*/, '', 1, 'approved', 'is missing; write a list of repositories'],
  ['approved null', /approved:\n {2}- Acme\/Widget\n[^]*4711\nsources:[^]*/, 'approved:\n', 8, 'approved', 'is null; write a list of repositories'],
  [
    'approved of wrong type',
    /approved:\n {2}- Acme\/Widget\n[^]*4711\nsources:[^]*/,
    'approved: all\n',
    8,
    'approved',
    '"all" is not a list; write a list of repositories such as [acme/widget], or [] to show none',
  ],
  ['approved entry malformed', / {2}- Acme\/Widget/, '  - acme/widget\n  - "*"', 10, 'approved[1]', '"*" is not a repository name; write owner/name'],
  ['approved entry of wrong type', / {2}- Acme\/Widget/, '  - acme/widget\n  - 7', 10, 'approved[1]', '7 is not an object; write owner/name'],
  ['approved entry null', / {2}- Acme\/Widget/, '  - acme/widget\n  -', 10, 'approved[1]', 'is null; write owner/name'],
  ['approved entry twice', / {2}- Acme\/Widget/, '  - acme/widget\n  - ACME/WIDGET', 10, 'approved[1]', 'appears twice; write it once'],
  ['approved entry twice in both forms', / {2}- name: acme\/Gadget/, '  - name: acme/WIDGET', 10, 'approved[1].name', 'appears twice; write it once'],
  ['approved name misspelt', / {2}- name: acme\/Gadget/, '  - nmae: acme/Gadget', 10, 'approved[1].nmae', 'did you mean name?'],
  ['approved name null', / {2}- name: acme\/Gadget/, '  - name:', 10, 'approved[1].name', 'is null; write owner/name'],
  ['approved name missing', / {2}- name: acme\/Gadget\n {4}id/, '  - id', 10, 'approved[1].name', 'is missing; write owner/name'],
  ['approved id of wrong type', /id: 4711/, 'id: [1]', 11, 'approved[1].id', "is not an id; write the forge's own id"],
  ['approved id out of range', /id: 4711/, `id: ${'9'.repeat(65)}x`, 11, 'approved[1].id', "is not an id; write the forge's own id"],
  ['approved id misspelt', /id: 4711/, 'di: 4711', 11, 'approved[1].di', 'did you mean id?'],
  ['approved id twice', /id: 4711/, 'id: 1\n    id: 2', 12, 'approved[1].id', 'written twice, first on line 11'],
  ['approved misspelt', /approved:/, 'aproved:', 8, 'aproved', 'did you mean approved?'],
  ['approved twice', /sources:/, 'approved: [acme/widget]\nsources:', 12, 'approved', 'written twice, first on line 8'],

  ['publicUrl null', /publicUrl: .*/, 'publicUrl:', 1, 'publicUrl', 'is null; write an absolute http or https address'],
  ['approved id null', /id: 4711/, 'id:', 11, 'approved[1].id', "is null; write the forge's own id"],
  ['approved name of wrong type', / {2}- name: acme\/Gadget/, '  - name: 5', 10, 'approved[1].name', '5 is not a repository name; write owner/name'],
  [
    'approved name written twice',
    / {2}- name: acme\/Gadget/,
    '  - name: acme/Gadget\n    name: acme/Gadget',
    11,
    'approved[1].name',
    'written twice, first on line 10',
  ],
  ['label twice', /label: .*/, 'label: a\n    label: b', 17, 'sources[0].label', 'written twice, first on line 16'],
  ['forge twice', /forge: .*/, 'forge: gitlab\n    forge: github', 18, 'sources[0].forge', 'written twice, first on line 17'],
  [
    'repository written twice',
    /repository: .*/,
    'repository: acme/widget\n    repository: acme/widget',
    15,
    'sources[0].repository',
    'written twice, first on line 14',
  ],
  ['records written twice', /records: news/, 'records: news\n    records: old', 20, 'sources[1].records', 'written twice, first on line 19'],
  ['records out of range', /records: news/, 'records: ""', 19, 'sources[1].records', '"" is not a path; write a path'],
  ['interval of records null', /interval: 20s/, 'interval:', 20, 'sources[1].interval', 'is null; write a number and a unit'],
  [
    'interval of records of wrong type',
    /interval: 20s/,
    'interval: [20s]',
    20,
    'sources[1].interval',
    'a list is not a duration; write a number and a unit',
  ],
  ['interval of records misspelt', /interval: 20s/, 'intreval: 20s', 20, 'sources[1].intreval', 'did you mean interval?'],
  ['interval of records twice', /interval: 20s/, 'interval: 20s\n    interval: 30s', 21, 'sources[1].interval', 'written twice, first on line 20'],
  ['service of wrong type', / {2}- key[^]*/, '  - api\n', 22, 'services[0]', '"api" is not an object; write an object with key, name and check'],
  ['service key written twice', /key: acme:api/, 'key: acme:api\n    key: acme:web', 23, 'services[0].key', 'written twice, first on line 22'],
  ['service name twice', /name: Acme API/, 'name: A\n    name: B', 24, 'services[0].name', 'written twice, first on line 23'],
  ['service check twice', /check: self/, 'check: self\n    check: self', 25, 'services[0].check', 'written twice, first on line 24'],
  ['service interval null', /interval: 30s/, 'interval:', 25, 'services[0].interval', 'is null; write a number and a unit'],
  ['service interval of wrong type', /interval: 30s/, 'interval: 30', 25, 'services[0].interval', '30 is not a duration; write a number and a unit'],
  ['service interval misspelt', /interval: 30s/, 'intervall: 30s', 25, 'services[0].intervall', 'did you mean interval?'],
  ['service interval twice', /interval: 30s/, 'interval: 30s\n    interval: 31s', 26, 'services[0].interval', 'written twice, first on line 25'],
  ['publicUrl of wrong type', /publicUrl: .*/, 'publicUrl: 5', 1, 'publicUrl', '5 is not a public address; write an absolute http or https address'],
  ['publicUrl out of range', /publicUrl: .*/, 'publicUrl: ftp://acme.example', 1, 'publicUrl', 'write an absolute http or https address'],
  [
    'publicUrl with an e-mail address',
    /publicUrl: .*/,
    'publicUrl: https://acme.example/bob@corp.example',
    1,
    'publicUrl',
    'holds an e-mail address',
  ],
  [
    'publicUrl with credentials',
    /publicUrl: .*/,
    'publicUrl: https://ada:secret@acme.example',
    1,
    'publicUrl',
    '"https://…@acme.example" is not a public address',
  ],
  ['publicUrl misspelt', /publicUrl:/, 'publicURI:', 1, 'publicURI', 'did you mean publicUrl?'],
  [
    'publicUrl twice',
    /publicUrl: .*/,
    'publicUrl: https://a.example\npublicUrl: https://b.example',
    2,
    'publicUrl',
    'written twice, first on line 1',
  ],

  [
    'server null',
    /server:\n.*\n.*\n/,
    'server:\n',
    2,
    'server',
    'is null; write port, host, keepAlive, cacheAnswers, purgeHeader and trustProxy below it, or remove the key',
  ],
  ['server of wrong type', /server:\n.*\n.*\n/, 'server: 80\n', 2, 'server', '80 is not an object; write port, host, keepAlive, cacheAnswers'],
  ['server misspelt', /server:/, 'sever:', 2, 'sever', 'did you mean server?'],
  ['server twice', /store:/, 'server: {}\nstore:', 5, 'server', 'written twice, first on line 2'],
  ['port null', /port: 8080/, 'port:', 3, 'server.port', 'is null; write a whole number from 0 to 65535'],
  ['port of wrong type', /port: 8080/, 'port: "8080"', 3, 'server.port', '"8080" is not a port; write a whole number from 0 to 65535'],
  ['port out of range', /port: 8080/, 'port: 65536', 3, 'server.port', '65536 is out of range; write a whole number from 0 to 65535'],
  ['port misspelt', /port: 8080/, 'prot: 8080', 3, 'server.prot', 'did you mean port?'],
  ['port twice', /port: 8080/, 'port: 1\n  port: 2', 4, 'server.port', 'written twice, first on line 3'],
  ['host null', /host: .*/, 'host: ~', 4, 'server.host', 'is null; write a host name'],
  ['host of wrong type', /host: .*/, 'host: true', 4, 'server.host', 'true is not a host; write a host name'],
  ['host with a port', /host: .*/, 'host: "localhost:3000"', 4, 'server.host', '"localhost:3000" is not a host; write a host name'],
  ['host out of range', /host: .*/, 'host: a b', 4, 'server.host', '"a b" is not a host; write a host name'],
  ['host misspelt', /host:/, 'hots:', 4, 'server.hots', 'did you mean host?'],
  ['keepAlive null', /host: .*/, 'keepAlive:', 4, 'server.keepAlive', 'is null; write a number and a unit'],
  ['keepAlive of wrong type', /host: .*/, 'keepAlive: 72', 4, 'server.keepAlive', '72 is not a duration; write a number and a unit'],
  ['keepAlive out of range', /host: .*/, 'keepAlive: 0s', 4, 'server.keepAlive', '"0s" is out of range; write a number and a unit'],
  ['keepAlive misspelt', /host: .*/, 'keepalive: 5s', 4, 'server.keepalive', 'did you mean keepAlive?'],
  ['cacheAnswers null', /host: .*/, 'cacheAnswers:', 4, 'server.cacheAnswers', 'is null; write true or false'],
  ['cacheAnswers of wrong type', /host: .*/, 'cacheAnswers: 0', 4, 'server.cacheAnswers', '0 is not known; write true or false'],
  ['cacheAnswers misspelt', /host: .*/, 'cacheAnswer: true', 4, 'server.cacheAnswer', 'did you mean cacheAnswers?'],
  ['cacheAnswers twice', /host: .*/, 'cacheAnswers: true\n  cacheAnswers: true', 5, 'server.cacheAnswers', 'written twice, first on line 4'],
  ['purgeHeader null', /host: .*/, 'purgeHeader:', 4, 'server.purgeHeader', 'is null; write one of Surrogate-Key, Cache-Tag'],
  ['purgeHeader of wrong type', /host: .*/, 'purgeHeader: 1', 4, 'server.purgeHeader', '1 is not known; write one of Surrogate-Key, Cache-Tag'],
  [
    'purgeHeader out of range',
    /host: .*/,
    'purgeHeader: Set-Cookie',
    4,
    'server.purgeHeader',
    '"Set-Cookie" is not known; write one of Surrogate-Key',
  ],
  ['purgeHeader misspelt', /host: .*/, 'purgeheader: Cache-Tag', 4, 'server.purgeheader', 'did you mean purgeHeader?'],
  ['purgeHeader twice', /host: .*/, 'purgeHeader: Cache-Tag\n  purgeHeader: Cache-Tag', 5, 'server.purgeHeader', 'written twice, first on line 4'],
  ['host twice', /host: .*/, 'host: a\n  host: b', 5, 'server.host', 'written twice, first on line 4'],
  [
    'trustProxy null',
    /host: .*/,
    'trustProxy:',
    4,
    'server.trustProxy',
    'is null; write a number of proxies from 1 to 10, or a list of their addresses',
  ],
  ['trustProxy of wrong type', /host: .*/, 'trustProxy: true', 4, 'server.trustProxy', 'true is not a list; write a number of proxies from 1 to 10'],
  [
    'trustProxy that is a single address',
    /host: .*/,
    'trustProxy: 10.0.0.1',
    4,
    'server.trustProxy',
    '"10.0.0.1" is not a list; write a number of proxies from 1 to 10, or a list of their addresses such as [10.0.0.0/8]',
  ],
  ['trustProxy out of range', /host: .*/, 'trustProxy: 0', 4, 'server.trustProxy', '0 is out of range; write a whole number from 1 to 10'],
  ['trustProxy that is a fraction', /host: .*/, 'trustProxy: 1.5', 4, 'server.trustProxy', '1.5 is not a whole number; write a whole number'],
  ['trustProxy empty', /host: .*/, 'trustProxy: []', 4, 'server.trustProxy', 'is empty; write a number of proxies from 1 to 10, or a list'],
  [
    'a trusted proxy that is a name',
    /host: .*/,
    'trustProxy: [10.0.0.1, proxy.example]',
    4,
    'server.trustProxy[1]',
    '"proxy.example" is not an address; write an IP address such as 10.0.0.1, or a network such as 10.0.0.0/8',
  ],
  ['a trusted network that is too narrow', /host: .*/, 'trustProxy: [10.0.0.0/33]', 4, 'server.trustProxy[0]', '"10.0.0.0/33" is not an address'],
  ['trustProxy misspelt', /host: .*/, 'trustproxy: 1', 4, 'server.trustproxy', 'did you mean trustProxy?'],
  ['trustProxy twice', /host: .*/, 'trustProxy: 1\n  trustProxy: 2', 5, 'server.trustProxy', 'written twice, first on line 4'],

  ['limits null', /store:/, 'limits:\nstore:', 5, 'limits', 'is null; write false, or requestsPerMinute, searchesPerMinute and loopback below it'],
  ['limits of wrong type', /store:/, 'limits: 300\nstore:', 5, 'limits', '300 is not an object; write false, or requestsPerMinute'],
  ['limits that are true', /store:/, 'limits: true\nstore:', 5, 'limits', 'true is not an object; write false, or requestsPerMinute'],
  ['limits misspelt', /store:/, 'limit: false\nstore:', 5, 'limit', 'did you mean limits?'],
  ['limits twice', /store:/, 'limits: false\nlimits: {}\nstore:', 6, 'limits', 'written twice, first on line 5'],
  [
    'requestsPerMinute null',
    /store:/,
    'limits:\n  requestsPerMinute:\nstore:',
    6,
    'limits.requestsPerMinute',
    'is null; write a whole number from 1 to 1000000000',
  ],
  [
    'requestsPerMinute of wrong type',
    /store:/,
    'limits:\n  requestsPerMinute: "300"\nstore:',
    6,
    'limits.requestsPerMinute',
    '"300" is not a whole number; write a whole number from 1',
  ],
  [
    'requestsPerMinute out of range',
    /store:/,
    'limits:\n  requestsPerMinute: 0\nstore:',
    6,
    'limits.requestsPerMinute',
    '0 is out of range; write a whole number from 1',
  ],
  ['requestsPerMinute misspelt', /store:/, 'limits:\n  requestPerMinute: 9\nstore:', 6, 'limits.requestPerMinute', 'did you mean requestsPerMinute?'],
  [
    'requestsPerMinute twice',
    /store:/,
    'limits:\n  requestsPerMinute: 1\n  requestsPerMinute: 2\nstore:',
    7,
    'limits.requestsPerMinute',
    'written twice, first on line 6',
  ],
  ['searchesPerMinute null', /store:/, 'limits:\n  searchesPerMinute:\nstore:', 6, 'limits.searchesPerMinute', 'is null; write a whole number'],
  [
    'searchesPerMinute of wrong type',
    /store:/,
    'limits:\n  searchesPerMinute: false\nstore:',
    6,
    'limits.searchesPerMinute',
    'false is not a whole number; write a whole number',
  ],
  [
    'searchesPerMinute out of range',
    /store:/,
    'limits:\n  searchesPerMinute: 1000000001\nstore:',
    6,
    'limits.searchesPerMinute',
    '1000000001 is out of range; write a whole number',
  ],
  ['searchesPerMinute misspelt', /store:/, 'limits:\n  searchesPerMinut: 9\nstore:', 6, 'limits.searchesPerMinut', 'did you mean searchesPerMinute?'],
  [
    'searchesPerMinute twice',
    /store:/,
    'limits:\n  searchesPerMinute: 1\n  searchesPerMinute: 2\nstore:',
    7,
    'limits.searchesPerMinute',
    'written twice, first on line 6',
  ],
  ['loopback null', /store:/, 'limits:\n  loopback:\nstore:', 6, 'limits.loopback', 'is null; write true or false'],
  ['loopback of wrong type', /store:/, 'limits:\n  loopback: 1\nstore:', 6, 'limits.loopback', '1 is not known; write true or false'],
  ['loopback misspelt', /store:/, 'limits:\n  lopback: true\nstore:', 6, 'limits.lopback', 'did you mean loopback?'],
  ['loopback twice', /store:/, 'limits:\n  loopback: true\n  loopback: true\nstore:', 7, 'limits.loopback', 'written twice, first on line 6'],

  ['store null', /store:\n.*\n.*\n/, 'store:\n', 5, 'store', 'is null; write the word mongodb, or path and retention'],
  ['store of wrong type', /store:\n.*\n.*\n/, 'store: data\n', 5, 'store', '"data" is not an object; write the word mongodb, or path and retention'],
  ['store misspelt', /store:/, 'stor:', 5, 'stor', 'did you mean store?'],
  ['store twice', /approved:/, 'store: {}\napproved:', 8, 'store', 'written twice, first on line 5'],
  [
    'store mongodb without an address',
    /store:\n.*\n.*\n/,
    'store: mongodb\n',
    5,
    'store',
    'mongodb has no address; set MONGODB_URI in the environment',
  ],
  ['store misspelt word', /store:\n.*\n.*\n/, 'store: mongo\n', 5, 'store', '"mongo" is not an object; write the word mongodb'],
  [
    'store written as an address',
    /store:\n.*\n.*\n/,
    'store: mongodb://ada:top/secret@db.example/vitrine\n',
    5,
    'store',
    '"mongodb://…@db.example/vitrine" is not an object',
  ],
  ['store mongodb null', /path: data/, 'mongodb:', 6, 'store.mongodb', 'is null; write one such as mongodb://host:27017/vitrine'],
  [
    'store mongodb of wrong type',
    /path: data/,
    'mongodb: 5',
    6,
    'store.mongodb',
    'is not a connection string; write one such as mongodb://host:27017/vitrine',
  ],
  ['store mongodb empty', /path: data/, 'mongodb: ""', 6, 'store.mongodb', 'is not a connection string; write one such as'],
  [
    'store mongodb of another scheme',
    /path: data/,
    'mongodb: https://ada:secret@db.example/',
    6,
    'store.mongodb',
    'is not a connection string; write one such as',
  ],
  ['store mongodb without a host', /path: data/, 'mongodb: mongodb:///vitrine', 6, 'store.mongodb', 'is not a connection string; write one such as'],
  [
    'store mongodb with an empty host',
    /path: data/,
    'mongodb: "mongodb://a.example,/vitrine"',
    6,
    'store.mongodb',
    'is not a connection string; write one such as',
  ],
  [
    'store mongodb with a space',
    /path: data/,
    'mongodb: mongodb://a.example /vitrine',
    6,
    'store.mongodb',
    'is not a connection string; write one such as',
  ],
  [
    'store mongodb with a password that is not escaped',
    /path: data/,
    'mongodb: mongodb://ada:top/secret@db.example/vitrine',
    6,
    'store.mongodb',
    'is not a connection string; write one such as',
  ],
  [
    'store mongodb of several names to look up',
    /path: data/,
    'mongodb: mongodb+srv://ada:secret@a.example,b.example/',
    6,
    'store.mongodb',
    'is not a connection string; write one such as',
  ],
  ['store mongodb misspelt', /path: data/, 'mongdb: mongodb://ada:secret@db.example', 6, 'store.mongdb', 'did you mean mongodb?'],
  [
    'store mongodb twice',
    /path: data/,
    'mongodb: mongodb://a.example\n  mongodb: mongodb://ada:secret@b.example',
    7,
    'store.mongodb',
    'written twice, first on line 6',
  ],
  [
    'store mongodb beside a path',
    /path: data/,
    'path: data\n  mongodb: mongodb://ada:secret@db.example',
    6,
    'store.path',
    'cannot be set together with mongodb, because there is only one store; remove one of the two',
  ],
  ['store path of wrong type', /path: data/, 'path: 5', 6, 'store.path', '5 is not a path; write the path of a folder, or null'],
  ['store path out of range', /path: data/, 'path: ""', 6, 'store.path', '"" is not a path; write the path of a folder, or null'],
  ['store path misspelt', /path: data/, 'paht: data', 6, 'store.paht', 'did you mean path?'],
  ['store path twice', /path: data/, 'path: a\n  path: b', 7, 'store.path', 'written twice, first on line 6'],
  ['retention null', /retention: 500d/, 'retention:', 7, 'store.retention', 'is null; write a number and a unit'],
  ['retention of wrong type', /retention: 500d/, 'retention: 500', 7, 'store.retention', '500 is not a duration; write a number and a unit'],
  [
    'retention out of range',
    /retention: 500d/,
    'retention: 365d',
    7,
    'store.retention',
    '"365d" is out of range; write a number and a unit, such as 400d, from 366d to 3650d',
  ],
  ['retention misspelt', /retention:/, 'retension:', 7, 'store.retension', 'did you mean retention?'],
  ['retention twice', /retention: 500d/, 'retention: 400d\n  retention: 401d', 8, 'store.retention', 'written twice, first on line 7'],

  ['sources null', /sources:[^]*interval: 20s/, 'sources:', 12, 'sources', 'is null; write sources, each after a dash, or remove the key'],
  ['sources of wrong type', /sources:[^]*interval: 20s/, 'sources: {}', 12, 'sources', 'is not a list; write sources, each after a dash'],
  ['sources misspelt', /sources:/, 'soruces:', 12, 'soruces', 'did you mean sources?'],
  ['sources twice', /services:/, 'sources: []\nservices:', 21, 'sources', 'written twice, first on line 12'],
  ['source null', / {2}- records: news\n.*/, '  -', 19, 'sources[1]', 'is null; write an object with git, repository and url'],
  [
    'source of wrong type',
    / {2}- records: news\n.*/,
    '  - news',
    19,
    'sources[1]',
    '"news" is not an object; write an object with git, repository and url',
  ],
  [
    'git missing',
    /git: ..\/widget\n {4}/,
    '',
    13,
    'sources[0]',
    'does not say where its records come from; write one of the keys git, github, gitea, forgejo, gitlab, records, feed, video, articles, changelog, incidents, statuspage',
  ],
  ['git and records missing', /records: news/, 'path: news', 19, 'sources[1]', 'does not say where its records come from'],
  ['source without keys', /records: news\n {4}.*/, '{}', 19, 'sources[1]', 'does not say where its records come from'],
  ['git null', /git: ..\/widget/, 'git:', 13, 'sources[0].git', 'is null; write the path of a repository'],
  ['git of wrong type', /git: ..\/widget/, 'git: 5', 13, 'sources[0].git', '5 is not a location that git may read; write the path of a repository'],
  [
    'git that would be an option',
    /git: ..\/widget/,
    'git: --upload-pack=x',
    13,
    'sources[0].git',
    'is not a location that git may read; write the path of a repository',
  ],
  [
    'git that would be a command',
    /git: ..\/widget/,
    'git: ext::sh -c x',
    13,
    'sources[0].git',
    'is not a location that git may read; write the path of a repository',
  ],
  [
    'git with credentials',
    /git: ..\/widget/,
    'git: https://ada:secret@x.example/y',
    13,
    'sources[0].git',
    'is not a location that git may read; write the path of a repository',
  ],
  ['git misspelt', /git: ..\/widget/, 'gti: ../widget', 13, 'sources[0].gti', 'did you mean git?'],
  ['git twice', /git: ..\/widget/, 'git: a\n    git: b', 14, 'sources[0].git', 'written twice, first on line 13'],
  ['repository missing', / {4}repository: .*\n/, '', 13, 'sources[0].repository', 'is missing; write owner/name'],
  ['repository null', /repository: .*/, 'repository:', 14, 'sources[0].repository', 'is null; write owner/name'],
  ['repository of wrong type', /repository: .*/, 'repository: [a]', 14, 'sources[0].repository', 'a list is not a repository name; write owner/name'],
  ['repository out of range', /repository: .*/, 'repository: acme/../x', 14, 'sources[0].repository', 'is not a repository name; write owner/name'],
  ['repository misspelt', /repository:/, 'repositry:', 14, 'sources[0].repositry', 'did you mean repository?'],
  [
    'repository of two sources',
    /services:/,
    '  - {git: b, repository: ACME/widget, url: "https://b.example"}\nservices:',
    21,
    'sources[2].repository',
    'appears twice; write it once',
  ],
  ['url missing', / {4}url: .*\n/, '', 13, 'sources[0].url', "is missing; write the repository's public address"],
  ['url null', /url: .*/, 'url:', 15, 'sources[0].url', "is null; write the repository's public address"],
  ['url of wrong type', / url: .*/, ' url: 5', 15, 'sources[0].url', "5 is not a public address; write the repository's public address"],
  [
    'url out of range',
    / url: .*/,
    ` url: https://a.example/${'x'.repeat(2048)}`,
    15,
    'sources[0].url',
    "write the repository's public address, such as https://code.example.org/acme/widget",
  ],
  ['url misspelt', / url:/, ' ulr:', 15, 'sources[0].ulr', 'did you mean url?'],
  ['url twice', / url: .*/, ' url: https://a.example\n    url: https://b.example', 16, 'sources[0].url', 'written twice, first on line 15'],
  ['label null', /label: .*/, 'label:', 16, 'sources[0].label', 'is null; write a text'],
  ['label of wrong type', /label: .*/, 'label: 5', 16, 'sources[0].label', '5 is not such a text; write a text'],
  ['label out of range', /label: .*/, 'label: " "', 16, 'sources[0].label', '" " is not such a text; write a text of 1 to 255 characters'],
  ['label misspelt', /label:/, 'lable:', 16, 'sources[0].lable', 'did you mean label?'],
  ['forge null', /forge: .*/, 'forge:', 17, 'sources[0].forge', 'is null; write one of github, gitlab'],
  ['forge of wrong type', /forge: .*/, 'forge: 5', 17, 'sources[0].forge', '5 is not known; write one of github, gitlab'],
  ['forge out of range', /forge: .*/, 'forge: hub', 17, 'sources[0].forge', '"hub" is not known; write one of github, gitlab'],
  ['forge misspelt', /forge:/, 'froge:', 17, 'sources[0].froge', 'did you mean forge?'],
  ['cache null', /approved:/, 'cache:\napproved:', 8, 'cache', 'is null; write a path'],
  ['cache of wrong type', /approved:/, 'cache: [a]\napproved:', 8, 'cache', 'a list is not a path; write a path'],
  ['cache empty', /approved:/, 'cache: ""\napproved:', 8, 'cache', '"" is not a path; write a path'],
  ['cache misspelt', /approved:/, 'cashe: a\napproved:', 8, 'cashe', 'did you mean cache?'],
  ['cache twice', /approved:/, 'cache: a\ncache: b\napproved:', 9, 'cache', 'written twice, first on line 8'],
  ['remote null', /forge: .*/, 'remote:', 17, 'sources[0].remote', "is null; write the name of one of the folder's remotes"],
  ['remote of wrong type', /forge: .*/, 'remote: 5', 17, 'sources[0].remote', '5 is not a name of a remote; write the name'],
  ['remote that would be an option', /forge: .*/, 'remote: --all', 17, 'sources[0].remote', '"--all" is not a name of a remote; write the name'],
  ['remote that is a pattern', /forge: .*/, 'remote: "*"', 17, 'sources[0].remote', '"*" is not a name of a remote; write the name'],
  ['remote misspelt', /forge: .*/, 'remoet: a', 17, 'sources[0].remoet', 'did you mean remote?'],
  ['remote twice', /forge: .*/, 'remote: a\n    remote: b', 18, 'sources[0].remote', 'written twice, first on line 17'],
  [
    'remote of a clone address',
    /git: ..\/widget\n/,
    'git: https://a.example/b.git\n    remote: origin\n',
    14,
    'sources[0].remote',
    'the key remote is for a folder, but git is a clone address; remove it',
  ],
  [
    'remote beside local branches',
    /forge: .*/,
    'branches: local\n    remote: origin',
    18,
    'sources[0].remote',
    'contradicts branches: local, which shows no remote; remove one of the two',
  ],
  ['branches null', /forge: .*/, 'branches:', 17, 'sources[0].branches', 'is null; write the word local, or a list of branches and patterns'],
  ['branches of another word', /forge: .*/, 'branches: main', 17, 'sources[0].branches', '"main" is not a list; write the word local, or a list'],
  ['branches empty', /forge: .*/, 'branches: []', 17, 'sources[0].branches', 'is empty; write the word local, or a list of branches and patterns'],
  [
    'a branch of wrong type',
    /forge: .*/,
    'branches: [main, 5]',
    17,
    'sources[0].branches[1]',
    '5 is not a branch; write the name of a branch, or a pattern',
  ],
  [
    'a branch that none can be called',
    /forge: .*/,
    'branches: ["a b"]',
    17,
    'sources[0].branches[0]',
    '"a b" is not a branch; write the name of a branch',
  ],
  ['branches misspelt', /forge: .*/, 'branchs: [main]', 17, 'sources[0].branchs', 'did you mean branches?'],
  ['branches twice', /forge: .*/, 'branches: [a]\n    branches: [b]', 18, 'sources[0].branches', 'written twice, first on line 17'],
  [
    'local branches of a clone address',
    /git: ..\/widget\n/,
    'git: git@a.example:b.git\n    branches: local\n',
    14,
    'sources[0].branches',
    'the word local is for a folder, but git is a clone address; remove it',
  ],
  ['interval null', /interval: 2m/, 'interval:', 18, 'sources[0].interval', 'is null; write a number and a unit'],
  ['interval of wrong type', /interval: 2m/, 'interval: 120', 18, 'sources[0].interval', '120 is not a duration; write a number and a unit'],
  [
    'interval in words',
    /interval: 2m/,
    'interval: 5 minuts',
    18,
    'sources[0].interval',
    '"5 minuts" is not a duration; write a number and a unit, such as 30s, 5m or 8h',
  ],
  [
    'interval out of range',
    /interval: 2m/,
    'interval: 9h',
    18,
    'sources[0].interval',
    '"9h" is out of range; write a number and a unit, such as 30s, 5m or 8h, from 10s to 8h',
  ],
  ['interval misspelt', /interval: 2m/, 'intervall: 2m', 18, 'sources[0].intervall', 'did you mean interval?'],
  ['interval twice', /interval: 2m/, 'interval: 2m\n    interval: 3m', 19, 'sources[0].interval', 'written twice, first on line 18'],
  ['records null', /records: news/, 'records:', 19, 'sources[1].records', 'is null; write a path'],
  ['records of wrong type', /records: news/, 'records: 5', 19, 'sources[1].records', '5 is not a path; write a path'],
  ['records misspelt', /records: news/, 'recods: news', 19, 'sources[1].recods', 'did you mean records?'],
  ['records twice', /services:/, '  - records: news\nservices:', 21, 'sources[2].records', 'appears twice; write it once'],
  ['interval of records out of range', /interval: 20s/, 'interval: 9s', 20, 'sources[1].interval', '"9s" is out of range; write a number and a unit'],

  ['services null', /services:[^]*/, 'services:\n', 21, 'services', 'is null; write services, each after a dash, or remove the key'],
  ['services of wrong type', /services:[^]*/, 'services: x\n', 21, 'services', '"x" is not a list; write services'],
  ['services misspelt', /services:/, 'servises:', 21, 'servises', 'did you mean services?'],
  ['services twice', /services:/, 'services: []\nservices:', 22, 'services', 'written twice, first on line 21'],
  ['service null', / {2}- key[^]*/, '  -\n', 22, 'services[0]', 'is null; write an object with key, name and check'],
  ['service key missing', /key: acme:api\n {4}/, '', 22, 'services[0].key', 'is missing; write provider:component'],
  ['service key null', /key: acme:api/, 'key:', 22, 'services[0].key', 'is null; write provider:component'],
  ['service key of wrong type', /key: acme:api/, 'key: 5', 22, 'services[0].key', '5 is not a service key; write provider:component'],
  ['service key out of range', /key: acme:api/, `key: a:${'b'.repeat(63)}`, 22, 'services[0].key', 'is not a service key; write provider:component'],
  ['service key misspelt', /key: acme:api/, 'kye: acme:api', 22, 'services[0].kye', 'did you mean key?'],
  ['service key of two services', /$/, '  - {key: acme:api, name: Again, check: self}\n', 26, 'services[1].key', 'appears twice; write it once'],
  ['service name missing', / {4}name: Acme API\n/, '', 22, 'services[0].name', 'is missing; write a text'],
  ['service name null', /name: Acme API/, 'name:', 23, 'services[0].name', 'is null; write a text'],
  ['service name of wrong type', /name: Acme API/, 'name: {a: b}', 23, 'services[0].name', 'an object is not such a text; write a text'],
  ['service name out of range', /name: Acme API/, `name: ${'n'.repeat(256)}`, 23, 'services[0].name', 'write a text of 1 to 255 characters'],
  ['service name misspelt', /name: Acme API/, 'nam: Acme API', 23, 'services[0].nam', 'did you mean name?'],
  ['service check missing', / {4}check: self\n/, '', 22, 'services[0].check', 'is missing; write self'],
  ['service check null', /check: self/, 'check:', 24, 'services[0].check', 'is null; write self'],
  ['service check of wrong type', /check: self/, 'check: 5', 24, 'services[0].check', '5 is not known; write self'],
  ['service check out of range', /check: self/, 'check: http', 24, 'services[0].check', '"http" is not known; write self'],
  ['service check misspelt', /check: self/, 'chekc: self', 24, 'services[0].chekc', 'did you mean check?'],
  ['service interval out of range', /interval: 30s/, 'interval: 1s', 25, 'services[0].interval', '"1s" is out of range; write a number and a unit'],
];

describe('a source of a repository that is not approved', () => {
  it.each([
    ['acme/secret', '"acme/secret" is not approved, so this source is skipped. Add the repository to approved, or remove the source.'],
    [
      'acme/widgte',
      '"acme/widgte" is not approved, so this source is skipped. Did you mean "Acme/Widget"? Add the repository to approved, or remove the source.',
    ],
  ])('is left out with one warning that names it: %s', (name, message) => {
    const config = load(WHOLE.replace('repository: acme/widget', `repository: ${name}`));
    expect(config.sources).toEqual([{ kind: 'records', path: 'news', intervalMs: 20_000 }]);
    expect(config.warnings).toEqual([`vitrine.yaml:14: sources[0].repository: ${message}`]);
  });

  it('is skipped at every position in the list, and all other sources stay', () => {
    const source = (name: string) => `  - {git: ../${name}, repository: acme/${name}, url: "https://acme.example/${name}"}\n`;
    const names = ['a', 'b', 'c'];
    for (const removed of names) {
      const left = names.filter((name) => name !== removed);
      const config = load(`approved: [${left.map((name) => `acme/${name}`).join(', ')}]\nsources:\n${names.map(source).join('')}`);
      expect(config.sources).toMatchObject(left.map((name) => ({ ref: `acme/${name}` })));
      expect(config.warnings).toEqual([expect.stringContaining(`"acme/${removed}" is not approved`)]);
    }
  });

  it('is every git source if the list is empty, which is valid', () => {
    const config = load(WHOLE.replace(/approved:\n[^]*4711/, 'approved: []'));
    expect(config).toMatchObject({ approved: [], sources: [{ kind: 'records' }], warnings: [expect.stringContaining('skipped')] });
  });
});

describe('a mistake in the configuration', () => {
  it.each(sampled(MISTAKES, 2))('%s: is reported in one clear line', (_, find, replacement, line, key, expected) => {
    expect(WHOLE).toMatch(find);
    const found = problems(WHOLE.replace(find, replacement));
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(`vitrine.yaml:${String(line)}: ${key}: `)).toBe(true);
    expect(found[0]).toContain(expected);
    expect(found[0]).not.toMatch(/ada|secret@/);
  });

  it.each([
    ['PORT', 'abc', '"abc" is not a port; write a whole number from 0 to 65535'],
    ['PORT', '70000', '"70000" is not a port; write a whole number'],
    ['PORT', '3e3', 'is not a port'],
    ['PORT', '0x50', 'is not a port'],
    ['PORT', '-1', 'is not a port'],
    ['HOST', 'a/b', '"a/b" is not a host; write a host name'],
    ['LOG_LEVEL', 'loud', '"loud" is not a level; write one of fatal, error, warn, info, debug, trace, silent'],
  ])('%s=%s is named by its variable', (name, value, expected) => {
    const found = problems(WHOLE, { [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(`${name}: `)).toBe(true);
    expect(found[0]).toContain(expected);
  });

  it.each(['db.example', 'http://ada:secret@db.example', 'mongodb://', 'mongodb://ada:top/secret@db.example', 'mongodb://ada:%zzsecret@db.example'])(
    'names MONGODB_URI=%s without showing it',
    (uri) => {
      const found = problems('approved: [acme/widget]\nstore: mongodb\n', { MONGODB_URI: uri });
      expect(found).toEqual([
        'MONGODB_URI: what it holds is not a connection string; write one such as mongodb://host:27017/vitrine or mongodb+srv://host/vitrine, ' +
          'with special characters of a password as %40',
      ]);
    },
  );

  it('lists all problems at once, in the order of their lines, the environment last', () => {
    const found = problems(WHOLE.replace('8080', 'x').replace('2m', 'soon').replace('check: self', 'check: no'), { PORT: 'p' });
    expect(found.map((line) => line.split(': ')[1] ?? '')).toEqual([
      'server.port',
      'sources[0].interval',
      'services[0].check',
      '"p" is not a port; write a whole number from 0 to 65535, where 0 takes any free port',
    ]);
  });

  it.each(['', '# only a comment\n', '---\n...\n', 'null\n'])('says what to write at least when the file is empty: %j', (text) => {
    expect(problems(text)).toEqual(['vitrine.yaml:1: the file: is empty; write at least approved: []']);
  });

  it.each([
    [3, 'approved:\n  - a/b\n - c/d\n'],
    [3, 'approved:\n   - a/b\n  - c/d\n   - e/f\n'],
    [4, 'approved: [a/b]\nsources:\n  - records: x\n   - records: y\n'],
    [3, 'approved:\n  - name: a/b\n   id: 3\n'],
    [5, 'approved:\n  - a/b\nsources:\n  - git: x\n    repository: a/b\n      url: y\n'],
    [2, 'approved: [a/b]\n sources: []\n'],
    [3, 'approved:\n  - a/b\n bad: ['],
  ])('reports wrong indentation on line %i once, without terms of the parser: %j', (line, text) => {
    expect(problems(text)).toEqual([
      `vitrine.yaml:${String(line)}: wrong indentation; entries of one list begin in the same column, and so do the keys of one entry`,
    ]);
  });

  it.each<[line: number, text: string, message: string]>([
    [2, 'site:\n  title: Team: Acme\n', 'a value has a colon and a space in it; put the value in quotes'],
    [1, 'site: { title: Team: Acme }\n', 'a value has a colon and a space in it; put the value in quotes'],
    [2, 'approved: []\nsite: { accent: #ffcc00 }\n\n', 'a bracket is not closed; write the missing ] or }. A # after a space begins a comment'],
    [1, 'approved: [a/b\nsources: []\n', 'a bracket is not closed'],
    [2, 'approved:\n\t- a/b\n', 'a tab indents this line; use spaces'],
    [2, 'approved: []\n---\napproved: [a/b]\n', 'a second document begins here; remove this line'],
    [1, 'publicUrl: @acme\n', 'a value begins with a character that has a meaning in YAML; put the value in quotes'],
  ])('says on line %i of %j what to do, without terms of the parser', (line, text, message) => {
    const [first = ''] = problems(text);
    expect(first.startsWith(`vitrine.yaml:${String(line)}: is not valid YAML: ${message}`) ? '' : first).toBe('');
  });

  it.each<[text: string, message: string]>([
    [
      'approved: [https://github.com/acme/widget]',
      '1: approved[0]: "https://github.com/acme/widget" is the address of acme/widget; write owner/name',
    ],
    ['approved: ["git@code.example:acme/widget.git"]', 'is the address of acme/widget; write owner/name'],
    ['approved: [https://acme.example/]', 'is not a repository name'],
    ['approved: []\nsite:\n  title:Acme\n', 'site: "title:Acme" has no space after its colon; write '],
    [
      'approved: []\nstore: { path: ~/data }',
      'store.path: "~/data" begins with ~, which only a shell replaces by a folder; write the path of a folder',
    ],
    ['approved: [a/b]\nsources: [{ git: ~/b, repository: a/b, url: https://a.example/a/b }]', 'sources[0].git: "~/b" begins with ~'],
    ['approved: []\nserver: { keepAlive: 5 }', 'such as 30s or 5m, from 1s to 1h'],
    ['approved: []\nservices: [{ key: "a:b", name: B, check: "https://acme.example", timeout: 5 }]', 'such as 30s, from 1s to 60s'],
  ])('names what was probably meant in %j', (text, message) => {
    expect(problems(text).join('\n')).toContain(message);
  });

  it.each(['[]', 'text'])('rejects %j, which has no keys', (text) => {
    expect(problems(text)).toHaveLength(1);
    expect(problems(text)[0]).toMatch(/^vitrine\.yaml:1: the file: .*write the keys approved/);
  });

  it.each(['approved: [a/b\n', 'a: "unclosed\n', 'a: b: c\n'])('reports the YAML errors of %j with their line', (text) => {
    for (const line of problems(text)) expect(line).toMatch(/^vitrine\.yaml:\d+: is not valid YAML: /);
  });

  it('rejects a file that is not UTF-8, of which a part would be shown as U+FFFD', () => {
    const text = Buffer.from('approved: []\nsite: { title: Müller }\n', 'latin1').toString('utf8');
    expect(problems(text)).toEqual(['vitrine.yaml:2: is not UTF-8; save the file in this encoding']);
    expect(readAllowlist({ text, file: 'vitrine.yaml' }).approved).toEqual([]);
  });

  it('names the line of an alias without an anchor before it', () => {
    const text = [
      'services:',
      '  - &web { key: acme:web, name: Web, check: self }',
      '  - *web',
      '  - *later',
      '  - &later { key: acme:api, name: API }',
    ];
    expect(problems(text.join('\n'))).toEqual([expect.stringMatching(/^vitrine\.yaml:4: is not valid YAML: Unresolved alias .*later/)]);
  });

  it('rejects a file whose aliases expand without limit', () => {
    const bomb =
      'a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\napproved: *d\n';
    expect(problems(bomb)[0]).toMatch(/^vitrine\.yaml:1: is not valid YAML/);
  });
});

describe('readAllowlist', () => {
  const read = (text: string) => readAllowlist({ text, file: 'vitrine.yaml' }).approved;

  it('reads the approved repositories even if other keys are invalid', () => {
    expect(read('approved: [acme/widget]\nport: nonsense\n')).toEqual([{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: null }]);
  });

  it('reads an explicit empty list', () => {
    expect(read('approved: []')).toEqual([]);
  });

  it('reads the list of each file whose mistake is in another key', () => {
    const elsewhere = MISTAKES.filter(([, , , , key]) => !/^ap+rov/.test(key)).map(([, find, replacement]) => WHOLE.replace(find, replacement));
    expect(elsewhere.length).toBeGreaterThan(90);
    const { approved } = load(WHOLE);
    for (const text of sampled(elsewhere, 8)) expect(read(text)).toEqual(approved);
  });

  it.each([
    ['approved:', 'is null'],
    ['other: 1', 'is missing'],
    ['', 'has no allowlist'],
    ['approved: [acme/widget, Acme/Widget]', 'appears twice'],
    ['approved: [acme]', 'is not a repository name'],
    ['approved: [a/b]\napproved: [c/d]', 'written twice'],
    ['approved: [', 'is not valid YAML'],
  ])('refuses %j', (text, reason) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(reason);
  });
});
