import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { itInTorture } from '../../../test-support/src/torture.ts';
import { root } from '../planted-tree.js';
import { asCommonJs, asJavaScript, entriesOf, examplesIn, expectedLog, type Example } from './examples.js';
import { LoopbackRegistry } from './loopback-registry.js';
import { pack, publicPackages } from '../../../scripts/pack.cjs';

/** Documents whose code is run, and those whose code needs a database: that is type-checked here, and run by `readme.mongo.test.ts`. */
const RUN = [
  'packages/core/README.md',
  'packages/adapters-memory/README.md',
  'packages/adapters-sqlite/README.md',
  'packages/config/README.md',
  'packages/pages/README.md',
  'packages/collector/README.md',
  'packages/feeds/README.md',
  'apps/http/README.md',
  'docs/guides/embed-the-core.md',
  'docs/guides/test-a-rule.md',
  'docs/guides/write-an-adapter.md',
  'docs/guides/write-a-source.md',
];
const COMPILED = ['packages/adapters-mongo/README.md'];
const isTorture = process.env['VITRINE_TORTURE'] === '1';
/** A normal run only compiles these: they load the most packages, and others of the list load the rest. */
const SLOW = ['packages/config/README.md', 'packages/collector/README.md', 'docs/guides/embed-the-core.md', 'docs/guides/write-a-source.md'];
const run = RUN.filter((document) => isTorture || !SLOW.includes(document)).flatMap(examplesIn);
const PACKAGES = publicPackages();
const HTTP = 'apps/http';
/** One with files besides its code, whose parts can be loaded by themselves, and one with packages that only some users need. */
const PACKED = isTorture ? PACKAGES : ['packages/pages', HTTP];
const examples = [...RUN.flatMap(examplesIn), ...COMPILED.flatMap(examplesIn), entriesOf(PACKAGES)];

/** How a project may be compiled, and what its files are called. A normal run tries the last one. */
const SETTINGS = {
  'nodenext, ES modules and CommonJS': { module: 'nodenext', endings: ['mts', 'cts'] },
  'node16, ES modules': { module: 'node16', endings: ['mts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', endings: ['ts'] },
} as const;

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const MISTAKE: Example = { place: 'mistake', code: "import { uptimeOf } from '@vitrine/core';\nuptimeOf({ operational: '1' });\n" };

const workspace = mkdtempSync(join(tmpdir(), 'vitrine-packages-'));
const project = join(workspace, 'project');
let tarballs: readonly string[] = [];

function command(name: string, args: readonly string[], folder = project) {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr, stdout };
}

const tool = (script: string, ...args: readonly string[]) => command(process.execPath, [join(root, 'node_modules', script), ...args]);

/** A project that a user might have: a git repository with a records file. */
function makeProject(): void {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n');
  const news = readFileSync(join(root, 'examples/demo.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"kind":"news"'));
  writeFileSync(join(project, 'records.ndjson'), news.join('\n'));
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  expect(command('git', ['init', '--quiet', '--initial-branch=main']).status).toBe(0);
  expect(command('git', [...identity, 'commit', '--quiet', '--allow-empty', '-m', 'Add the first widget']).status).toBe(0);
}

/** Puts the built packages where npm would put them: a sample of what {@link install} does, without npm. */
function link(): void {
  const modules = join(project, 'node_modules');
  const linked = (name: string, target: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(target, join(modules, name));
  };
  for (const folder of PACKAGES)
    linked((JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string }).name, join(root, folder));
  for (const name of ['fast-check', '@types/node', '@types/jest']) linked(name, join(root, 'node_modules', name));
  linked('expect', dirname(createRequire(realpathSync(join(root, 'node_modules/@types/jest/package.json'))).resolve('expect/package.json')));
}

/** Plain npm, with nothing but what a registry serves and the tarballs. */
async function install(wanted: readonly string[], folder = project): Promise<void> {
  const registry = new LoopbackRegistry(join(root, 'node_modules/.pnpm'));
  const address = await registry.listen();
  const flags = ['--no-audit', '--no-fund', '--registry', address, '--cache', join(workspace, 'cache')];
  await promisify(execFile)('npm', ['install', ...flags, ...wanted], { cwd: folder }).finally(() => registry.close());
}

/** A project with the packed `@vitrine/http`, its dependencies and nothing else. Without torture, the dependencies are linked. */
async function makeMinimalProject(): Promise<string> {
  const folder = join(workspace, 'minimal');
  const target = join(folder, 'node_modules/@vitrine/http');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "minimal", "private": true, "type": "module" }\n');
  const { name, dependencies } = JSON.parse(readFileSync(join(root, HTTP, 'package.json'), 'utf8')) as Manifest;
  const tarballOf = (packageName: string) => tarballs.find((tarball) => tarball.includes(`/${packageName.slice(1).replace('/', '-')}-0`));
  if (isTorture) {
    await install(
      [name, ...Object.keys(dependencies)].flatMap((one) => tarballOf(one) ?? []),
      folder,
    );
    return folder;
  }
  command('tar', ['-xzf', tarballOf(name) ?? '', '--strip-components=1', '-C', target]);
  for (const dependency of Object.keys(dependencies)) {
    const place = join(folder, 'node_modules', dependency);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(realpathSync(join(root, HTTP, 'node_modules', dependency)), place);
  }
  return folder;
}

beforeAll(async () => {
  makeProject();
  tarballs = await pack(join(workspace, 'packed'), PACKED);
  if (isTorture) await install([...tarballs, 'fast-check@*', 'expect@*', '@types/node@*', '@types/jest@*']);
  else link();
});

afterAll(() => {
  rmSync(workspace, { recursive: true, force: true });
});

describe('a packed package', () => {
  it('is never written into a folder whose name is an option', async () => {
    await expect(pack('--help')).rejects.toThrow('Usage: npm run pack -- [FOLDER]. The default folder is "packed".');
  });

  it('holds what it needs and nothing else', () => {
    expect(tarballs).toHaveLength(PACKED.length);
    for (const tarball of tarballs) {
      const files = command('tar', ['-tzf', tarball]).stdout.trim().split('\n');
      expect(files).toEqual(expect.arrayContaining(['package/package.json', 'package/README.md', 'package/LICENSE', 'package/dist/index.d.ts']));
      expect(
        files.filter(
          (file) =>
            !/^package\/(package\.json|README\.md|LICENSE|dist\/.*\.(js|d\.ts)|assets\/((script|read-out)\.js|style\.css|font\/dejavu-[\w-]+\.(ttf|txt))|src\/testing\/vectors\/[\w-]+\.json)$/.test(
              file,
            ),
        ),
      ).toEqual([]);
      expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
    }
  });

  it('names no other package by its place in the workspace', () => {
    for (const tarball of tarballs) {
      const manifest = command('tar', ['-xzOf', tarball, 'package/package.json']).stdout;
      expect(manifest).not.toMatch(/workspace:|@vitrine\/source/);
      expect(JSON.parse(manifest)).toMatchObject({
        engines: { node: '^20.19.0 || >=22.12.0' },
        license: 'Apache-2.0',
        type: 'module',
        repository: { type: 'git' },
      });
    }
  });

  // Both read every file of every package.
  if (isTorture)
    it('has nothing to object to for publint, and for attw as a package of ES modules', () => {
      const { stdout, output } = command(process.execPath, [join(__dirname, 'check-tarballs.mjs'), ...tarballs]);
      expect([output, JSON.parse(stdout)]).toEqual([stdout, tarballs.map(() => ({ publint: [], attw: [] }))]);
    });
});

describe('an installed package', () => {
  it.each(Object.entries(SETTINGS).slice(isTorture ? 0 : -1))('has types that hold with %s', (_name, { endings, ...options }) => {
    const folder = join(project, `types-${options.module}`);
    mkdirSync(folder);
    const all = [...examples, MISTAKE];
    for (const ending of endings) {
      const code = (example: Example) => (ending === 'cts' ? asCommonJs(example) : example.code);
      for (const [index, example] of all.entries()) writeFileSync(join(folder, `example-${String(index)}.${ending}`), code(example));
    }
    const compilerOptions = { target: 'es2023', strict: true, noEmit: true, skipLibCheck: !isTorture, types: ['node', 'jest'], ...options };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    // Several threads would check some types several times.
    const { output } = tool('typescript/bin/tsc', '-p', folder, '--pretty', 'false', '--singleThreaded');
    const problems = output.trim().split(/\n(?=\S)/u);
    const mistakes = [...endings].sort().map((ending) => `example-${String(all.length - 1)}.${ending}(${ending === 'cts' ? '4' : '2'},12): error`);
    expect(problems.sort()).toEqual(mistakes.map((mistake) => expect.stringContaining(mistake) as string));
  });

  it.each(isTorture ? (['es6', 'commonjs'] as const) : (['es6'] as const))('runs the code of the documents: %s', (type) => {
    const folder = join(project, type);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: type === 'es6' ? 'module' : 'commonjs' }));
    for (const [index, example] of run.entries())
      writeFileSync(join(folder, `example-${String(index)}.js`), asJavaScript(type === 'es6' ? example.code : asCommonJs(example), type));
    const runner = readFileSync(join(__dirname, 'run-examples.mjs'), 'utf8');
    writeFileSync(join(project, 'run-examples.mjs'), runner);
    const { status, output, stdout } = command(process.execPath, ['run-examples.mjs', type, String(run.length), String(isTorture ? 1 : 100)]);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    const results = JSON.parse(stdout) as { logged: string[]; cases: number }[];
    for (const [index, example] of run.entries()) {
      const { logged, cases } = results[index] ?? { logged: ['nothing was run'], cases: 0 };
      expect({ place: example.place, logged }).toEqual({ place: example.place, logged: expectedLog(example) });
      expect({ place: example.place, hasCases: cases > 0 }).toEqual({ place: example.place, hasCases: /^ *it\(/m.test(example.code) });
    }
  });

  it('gives its vectors', () => {
    const script = "import v from '@vitrine/core/testing/vectors/uptime.json' with { type: 'json' }; console.log(JSON.stringify(v).length > 100);";
    expect(command(process.execPath, ['--input-type=module', '-e', script])).toMatchObject({ status: 0, stdout: 'true\n' });
  });
});

describe('@vitrine/http without MongoDB and without the collector', () => {
  const NEEDS = (name: string) =>
    expect.stringContaining(`needs the package ${name}, which is not installed. Install it: npm install ${name}`) as string;
  let folder: string;

  beforeAll(async () => {
    folder = await makeMinimalProject();
  });

  it('has neither of them among its dependencies', () => {
    expect(existsSync(join(folder, 'node_modules/@vitrine/core'))).toBe(true);
    for (const name of ['collector', 'adapters-mongo']) expect(existsSync(join(folder, 'node_modules/@vitrine', name))).toBe(false);
  });

  // Every run does this with all packages beside it.
  itInTorture('runs the code of its document', () => {
    const [example] = examplesIn('apps/http/README.md');
    if (example === undefined) throw new Error('it has none');
    writeFileSync(join(folder, 'example.js'), asJavaScript(example.code, 'es6'));
    expect(command(process.execPath, ['example.js'], folder)).toMatchObject({ status: 0, stdout: `${expectedLog(example).join('\n')}\n` });
  });

  it('names the package that a store on MongoDB needs, and the one that the server needs', () => {
    const code = `import { openStore } from '@vitrine/http/store';
      const config = { kind: 'mongodb', uri: 'mongodb://127.0.0.1:1/vitrine', hosts: '127.0.0.1:1', retentionMs: 1 };
      await openStore(config, { clock: Date }).catch((error) => console.log(error.message));`;
    const opened = command(process.execPath, ['--input-type=module', '-e', code], folder);
    expect(opened).toMatchObject({ status: 0, output: NEEDS('@vitrine/adapters-mongo') });
    const started = command(process.execPath, [join(folder, 'node_modules/@vitrine/http/dist/main.js')], folder);
    expect(started).toMatchObject({ status: 2, output: NEEDS('@vitrine/collector') });
    expect(started.output.trim().split('\n')).toHaveLength(1);
  });
});

describe('the documents', () => {
  it('hold code, every one of them', () => {
    expect([...RUN, ...COMPILED].filter((document) => !examples.some(({ place }) => place.startsWith(document)))).toEqual([]);
  });
});
