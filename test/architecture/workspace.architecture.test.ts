import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampled } from '../../test-support/src/torture.ts';
import { root } from './planted-tree.js';

interface Manifest {
  readonly packageManager: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs the first script as if this Node were another version. */
function runAs(version: string, command: string) {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); process.argv[2] = '${command}'; require('./scripts/run.cjs');`;
  return spawnSync(process.execPath, ['-e', script, 'node'], { cwd: root, encoding: 'utf8' });
}

describe('the first command in a clone', () => {
  it.each(sampled(['0.12.18', '18.20.4', '20.18.3'], 3))('tells Node %s on one line that it is too old', (version) => {
    const { status, stdout, stderr } = runAs(version, 'nothing');
    expect({ status, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
      status: 1,
      stdout: '',
      lines: [expect.stringMatching(`^Vitrine needs Node 20\\.19 or later; this is ${version.replaceAll('.', '\\.')}\\.`)],
    });
  });

  it.each(sampled(['20.19.0', '22.0.0', '26.1.0'], 3))('lets Node %s in', (version) => {
    const { status, stderr } = runAs(version, 'nothing');
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('Unknown command') });
  });

  it('asks for the same Node as the manifest', () => {
    expect(manifest.engines.node).toBe('>=20.19.0');
  });

  // exec: without it a signal to npm ends the shell between them, and the program would never hear of it.
  it('goes through one script that needs nothing installed', () => {
    const direct = Object.keys(manifest.scripts).filter((name) => !['format', 'lint', 'postinstall'].includes(name));
    // The server runs in the same process, so it needs its option there.
    const optionsOf = (name: string) => (name === 'start' ? '--max-semi-space-size=4 --v8-pool-size=2 ' : '');
    expect(direct.filter((name) => manifest.scripts[name] !== `exec node ${optionsOf(name)}scripts/run.cjs ${name}`)).toEqual([]);
  });
});

describe('a tree that was made ready to deploy', () => {
  const REMEMBER = `const { stamp, dependenciesFingerprint } = require('./scripts/fingerprint.cjs');
    stamp('node_modules/.vitrine-installed').write(dependenciesFingerprint());`;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    for (const name of ['scripts', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
    for (const name of ['packages', 'apps', 'bin', 'node_modules/.pnpm']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['npm', 'npx']) writeFileSync(join(folder, 'bin', name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    spawnSync(process.execPath, ['-e', REMEMBER], { cwd: folder });
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const INSTALLS = { status: 1, stdout: '', stderr: expect.stringMatching(/^Installing dependencies with pnpm@[0-9.]+ \.\.\. failed/) as string };

  function run(command: string) {
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.cjs', command], { cwd: folder, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  /** Adds two compiled programs, and the sources of one package. */
  function compile() {
    for (const name of ['apps/http', 'apps/collector', 'test-support']) {
      mkdirSync(join(folder, name, 'dist'), { recursive: true });
      writeFileSync(join(folder, name, 'package.json'), '{}');
      writeFileSync(join(folder, name, 'dist/main.js'), 'console.log("runs");\n');
    }
    mkdirSync(join(folder, 'test-support/src'));
    spawnSync(process.execPath, ['-e', REMEMBER], { cwd: folder });
  }

  it.each(sampled(['start', 'test'], 2))('gets back what builds and tests: %s', (command) => {
    expect(run(command)).toEqual(INSTALLS);
  });

  it.each(sampled(['start', 'vitrine'], 2))(
    'runs as it is, and writes nothing, where it was copied without hidden files or without sources: %s',
    (command) => {
      compile();
      const runs = { status: 0, stdout: 'runs\n', stderr: '' };
      const files = readdirSync(folder, { recursive: true });
      expect(run(command)).toEqual(runs);
      expect(readdirSync(folder, { recursive: true })).toEqual(files);
      // As in the image, which has no benchmarks either, so that its packages are others than the ones installed.
      rmSync(join(folder, 'test-support/src'), { recursive: true });
      rmSync(join(folder, 'node_modules/.vitrine-installed'));
      expect(run(command)).toEqual(runs);
    },
  );

  it.each(
    sampled<readonly [string, () => void]>(
      [
        ['a clone', () => mkdirSync(join(folder, '.git'))],
        ['a clone without sources', () => [mkdirSync(join(folder, '.git')), rmSync(join(folder, 'test-support/src'), { recursive: true })]],
        ['a copy that is not compiled', () => rmSync(join(folder, 'apps/http/dist'), { recursive: true })],
        [
          'a copy that was compiled for other sources',
          () => [mkdirSync(join(folder, '.cache')), writeFileSync(join(folder, '.cache/built'), 'others')],
        ],
        ['a copy over which another version was copied', () => writeFileSync(join(folder, 'apps/http/package.json'), '{"version":"2.0.0"}')],
      ],
      3,
    ),
  )('installs and compiles in %s', (_name, change) => {
    compile();
    change();
    for (const command of ['start', 'vitrine']) expect(run(command)).toEqual(INSTALLS);
  });
});

describe('npm install', () => {
  const afterInstall = (agent: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    for (const name of ['scripts', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
    for (const name of ['packages', 'apps', 'bin']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'bin', 'npm'), '#!/bin/sh\necho asked for $2\nexit 1\n', { mode: 0o755 });
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, npm_config_user_agent: agent };
    const { status, stderr } = spawnSync(process.execPath, ['scripts/after-install.cjs'], { cwd: folder, env, encoding: 'utf8' });
    const left = readdirSync(folder).includes('package-lock.json');
    rmSync(folder, { recursive: true });
    return { status, stderr, left };
  };

  it('says that it is not needed, removes its lockfile, and lets the pinned package manager install', () => {
    expect(afterInstall('npm/11.6.0 node/v20.19.0 linux x64')).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^You do not need npm install: .*\nInstalling dependencies with pnpm@[\d.]+ \.\.\. failed\n/),
      left: false,
    });
  });

  it('does nothing when the pinned package manager is the one that installs', () => {
    expect(afterInstall('pnpm/10.34.9 npm/? node/v20.19.0 linux x64')).toEqual({ status: 0, stderr: '', left: true });
  });
});

describe('the package manager', () => {
  const ARCHIVE = 'an archive of a package manager';
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
    mkdirSync(join(folder, 'bin'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Installs with an npm that gives the archive, and unpacks it. npm and what was unpacked note how they were called. */
  function install(sha512: string) {
    const program = `require('node:fs').appendFileSync('calls', 'pnpm ' + process.argv.slice(2).join(' ') + '\\n');`;
    const npm = `#!/bin/sh
echo npm "$@" >> calls
if [ "$1" = pack ]; then printf '%s' '${ARCHIVE}' > .cache/pnpm-1.2.3.tgz; exit; fi
mkdir -p "$3/node_modules/pnpm"
printf '%s' '{ "bin": { "pnpm": "pnpm.cjs" } }' > "$3/node_modules/pnpm/package.json"
printf '%s' "${program}" > "$3/node_modules/pnpm/pnpm.cjs"
`;
    writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ packageManager: `pnpm@1.2.3+sha512.${sha512}` }));
    writeFileSync(join(folder, 'calls'), '');
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    const run = "require('./scripts/package-manager.cjs').runPackageManager(['install']).then((result) => console.log(JSON.stringify(result)))";
    const { stdout } = spawnSync(process.execPath, ['-e', run], { cwd: folder, env, encoding: 'utf8' });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    return { ...(JSON.parse(stdout) as { ok: boolean; output: string }), calls: calls.map((call) => call.split(' ').slice(0, 2).join(' ')) };
  }

  const right = createHash('sha512').update(ARCHIVE).digest('hex');

  it('runs from the archive whose checksum package.json pins, which is fetched and unpacked once', () => {
    expect(install(right)).toMatchObject({ ok: true, calls: ['npm pack', 'npm install', 'pnpm install'] });
    expect(install(right).calls).toEqual(['pnpm install']);
    expect(readdirSync(join(folder, '.cache')).sort()).toEqual([`pnpm-1.2.3-${right.slice(0, 16)}`, 'pnpm-1.2.3.tgz']);
  });

  it('is not run when its checksum is another, and the message says so', () => {
    const wrong = '0'.repeat(128);
    for (let time = 0; time < 2; time++) {
      const { ok, output, calls } = install(wrong);
      expect([ok, calls]).toEqual([false, ['npm pack']]);
      expect(output).toContain(right);
      expect(output).toContain(`package.json pins ${wrong}`);
    }
  });

  it('is fetched again when the archive in the folder was changed before it was unpacked', () => {
    mkdirSync(join(folder, '.cache'), { recursive: true });
    writeFileSync(join(folder, '.cache', 'pnpm-1.2.3.tgz'), 'another archive');
    expect(install(right)).toMatchObject({ ok: true, calls: ['npm pack', 'npm install', 'pnpm install'] });
  });

  it('is unpacked anew when package.json pins another archive', () => {
    install(right);
    expect(install('0'.repeat(128))).toMatchObject({ ok: false, calls: ['npm pack'] });
  });

  it('is pinned with its checksum', () => {
    expect(manifest.packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
  });
});

describe('the tools', () => {
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8').split('\nsnapshots:')[0] ?? '';
  const locked = (names: string) => [...lockfile.matchAll(new RegExp(`^  '?((?:${names})@[^'(:]+)'?:$`, 'gmu'))].map(([, tool]) => tool);

  it('are one compiler of types, one compiler of tests, one linter and one formatter', () => {
    const { devDependencies = {} } = manifest;
    const pinned = ['@swc/core', 'oxfmt', 'oxlint', 'typescript'].map((name) => `${name}@${devDependencies[name] ?? ''}`);
    const names = 'typescript|@typescript/native-preview|oxlint|eslint|@redocly/cli|oxfmt|prettier|@swc/core|esbuild|ts-jest|tsx';
    // The checker of the packed packages reads them with this one.
    const own = ['typescript@5.6.1-rc'];
    expect(locked(names).sort()).toEqual([...pinned, ...own].sort());
  });
});

describe('a dependency', () => {
  const manifests = [
    'package.json',
    ...['core', 'config', 'adapters-memory', 'adapters-mongo', 'adapters-sqlite', 'collector', 'pages', 'feeds'].map(
      (name) => `packages/${name}/package.json`,
    ),
    'apps/http/package.json',
    'apps/collector/package.json',
    'test-support/package.json',
    'bench/package.json',
    'bench/peers/lighthouse/package.json',
  ];
  const read = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8'));

  it.each(manifests)('of %s is pinned to one version', (file) => {
    const { dependencies = {}, devDependencies = {} } = read(file);
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(workspace:\*|(npm:[a-z-]+@)?\d+\.\d+\.\d+)$/u.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('never enters the core', () => {
    expect(read('packages/core/package.json').dependencies ?? {}).toEqual({});
  });

  it.each([
    ['apps/http/package.json', 'zod'],
    ['packages/config/package.json', 'class-validator'],
    ['packages/collector/package.json', 'class-validator'],
  ])('of %s is not %s: each edge has one validator', (file, validator) => {
    expect(Object.keys(read(file).dependencies ?? {})).not.toContain(validator);
  });

  it('of others joins the HTTP app only up to ten', () => {
    const names = Object.keys(read('apps/http/package.json').dependencies ?? {}).filter((name) => !name.startsWith('@vitrine/'));
    expect(names.length).toBeLessThanOrEqual(10);
  });
});
