import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './planted-tree.js';

const isTorture = process.env['VITRINE_TORTURE'] === '1';

const guide = readFileSync(join(root, 'docs/guides/deploy.md'), 'utf8');

/** The commands of the guide's blocks that have this word after the language. */
function commandsOf(word: string): readonly string[] {
  const blocks = [...guide.matchAll(/^```(sh[^\n]*)\n([^]*?)^```/gm)].filter(([, language]) => language === `sh ${word}`.trim());
  const lines = blocks.flatMap(([, , text = '']) => text.trim().split('\n'));
  return lines.map((line) => line.replace(/\s+#.*$/, ''));
}

/** What the Dockerfile removes after it has built and pruned. */
function removedFromImage(): readonly string[] {
  const removed = /npm run prune && rm -rf (.+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? '';
  expect(removed).toContain('test-support/src');
  return removed.split(' ');
}

/** A copy of what git would clone, with the changes that are not committed yet. */
function cloneInto(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
}

const canRun = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args, { timeout: 20_000 }).status === 0;

/** Whether the tool works here; elsewhere one line says which commands were not run. */
function isAvailable(works: boolean, tool: string): boolean {
  if (!works) process.stderr.write(`NOT RUN: the commands of docs/guides/deploy.md that need ${tool}, because it does not work here\n`);
  return works;
}

describe('docs/guides/deploy.md', () => {
  // It installs and compiles everything once more.
  if (isTorture)
    it('has commands that build, prune, start and back up Vitrine', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-deploy-'));
      try {
        cloneInto(folder);
        const [build = '', prune = '', start = ''] = commandsOf('');
        expect([build, prune, start]).toEqual(['npm run build', 'npm run prune', 'node apps/http/dist/main.js']);
        const env = { ...process.env, NODE_OPTIONS: '' };
        for (const command of [build, prune]) execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
        expect(Number(/^\d+/.exec(execFileSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' }))?.[0])).toBeLessThan(100);
        expect(await served(folder, start)).toEqual({ ready: 200, code: 0 });
        // The same folder as the image has it.
        for (const name of removedFromImage()) rmSync(join(folder, name), { recursive: true });
        const backup = commandsOf('backup').map((line) => line.replace('/etc/vitrine', folder).replace('/var/backups', folder));
        const { stdout, stderr } = spawnSync('sh', ['-c', backup.join('\n')], { cwd: folder, env, encoding: 'utf8' });
        expect([stdout, stderr]).toEqual([expect.stringMatching(/vitrine\.ndjson: \d+ records?\n$/), '']);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

  it('has a command that computes the purge key of a repository', () => {
    const command = commandsOf('').find((line) => line.startsWith('printf')) ?? '';
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim()).toBe('b9d71e86');
    expect(guide).toContain(`${command}   # b9d71e86`);
  });

  it('names a unit that systemd accepts', () => {
    const commands = commandsOf('systemd');
    expect(commands).toHaveLength(1);
    if (isAvailable(canRun('systemd-analyze', '--version'), 'systemd'))
      for (const command of commands) execFileSync('sh', ['-c', command], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  });

  it('has a command that builds the image', () => {
    const [build = ''] = commandsOf('docker');
    expect(build).toMatch(/^docker build /);
    if (isAvailable(canRun('docker', 'info'), 'Docker')) execFileSync('sh', ['-c', build], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  });
});

describe('what Vitrine is deployed with', () => {
  it('publishes ports to this machine only', () => {
    const compose = readFileSync(join(root, 'examples/compose.yaml'), 'utf8');
    const published = [
      ...commandsOf('docker')
        .join('\n')
        .matchAll(/--publish (\S+)/g),
      ...compose.matchAll(/ports: \['([^']+)'/g),
    ].map(([, port = '']) => port);
    expect(published).toHaveLength(2);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('does not restart a service whose configuration is invalid, which ends with 2', () => {
    expect(readFileSync(join(root, 'examples/vitrine.service'), 'utf8').split('\n')).toContain('RestartPreventExitStatus=2');
  });
});

describe('the options of Node', () => {
  it('are the same for npm start, in the image and in the systemd unit', () => {
    const unquoted = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll('"', '');
    const [, options = 'none'] = /start: exec node (--.+) scripts/.exec(unquoted('package.json')) ?? [];
    for (const file of ['Dockerfile', 'examples/vitrine.service', 'docs/guides/deploy.md'])
      expect(unquoted(file)).toContain(`NODE_OPTIONS=${options}`);
  });
});

describe('Dockerfile', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('has a first process that waits for the helpers of git, and passes signals on', () => {
    expect(last).toContain('ENTRYPOINT ["tini", "--"]');
    expect(last.join('\n')).toMatch(/apt-get install .* tini /);
  });

  it('makes an image that does not run as root, says whether it is healthy, and starts what the guide starts', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toHaveLength(2);
    expect(last).toEqual(expect.arrayContaining(['USER node', 'VOLUME /data', 'CMD ["node", "apps/http/dist/main.js"]']));
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
  });
});

/** Starts Vitrine with an empty store, asks whether it is ready, and stops it. */
async function served(folder: string, command: string): Promise<{ readonly ready: number; readonly code: number | null }> {
  writeFileSync(join(folder, 'vitrine.yaml'), 'approved: [acme/widget]\n');
  const env = { ...process.env, NODE_OPTIONS: '', HOST: '127.0.0.1', PORT: '0', VITRINE_CONFIG: join(folder, 'vitrine.yaml') };
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  try {
    let out = '';
    for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
      out += String(piece);
      if (/listens on \S+\n/.test(out)) break;
    }
    const { status } = await fetch(`${/listens on ([^\s"]+)/.exec(out)?.[1] ?? ''}/readyz`);
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return { ready: status, code };
  } finally {
    child.kill('SIGKILL');
  }
}
