import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { openSqliteStore, type FolderLease } from '@vitrine/adapters-sqlite';
import type { Environment } from '@vitrine/config';
import { Progress } from './progress.js';
import { runProgram } from './program.js';

/** A user without permissions. */
const NOBODY = 65_534;
const EXAMPLE = join(__dirname, '../../../examples/records.ndjson');

let folder: string;
let out: string[];
let err: string[];
let now: number;
let input: string;
let exported: string;
let stdout: Writable;
beforeEach(() => {
  now = Date.UTC(2026, 10, 20, 14);
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  out = [];
  input = '';
  exported = '';
  stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      exported += chunk.toString();
      done();
    },
  });
  err = [];
  writeFileSync(join(folder, 'vitrine.yaml'), 'approved: [acme/widget]\nsources:\n  - records: in\n');
  mkdirSync(join(folder, 'in'));
  mkdirSync(join(folder, '.vitrine'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function vitrine(...args: readonly string[]) {
  return vitrineWith({ VITRINE_CONFIG: join(folder, 'vitrine.yaml') }, ...args);
}

function vitrineWith(env: Environment, ...args: readonly string[]) {
  return runProgram(args, {
    env,
    clock: { now: () => now },
    signal: new AbortController().signal,
    holder: 'this test',
    stdin: () => Readable.from([Buffer.from(input)]),
    stdout: () => stdout,
    print: (line) => out.push(line),
    log: (line) => out.push(line),
    warn: (line) => err.push(line),
    progress: new Progress({ write: () => undefined }),
  });
}

/** Holds the lease of the data folder while the call runs, as a server does. */
async function whileCollecting<Result>(call: (lease: FolderLease) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore({ clock: { now: () => now }, path: join(folder, '.vitrine') });
  const lease = await store.acquireLease({ holder: 'host, process 7', signal: new AbortController().signal });
  try {
    return await call(lease);
  } finally {
    await lease.release();
    await store.close();
  }
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('vitrine', () => {
  it('imports a file, and exports what is stored so that it can be imported again', async () => {
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    expect(out.at(-1)).toBe(`${EXAMPLE}: 15 lines, 15 stored, 0 unchanged, 0 removed, 0 not found, 0 skipped, 0 problems`);
    const first = join(folder, 'first.ndjson');
    expect(await vitrine('export', first)).toBe(0);
    rmSync(join(folder, '.vitrine'), { recursive: true });
    mkdirSync(join(folder, '.vitrine'));
    expect(await vitrine('import', '--strict', first)).toBe(0);
    const second = join(folder, 'second.ndjson');
    expect(await vitrine('export', second)).toBe(0);
    expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'));
    expect(readFileSync(first, 'utf8').trimEnd().split('\n')).toHaveLength(15);
    expect(err).toEqual([]);
  });

  it('checks what is stored while another process collects, and names what is damaged', async () => {
    await vitrine('import', EXAMPLE);
    expect(await whileCollecting(() => vitrine('store', 'check'))).toBe(0);
    expect(out.at(-1)).toBe(`${join(folder, '.vitrine')}: nothing is damaged`);
    const kinds = [...readFileSync(EXAMPLE, 'utf8').matchAll(/"kind":\s*"([\w-]+)"/g)].map(([, kind = '']) => kind);
    // No names of tables.
    const counted = out.slice(1, -1).map((line) => line.replace(/: \d+$/, ''));
    expect(new Set(counted)).toEqual(new Set([...kinds, 'status-day']));
    const file = join(folder, '.vitrine', 'vitrine.db');
    const bytes = readFileSync(file).toString('latin1');
    writeFileSync(file, Buffer.from(bytes.replaceAll('"kind":"commit"', '"kind":"c-mmit"'), 'latin1'));
    expect(await vitrine('store', 'check')).toBe(1);
    expect(out.filter((line) => line.startsWith('damaged: '))).toEqual([expect.stringMatching(/^damaged: commit acme\/widget.*: unreadable$/)]);
    expect(out.at(-1)).toContain(': 1 problem. To get back');
    expect(err).toEqual([]);
  });

  it('checks no folder without a store', async () => {
    expect(await vitrine('store', 'check')).toBe(3);
    expect(readdirSync(join(folder, '.vitrine'))).toEqual([]);
  });

  it('stores nothing when the same file is imported again at another time', async () => {
    // Leave out every time that a line may leave out.
    const times = new Set(['observedAt', 'lastSyncedAt', 'discoveredAt', 'listedAt', 'createdAt', 'firstSeenAt']);
    const without = (_key: string, value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter(([key]) => !times.has(key)))
        : value;
    const lines = readFileSync(EXAMPLE, 'utf8').trim().split('\n');
    const records = lines.map((line) => JSON.parse(line) as { readonly kind: string }).filter(({ kind }) => kind !== 'incident');
    const file = write('hand.ndjson', records.map((record) => `${JSON.stringify(record, without)}\n`).join(''));
    expect(await vitrine('import', file)).toBe(0);
    now += 60_000;
    expect(await vitrine('import', file)).toBe(0);
    expect(out.at(-1)).toBe(`${file}: 14 lines, 0 stored, 14 unchanged, 0 removed, 0 not found, 0 skipped, 0 problems`);
  });

  it('imports standard input, and prints what happened to each record', async () => {
    input = `${readFileSync(EXAMPLE, 'utf8')}{"kind": "news", "id": "none", "deleted": true}\n`;
    expect(await vitrine('import', '-')).toBe(0);
    expect(out.slice(-2)).toEqual([
      'standard input: 16 lines, 15 stored, 0 unchanged, 0 removed, 1 not found, 0 skipped, 0 problems',
      'Not found: lines that delete a record that is not stored.',
    ]);
  });

  it('exports to standard output what it exports to a file, and only that', async () => {
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    const file = join(folder, 'all.ndjson');
    expect(await vitrine('export', file)).toBe(0);
    out = [];
    expect(await vitrine('export', '-')).toBe(0);
    expect(exported).toBe(readFileSync(file, 'utf8'));
    expect([out, err]).toEqual([[], ['standard output: 15 records']]);
    expect(readdirSync(process.cwd())).not.toContain('-');
  });

  it('says that the reader of an export has disconnected', async () => {
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    stdout = new Writable({
      write: (_chunk, _encoding, done) => {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    stdout.on('error', () => undefined);
    expect(await vitrine('export', '-')).toBe(1);
    expect(err).toEqual(['standard output: the reader has disconnected before everything was written']);
  });

  it('refuses to read standard input twice', async () => {
    input = readFileSync(EXAMPLE, 'utf8');
    expect(await vitrine('import', '--strict', '-')).toBe(2);
    expect(err).toEqual([expect.stringContaining('the standard input can be read only once; import a file instead')]);
  });

  it('exits with 1 if some lines are invalid, and names them', async () => {
    const file = write('bad.ndjson', `${readFileSync(EXAMPLE, 'utf8')}nonsense\n`);
    expect(await vitrine('import', file)).toBe(1);
    expect(err).toEqual([expect.stringMatching(/bad\.ndjson:16: the line is not JSON/)]);
    expect(out.at(-1)).toBe(`${file}: 16 lines, 15 stored, 0 unchanged, 0 removed, 0 not found, 0 skipped, 1 problem`);
  });

  it('says how to import records of repositories that are not approved', async () => {
    write('vitrine.yaml', 'approved: [acme/other]\n');
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    expect(out.slice(-2)).toEqual([
      expect.stringMatching(/15 lines, 6 stored, 0 unchanged, 0 removed, 0 not found, 9 skipped, 0 problems$/),
      `Skipped: records of repositories that ${join(folder, 'vitrine.yaml')} does not approve. Import the file again after you add them to its list approved.`,
    ]);
  });

  it('names each repository that has records but no repository record, until one is imported', async () => {
    const lines = readFileSync(EXAMPLE, 'utf8').trim().split('\n');
    const isRepository = (line: string) => line.includes('"kind":"repository"') || line.includes('"kind": "repository"');
    const without = write('without.ndjson', `${lines.filter((line) => !isRepository(line)).join('\n')}\n`);
    expect(await vitrine('import', '--strict', without)).toBe(0);
    expect(err).toEqual([
      expect.stringMatching(/without\.ndjson: acme\/widget has records, but no repository record, .*; add a line with "kind": "repository"/),
    ]);
    expect(await vitrine('import', write('repository.ndjson', `${lines.filter(isRepository).join('\n')}\n`))).toBe(0);
    expect(await vitrine('import', without)).toBe(0);
    expect(err).toHaveLength(1);
  });

  it('stores nothing of a file with an invalid line when it is strict', async () => {
    const file = write('bad.ndjson', `${readFileSync(EXAMPLE, 'utf8')}nonsense\n`);
    expect(await vitrine('import', '--strict', file)).toBe(1);
    expect(out.at(-1)).toContain('0 stored');
  });

  it('collects every source once, and exits with 1 if one of them had a problem', async () => {
    writeFileSync(join(folder, 'in', 'a.ndjson'), readFileSync(EXAMPLE));
    expect(await vitrine('collect')).toBe(0);
    expect(out).toContainEqual(expect.stringMatching(/^records .*in: 15 stored, 0 unchanged, 0 removed$/));
    writeFileSync(join(folder, 'in', 'b.ndjson'), 'nonsense\n');
    expect(await vitrine('collect')).toBe(1);
    rmSync(join(folder, 'in'), { recursive: true });
    expect(await vitrine('collect')).toBe(1);
    expect(err.at(-1)).toMatch(/^records .*in: .*in does not exist; create it, or correct the path/);
  });

  it('keeps its clone of a git address in the data folder, also when the folder is given as a relative path', async () => {
    const upstream = join(folder, 'upstream.git');
    const git = (...args: readonly string[]) => execFileSync('git', args, { input: '', stdio: ['pipe', 'ignore', 'ignore'] });
    git('init', '--quiet', '--bare', upstream);
    const source = `{git: "file://${upstream}", repository: acme/widget, url: "https://code.acme.example/acme/widget"}`;
    const file = relative(process.cwd(), join(folder, 'vitrine.yaml'));
    write('vitrine.yaml', `approved: [acme/widget]\nsources:\n  - ${source}\n`);
    expect(await vitrineWith({ VITRINE_CONFIG: file, PATH: process.env['PATH'] }, 'collect')).toBe(0);
    expect(readdirSync(join(folder, '.vitrine', 'clones'))).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.git$/)]);
  });

  it('checks the configuration without writing anything', async () => {
    const before = readdirSync(folder);
    expect(await vitrine('check')).toBe(0);
    expect(out).toEqual([
      `${join(folder, 'vitrine.yaml')} can be used.`,
      expect.stringMatching(/^Serves on 127\.0\.0\.1 port 3000\. publicUrl is missing/),
      `Keeps records in ${join(folder, '.vitrine')}, raw checks for 400 days.`,
      'Shows acme/widget.',
      `Reads records from ${join(folder, 'in')} every 10 s.`,
      '1 source, 0 services, 0 problems.',
    ]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('checks sources of forges: says what they read, and which token is missing', async () => {
    write(
      'vitrine.yaml',
      'approved: [acme/widget, acme/gadget]\nsources: [{ github: acme/widget, git: false }, { gitlab: acme/gadget, token: LAB_TOKEN }]\n',
    );
    expect(await vitrine('check')).toBe(1);
    expect(out.slice(-4, -1)).toEqual([
      'Reads releases, builds and milestones of acme/widget from https://api.github.com every 300 s, public at https://github.com/acme/widget.',
      'Reads the history of acme/gadget from https://gitlab.com/acme/gadget.git every 300 s, public at https://gitlab.com/acme/gadget.',
      'Reads releases, builds and milestones of acme/gadget from https://gitlab.com/api/v4 every 300 s, public at https://gitlab.com/acme/gadget.',
    ]);
    expect(err).toEqual(['acme/gadget needs the environment variable LAB_TOKEN, which is not set. Set it for the process that collects.']);
  });

  it('checks sources of content: opens their files, and connects to nothing', async () => {
    mkdirSync(join(folder, 'docs'));
    const feeds =
      '  - {feed: "https://127.0.0.1:1/feed.xml", label: Blog, allowPrivate: true, url: "https://acme.example"}\n  - {video: "https://127.0.0.1:1/videos.xml", label: Films, allowPrivate: true, url: "https://acme.example"}\n';
    write('vitrine.yaml', `approved: []\nsources:\n${feeds}  - articles: docs\n  - articles: gone\n  - changelog: docs\n`);
    expect(await vitrine('check')).toBe(1);
    expect(out.slice(-6, -1)).toEqual([
      'Reads news of Blog from https://127.0.0.1:1/feed.xml every 900 s.',
      'Reads videos of Films from https://127.0.0.1:1/videos.xml every 900 s.',
      `Reads the articles in ${join(folder, 'docs')} every 60 s.`,
      `Reads the articles in ${join(folder, 'gone')} every 60 s.`,
      `Reads the changelog ${join(folder, 'docs')} every 60 s.`,
    ]);
    expect(err).toEqual([
      `articles ${join(folder, 'gone')}: ${join(folder, 'gone')} does not exist; create it, or correct the path`,
      `changelog ${join(folder, 'docs')}: ${join(folder, 'docs')} is a folder; name a file`,
    ]);
  });

  it('names each address in a private network that its entry does not allow, without the address', async () => {
    const service = (key: string, check: string, more = '') => `  - {key: "acme:${key}", name: Any, check: "${check}"${more}}\n`;
    const services = [
      service('number', 'http://2130706433/?token=secret'),
      service('tcp', 'tcp://192.168.1.1:5432'),
      service('allowed', 'http://localhost', ', allowPrivate: true'),
      service('public', 'https://acme.example'),
      service('name', 'dns:localhost'),
    ].join('');
    const sources = '  - {feed: "http://localhost/feed", label: Blog}\n  - {statuspage: "https://status.internal", label: Provider}\n';
    write('vitrine.yaml', `approved: []\nsources:\n${sources}services:\n${services}canary: "tcp://[::1]:80"\n`);
    expect(await vitrine('check')).toBe(1);
    const where = ['Blog', 'Provider', 'acme:number', 'acme:tcp', 'The canary'];
    expect(err).toEqual(
      where.map((what) => `${what} is in a private network, so Vitrine does not connect to it. If you trust its address, add allowPrivate: true.`),
    );
  });

  it.each([['check'], ['collect']])('skips the source of a repository that is not approved, names it, and ends with 1: %s', async (command) => {
    writeFileSync(join(folder, 'in', 'a.ndjson'), readFileSync(EXAMPLE));
    const source = '{git: "https://127.0.0.1:1/x.git", repository: acme/widgte, url: "https://acme.example/x"}';
    write('vitrine.yaml', `approved: [acme/widget]\nsources:\n  - records: in\n  - ${source}\n`);
    expect(await vitrine(command)).toBe(1);
    expect(err).toEqual([
      `${join(folder, 'vitrine.yaml')}:4: sources[1].repository: "acme/widgte" is not approved, so this source is skipped. Did you mean "acme/widget"? Add the repository to approved, or remove the source.`,
    ]);
    expect(out).toContainEqual(command === 'check' ? 'Shows acme/widget.' : expect.stringMatching(/^records .*in: \d+ stored/));
  });

  it('names each path that cannot be used, and exits with 1', async () => {
    const source = '{git: gone, repository: acme/widget, url: "https://acme.example/w"}';
    write('vitrine.yaml', `approved: [acme/widget]\nstore: {path: .}\nsources: [${source}, {records: missing}]\n`);
    expect(await vitrine('check')).toBe(1);
    expect(out.join('\n')).not.toContain('can be used');
    expect(out).toContainEqual('Shows acme/widget.');
    expect(err).toEqual([
      expect.stringContaining(`${folder} is not a data folder of Vitrine: it holds other files`),
      expect.stringContaining('gone" does not exist'),
      expect.stringContaining('missing does not exist'),
    ]);
  });

  it.each([
    ['cannot be created', '/proc/vitrine/data'],
    ['is a link to nothing', 'link'],
  ])('names a data folder that %s, leaves nothing behind, and exits with 1', async (_, path) => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    write('vitrine.yaml', `approved: [acme/widget]\nstore: {path: ${path}}\n`);
    const before = readdirSync(folder);
    expect(await vitrine('check')).toBe(1);
    expect(err).toEqual([expect.stringContaining(join(folder, path).endsWith('link') ? `The data folder ${join(folder, 'link')} ` : path)]);
    expect(out.join('\n')).not.toContain('can be used');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('names a data folder that this user cannot write', async () => {
    // It loads the modules of the command, which the other user may not be able to read.
    expect(await vitrine('check')).toBe(0);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, '.vitrine'), 0o555);
    // Root may write every folder.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    const code = await vitrine('check').finally(() => isRoot && process.seteuid?.(0));
    expect([code, err]).toEqual([1, [expect.stringMatching(/^The data folder .*\.vitrine cannot be opened: .*EACCES/)]]);
  });

  it('checks a configuration that approves nothing', async () => {
    write('vitrine.yaml', 'approved: []\n');
    expect(await vitrine('check')).toBe(0);
    expect(out).toContainEqual('Shows no repository, because the list approved is empty.');
  });

  it.each([['check'], ['collect'], ['import', EXAMPLE], ['export', 'out.ndjson']])(
    'exits with 2 and prints all problems if the configuration is invalid: %s',
    async (...args) => {
      write('vitrine.yaml', 'approvd: [acme/widget]\nserver: {port: x}\n');
      expect(await vitrine(...args)).toBe(2);
      expect(err.join('\n').split('\n')).toHaveLength(2);
      expect(readdirSync(join(folder, '.vitrine'))).toEqual([]);
    },
  );

  it.each([
    [[]],
    [['colect']],
    [['store']],
    [['store', 'remove']],
    [['import']],
    [['import', 'a', 'b']],
    [['import', '--lenient', 'a']],
    [['backup']],
    [['backup', 'a', 'b']],
    [['import', '--wait', 'soon', 'a']],
    [['collect', '--wait', '10']],
    [['export']],
    // What only reads never waits.
    [['export', '--wait', '1s', 'a']],
    [['sources', '--wait', '1s']],
  ])('exits with 2 for the command line %j', async (args) => {
    expect(await vitrine(...args)).toBe(2);
    expect(err.length).toBeGreaterThan(0);
    expect(err.join('\n')).toMatch(/Usage: vitrine|--help shows /);
  });

  it.each<[args: readonly string[], lines: readonly string[]]>([
    [
      ['incident', 'open', 'API', 'down'],
      [
        "error: too many arguments for 'open'. Expected 1 argument but got 2. Put a text with spaces in quotes.",
        'npm run vitrine -- incident open --help shows its arguments and options.',
      ],
    ],
    [
      ['incident', 'close'],
      ["error: unknown command 'close'", 'npm run vitrine -- incident --help shows its commands.'],
    ],
    [['colect'], ["error: unknown command 'colect'", '(Did you mean collect?)', 'npm run vitrine -- --help shows every command.']],
  ])('names the help that has the answer: %j', async (args, lines) => {
    await vitrine(...args);
    expect(err.join('\n').split('\n')).toEqual(lines);
  });

  it('exits with 2 if a named file cannot be read or written', async () => {
    expect(await vitrine('import', join(folder, 'missing.ndjson'))).toBe(2);
    expect(await vitrine('export', join(folder, 'no', 'folder.ndjson'))).toBe(2);
    expect(await vitrine('import', folder)).toBe(2);
    expect(await vitrine('export', folder)).toBe(2);
    expect(await vitrine('export', join(EXAMPLE, 'out.ndjson'))).toBe(2);
    expect(err).toEqual([
      expect.stringMatching(/missing\.ndjson does not exist; create it, or correct the path/),
      expect.stringMatching(/folder\.ndjson cannot be written, because its folder does not exist/),
      `${folder} is a folder; name a file`,
      `${folder} is a folder; name a file`,
      expect.stringMatching(/out\.ndjson cannot be written, because its folder does not exist/),
    ]);
  });

  it('exits with 2 for a pipe or a device, without waiting, and replaces neither', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    expect(await vitrine('import', pipe)).toBe(2);
    expect(await vitrine('import', '--strict', join(folder, 'zero'))).toBe(2);
    expect(await vitrine('export', pipe)).toBe(2);
    expect(await vitrine('export', join(folder, 'zero'))).toBe(2);
    expect(err.map((line) => line.replace(`${folder}/`, ''))).toEqual(
      ['pipe is a pipe', 'zero is a device', 'pipe is a pipe', 'zero is a device'].map(
        (problem) => `${problem}; put a regular file there, or name another one`,
      ),
    );
    expect([statSync(pipe).isFIFO(), lstatSync(join(folder, 'zero')).isSymbolicLink()]).toEqual([true, true]);
  });

  it.each([['check'], ['collect']])('ends with 2 when the configuration is a pipe, without waiting for its writer: %s', async (command) => {
    rmSync(join(folder, 'vitrine.yaml'));
    execFileSync('mkfifo', [join(folder, 'vitrine.yaml')]);
    expect(await vitrine(command)).toBe(2);
    expect(err).toEqual([expect.stringMatching(/vitrine\.yaml: is a pipe; write a configuration file there, or name another one in VITRINE_CONFIG/)]);
  });

  it('exits with 2 if the records would be lost at the end', async () => {
    write('vitrine.yaml', 'approved: [acme/widget]\nstore: {path: null}\n');
    expect(await vitrine('import', EXAMPLE)).toBe(2);
    expect(await vitrine('export', join(folder, 'out.ndjson'))).toBe(2);
    expect(err[0]).toContain('store.path: is null');
  });

  it.each([['init'], ['reindex']])('says that a folder needs no store %s', async (name) => {
    expect(await vitrine('store', name)).toBe(0);
    expect(out).toEqual([expect.stringContaining('nothing is to be done')]);
    expect(readdirSync(join(folder, '.vitrine'))).toEqual([]);
  });

  it('shows the hosts of a MongoDB store without credentials, and does not connect', async () => {
    expect(await vitrineWith({ VITRINE_CONFIG: join(folder, 'vitrine.yaml'), MONGODB_URI: 'mongodb://ada:secret@db.example/team' }, 'check')).toBe(0);
    expect(out[2]).toBe('Keeps records in MongoDB at db.example, raw checks for 400 days.');
  });

  it('creates a data folder and an export that only their owner can read', async () => {
    const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
    rmSync(join(folder, '.vitrine'), { recursive: true });
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    expect(await vitrine('export', write('out.ndjson', 'an older export'))).toBe(0);
    expect(['.vitrine', 'out.ndjson'].map(modeOf)).toEqual(['700', '600']);
  });

  it.each([
    ['does not exist', false],
    ['is empty', true],
  ])('exits an export with 3 and creates nothing if the data folder %s', async (_state, exists) => {
    rmSync(join(folder, '.vitrine'), { recursive: true });
    if (exists) mkdirSync(join(folder, '.vitrine'));
    const before = readdirSync(folder, { recursive: true });
    expect(await vitrine('export', join(folder, 'out.ndjson'))).toBe(3);
    expect([out, err]).toEqual([
      [],
      [expect.stringMatching(/^The data folder .*\.vitrine does not exist or is empty, so it has no records\. Check /)],
    ]);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('exports nothing from a store that holds no records', async () => {
    expect(await vitrine('import', write('empty.ndjson', ''))).toBe(0);
    expect(await vitrine('export', join(folder, 'out.ndjson'))).toBe(0);
    expect(readFileSync(join(folder, 'out.ndjson'), 'utf8')).toBe('');
  });

  it('exits with 3 if the store cannot be opened', async () => {
    rmSync(join(folder, '.vitrine'), { recursive: true });
    write('.vitrine', 'a file');
    expect(await vitrine('export', join(folder, 'out.ndjson'))).toBe(3);
    expect(err).toHaveLength(1);
  });

  it('exits collect with 3 and names the process that collects when the time to wait is over', async () => {
    expect(await whileCollecting(() => vitrine('collect', '--wait', '0s'))).toBe(3);
    expect([out, err]).toEqual([
      [],
      [
        expect.stringMatching(
          /^host, process 7 collects into the data folder .*\.vitrine, and did not end within 0 s\. Stop that process, or .*--wait 5m\. .*vitrine import/,
        ),
      ],
    ]);
  });

  it('waits for ten seconds while another process collects, and continues when that process has ended', async () => {
    const run = await whileCollecting(async () => {
      const started = vitrine('collect');
      while (err.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      return [started] as const;
    });
    expect(await run[0]).toBe(0);
    expect(err).toEqual([`host, process 7 collects into the data folder ${join(folder, '.vitrine')}; waiting for up to 10 s.`]);
  });

  it('exits collect with 4 if another process takes the lease', async () => {
    const store = await openSqliteStore({ clock: { now: () => now }, path: join(folder, '.vitrine') });
    // A turn of the same name starts at once, although the turn before has not ended.
    const steal = () => store.acquireLease({ holder: 'this test', signal: new AbortController().signal });
    write('in/a.ndjson', readFileSync(EXAMPLE, 'utf8'));
    const line = `${JSON.stringify({ kind: 'news', id: 'none', deleted: true })}\n`;
    write('in/b.ndjson', line.repeat(200_000));
    const run = vitrine('collect');
    const { position } = await store.changeFeed.changesSince(null, { limit: 1, waitMs: 0 }, { signal: new AbortController().signal });
    await store.changeFeed.changesSince(position, { limit: 1, waitMs: 60_000 }, { signal: new AbortController().signal });
    const stolen = await steal();
    expect(await run).toBe(4);
    expect(err.at(-1)).toMatch(/^The right to write to this data folder was lost: .* Run the command again\.$/);
    await stolen.release();
    await store.close();
  });

  it('imports, exports, checks and backs up while another process collects', async () => {
    const codes = await whileCollecting(async () => [
      await vitrine('import', EXAMPLE),
      await vitrine('export', join(folder, 'out.ndjson')),
      await vitrine('check'),
      await vitrine('backup', join(folder, 'backup.db')),
      await vitrine('store', 'reindex'),
    ]);
    expect([codes, err]).toEqual([[0, 0, 0, 0, 0], []]);
    expect(readFileSync(join(folder, 'out.ndjson'), 'utf8').trim().split('\n')).toHaveLength(15);
  });

  it('makes a backup that only its owner can read, and that is a store when it is put into a new folder', async () => {
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    expect(await vitrine('export', join(folder, 'before.ndjson'))).toBe(0);
    const file = join(folder, 'backup.db');
    expect(await vitrine('backup', file)).toBe(0);
    expect(out.at(-1)).toBe(
      `${file}: the store of ${join(folder, '.vitrine')} was copied. To restore it, put the file as vitrine.db into an empty folder.`,
    );
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    rmSync(join(folder, '.vitrine'), { recursive: true });
    mkdirSync(join(folder, '.vitrine'));
    renameSync(file, join(folder, '.vitrine', 'vitrine.db'));
    expect(await vitrine('export', join(folder, 'after.ndjson'))).toBe(0);
    expect(readFileSync(join(folder, 'after.ndjson'), 'utf8')).toBe(readFileSync(join(folder, 'before.ndjson'), 'utf8'));
  });

  it('makes no backup in a file called -, which means standard output elsewhere', async () => {
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    out = [];
    expect(await vitrine('backup', '-')).toBe(2);
    expect([out, err]).toEqual([[], ['a backup needs a file, not the standard output; name a new file, or run export -']]);
    expect(readdirSync(process.cwd())).not.toContain('-');
  });

  it('exits a backup with 2 if its file exists or its folder does not, and replaces nothing', async () => {
    expect(await vitrine('import', EXAMPLE)).toBe(0);
    const file = write('backup.db', 'an older backup');
    expect(await vitrine('backup', file)).toBe(2);
    expect(await vitrine('backup', join(folder, 'gone', 'backup.db'))).toBe(2);
    expect(err).toEqual([
      `${file} exists. Name a new file, because a backup never replaces one.`,
      `${join(folder, 'gone', 'backup.db')} cannot be written, because its folder does not exist or takes no new files; create the folder, or name another file`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('an older backup');
  });

  it('exits a backup with 3 if the data folder holds no store, and with 2 for a database, and creates nothing', async () => {
    const file = join(folder, 'backup.db');
    expect(await vitrine('backup', file)).toBe(3);
    expect(err).toEqual([expect.stringMatching(/\.vitrine does not exist or is empty, so it has no records\. /)]);
    const env = { VITRINE_CONFIG: join(folder, 'vitrine.yaml'), MONGODB_URI: 'mongodb://db.example/team' };
    expect(await vitrineWith(env, 'backup', file)).toBe(2);
    expect(err.at(-1)).toBe(`${join(folder, 'vitrine.yaml')} keeps records in MongoDB. Use mongodump to back up the database.`);
    expect(readdirSync(folder)).not.toContain('backup.db');
  });

  it.each([
    ['check', [], 1],
    ['collect', [], 3],
    ['import', [EXAMPLE], 3],
    ['export', ['out.ndjson'], 3],
    ['backup', ['backup.db'], 3],
  ])('refuses a data folder of an older version with one line that says how to move its records: %s', async (command, args, code) => {
    writeFileSync(join(folder, '.vitrine', 'CURRENT'), 'MANIFEST-000002\n');
    expect(await vitrine(command, ...args)).toBe(code);
    expect(err).toEqual([
      expect.stringMatching(
        /^The data folder .*\.vitrine has the format of an older version of Vitrine\. Run "vitrine export FILE" with the version before/,
      ),
    ]);
    expect(readdirSync(join(folder, '.vitrine'))).toEqual(['CURRENT']);
  });

  it('deletes no raw checks when its clock is wrong for one run', async () => {
    const line = readFileSync(EXAMPLE, 'utf8')
      .split('\n')
      .find((text) => text.includes('"kind":"check"'));
    const check = String(line).replace('2026-11-20T13:59:00Z', '2026-01-05T12:00:00Z');
    expect(check).toContain('2026-01-05');
    write('in/checks.ndjson', `${check}\n`);
    expect(await vitrine('collect')).toBe(0);
    const before = join(folder, 'before.ndjson');
    expect(await vitrine('export', before)).toBe(0);
    now += 200 * 86_400_000;
    expect(await vitrine('collect')).toBe(0);
    now -= 200 * 86_400_000;
    const after = join(folder, 'after.ndjson');
    expect(await vitrine('export', after)).toBe(0);
    const checksIn = (file: string) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"kind":"check"'));
    expect(checksIn(before)).toHaveLength(1);
    expect(checksIn(after)).toEqual(checksIn(before));
  });

  it.each(['--version', '-V'])('shows its version: %s', async (argument) => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
    expect(await vitrine(argument)).toBe(0);
    expect([out, err]).toEqual([[version], []]);
  });

  it('shows the help of each command', async () => {
    for (const command of [['collect'], ['import'], ['export'], ['backup'], ['check'], ['store'], ['store', 'init'], ['store', 'reindex']]) {
      out = [];
      expect(await vitrine(...command, '--help')).toBe(0);
      expect(out.join('\n')).toContain(`Usage: vitrine ${command.join(' ')} `);
    }
    expect(err).toEqual([]);
  });

  it('shows its help and the exit codes', async () => {
    expect(await vitrine('--help')).toBe(0);
    expect(out.join('\n')).toContain('3  the store cannot be opened, reached or written');
    expect(err).toEqual([]);
  });
});

describe('Progress', () => {
  it('rewrites one line on a terminal and clears it for lines that stay', () => {
    const written: string[] = [];
    const progress = new Progress({ isTTY: true, write: (text) => written.push(text) });
    progress.show('one');
    progress.show('too soon');
    progress.clear();
    progress.clear();
    expect(written).toEqual(['\r\u001b[Kone', '\r\u001b[K']);
  });

  it('writes no progress line if the output is not a terminal', () => {
    const written: string[] = [];
    const progress = new Progress({ write: (text) => written.push(text) });
    progress.show('one');
    progress.clear();
    expect(written).toEqual([]);
  });
});
