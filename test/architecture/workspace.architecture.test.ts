import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import removeStale from '../../scripts/remove-stale.cjs';
import { isTorture, sampled } from '../../test-support/src/torture.ts';
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
  let folder: string;

  /** Notes that what the manifests name is installed. */
  function remember(): void {
    const { stamp, dependenciesFingerprint } = createRequire(__filename)(
      join(folder, 'scripts/fingerprint.cjs'),
    ) as typeof import('../../scripts/fingerprint.cjs');
    stamp('node_modules/.vitrine-installed').write(dependenciesFingerprint());
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    for (const name of ['scripts', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
    for (const name of ['packages', 'apps', 'bin', 'node_modules/.pnpm']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['npm', 'npx']) writeFileSync(join(folder, 'bin', name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    remember();
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
    remember();
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
      5,
    ),
  )('installs and compiles in %s', (_name, change) => {
    compile();
    change();
    for (const command of isTorture ? ['start', 'vitrine'] : ['start']) expect(run(command)).toEqual(INSTALLS);
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
  let folder: string;
  let archive: Buffer;
  let registry: Server;
  let requests: string[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
    mkdirSync(join(folder, 'package'));
    const published = { name: 'pnpm', version: '1.2.3', bin: { pnpm: 'pnpm.cjs' } };
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify(published));
    writeFileSync(join(folder, 'package/pnpm.cjs'), "console.log('ran', ...process.argv.slice(2));");
    archive = execFileSync('tar', ['-cz', 'package'], { cwd: folder });
    requests = [];
    registry = createServer(({ url = '', headers }, response) => {
      requests.push(url);
      const dist = { tarball: `http://${headers.host ?? ''}/pnpm.tgz` };
      response.end(url === '/pnpm.tgz' ? archive : JSON.stringify({ name: 'pnpm', versions: { '1.2.3': { ...published, dist } } }));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });

  afterEach(() => {
    registry.closeAllConnections();
    registry.close();
    rmSync(folder, { recursive: true });
  });

  const RUN = `const fs = require('node:fs');
    const { runPackageManager } = require('./scripts/package-manager.cjs');
    const run = async (checksums) => {
      for (const checksum of checksums) {
        fs.writeFileSync('package.json', JSON.stringify({ packageManager: 'pnpm@1.2.3+sha512.' + checksum }));
        const { ok, output } = await runPackageManager(['install']);
        console.log(JSON.stringify({ ok, output, installed: fs.readdirSync('.cache') }));
      }
    };
    run(process.argv.slice(1));`;

  /** Lets npm install it from the registry with each checksum, one after the other, and runs it. */
  async function install(...checksums: readonly string[]) {
    const { port } = registry.address() as AddressInfo;
    const npm = { npm_config_registry: `http://127.0.0.1:${String(port)}/`, npm_config_cache: join(folder, 'cache'), npm_config_fetch_retries: '0' };
    const env = { ...process.env, ...npm };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', RUN, ...checksums], { cwd: folder, env });
    return stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  }

  it('is installed once, and only with the checksum that package.json pins', async () => {
    const right = createHash('sha512').update(archive).digest('hex');
    const ran = { ok: true, output: 'ran install\n', installed: [`pnpm-1.2.3-${right.slice(0, 16)}`] };
    expect(await install('0'.repeat(128), right)).toEqual([{ ok: false, output: expect.stringContaining('EINTEGRITY'), installed: [] }, ran]);
    expect(requests.splice(0)).not.toEqual([]);
    expect([await install(right), requests]).toEqual([[ran], []]);
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

describe('a build', () => {
  it('removes what was compiled from files that no longer exist, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-stale-'));
    const write = (name: string) => {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), '');
    };
    const kept = ['dist/.tsbuildinfo', 'dist/a.d.ts', 'dist/a.js', 'dist/a.js.map', 'dist/data.json', 'dist/deep/page.js'];
    for (const name of ['src/a.ts', 'src/deep/page.tsx', ...kept, 'dist/gone.js', 'dist/gone.d.ts.map', 'dist/deep/gone.d.ts']) write(name);
    removeStale(folder);
    const left = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).map((name) => `dist/${name}`);
    expect(left.filter((name) => name !== 'dist/deep').sort()).toEqual(kept);
    rmSync(folder, { recursive: true });
  });
});
