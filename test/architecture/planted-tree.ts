import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

export const root = resolve(__dirname, '../..');

/** A file that breaks a rule, or (without findings) keeps all of them. */
export interface Plant {
  readonly file: string;
  readonly code: string;
}

/** One thing a tool said about a file. */
export interface Finding {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

const COPIED = ['package.json', 'pnpm-workspace.yaml', 'tsconfig.base.json', '.oxlintrc.json', 'scripts'];

const LEFT_OUT = new Set(['dist', 'test', '.bin', '.cache']);

function allPackages(): readonly string[] {
  const grouped = ['packages', 'apps'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)));
  return [...grouped, 'test-support'];
}

/**
 * The workspace's own sources, settings and package links in a folder of their own, where files can be planted while
 * builds, linters and editors work on the real tree. The rules are the real ones: `.oxlintrc.json` and each tsconfig are copied with it.
 */
export class PlantedTree {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-architecture-')));

  /** @param folders those of the packages to copy; by default all */
  constructor(plants: readonly Plant[], folders = allPackages()) {
    for (const name of COPIED) cpSync(join(root, name), join(this.folder, name), { recursive: true });
    for (const folder of folders) this.#copySources(folder);
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    for (const { file, code } of plants) this.#plant(file, code);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What the linter finds in these files, with its real configuration. @param isTyped also with the rules that need types */
  async lint(files: readonly string[], isTyped: boolean): Promise<readonly Finding[]> {
    const config = join(this.folder, '.oxlintrc.json');
    if (!isTyped) writeFileSync(config, readFileSync(config, 'utf8').replace('"typeAware": true', '"typeAware": false'));
    const output = await this.#run('oxlint/bin/oxlint', ['--format', 'json', ...files]);
    const { diagnostics }: { diagnostics: readonly { filename: string; code: string; message: string }[] } = JSON.parse(output);
    return diagnostics.map(({ filename, code, message }) => ({ file: filename, rule: code, message }));
  }

  /** What the compiler finds in a package, with its real tsconfig. It reads what the last build knows, so it checks only what is planted. */
  async compile(project: string): Promise<readonly Finding[]> {
    const known = join(project, 'dist/.tsbuildinfo');
    if (existsSync(join(root, known))) cpSync(join(root, known), join(this.folder, known));
    const output = await this.#run('typescript/bin/tsc', ['-p', project, '--noEmit', '--pretty', 'false']);
    return [...output.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+): (.*)$/gmu)].map(([, file = '', rule = '', message = '']) => ({
      file,
      rule,
      message,
    }));
  }

  #copySources(folder: string): void {
    if (!existsSync(join(root, folder, 'tsconfig.json'))) return;
    const filter = (source: string) => !LEFT_OUT.has(basename(source)) && !source.endsWith('.test.ts');
    cpSync(join(root, folder), join(this.folder, folder), { recursive: true, verbatimSymlinks: true, filter });
  }

  #plant(file: string, code: string): void {
    const target = join(this.folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }

  #run(script: string, args: readonly string[]): Promise<string> {
    const command = [join(root, 'node_modules', script), ...args];
    return new Promise((done, failed) => {
      execFile(process.execPath, command, { cwd: this.folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        // The tool leaves with 1 when it finds something, which is what they are here for.
        if (error !== null && stdout === '') failed(new Error(stderr, { cause: error }));
        else done(stdout);
      });
    });
  }
}
