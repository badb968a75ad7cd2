import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { itInTorture } from '@vitrine/test-support';
import { CommandLine } from './support/command-line.js';
import { COUNTING } from './support/counted-modules.js';

const root = join(__dirname, '..', '..', '..');
const CONFIGURATION = 'approved: [acme/widget]\nsources: [{ articles: help }]\n';
const LINE = '{"kind": "news", "id": "a", "deleted": true}\n';

describe('a command that npm starts in the folder of the workspace', () => {
  let line: CommandLine;
  beforeEach(() => {
    line = new CommandLine(CONFIGURATION, {});
    mkdirSync(line.path('help'));
    for (const [name, text] of [
      ['own.yaml', CONFIGURATION],
      ['help/a.md', '# A'],
      ['a.ndjson', LINE],
    ] as const)
      line.write(name, text);
  });
  afterEach(() => {
    rmSync(line.folder, { recursive: true });
  });

  /** How npm starts a command that was typed in the folder. */
  const inFolder = (command: string, variables: Readonly<Record<string, string>>) => {
    const { folder } = line;
    return { cwd: root, env: { PATH: process.env['PATH'], HOME: folder, npm_lifecycle_event: command, INIT_CWD: folder, ...variables } };
  };
  const run = (command: string, args: readonly string[], variables: Readonly<Record<string, string>>) => {
    const options = { ...inFolder(command, variables), encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.cjs', command, ...args], options);
    return { status, stdout, stderr };
  };

  it('finds VITRINE_CONFIG and its files in the folder where npm was called, loads no driver of a database, and ends well when it is stopped', async () => {
    const args = ['--import', COUNTING, 'scripts/run.cjs', 'vitrine', 'collect', '--watch'];
    const watching = spawn(process.execPath, args, inFolder('vitrine', { VITRINE_CONFIG: 'own.yaml' }));
    const closed = once(watching, 'close');
    let err = '';
    watching.stderr.on('data', (text: Buffer) => (err += text.toString()));
    try {
      for await (const text of createInterface({ input: watching.stdout })) if (text === 'article help: 1 stored, 0 unchanged, 0 removed') break;
      watching.kill('SIGTERM');
      // What has changed since the last build is built first, which npm says.
      expect([await closed, err.replace(/^Building .*\n/, '')]).toEqual([[0, null], '0\n']);
      // It has released the lease.
      expect([await line.run('collect', '--wait', '0s'), line.err]).toEqual([0, []]);
    } finally {
      watching.kill('SIGKILL');
    }
  });

  itInTorture('finds the files that its arguments name there', () => {
    expect(run('vitrine', ['import', 'a.ndjson'], { VITRINE_CONFIG: 'own.yaml' })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^a\.ndjson: 1 line, /),
    });
  });

  itInTorture('still uses the configuration of the workspace if VITRINE_CONFIG is not set', () => {
    expect(run('vitrine', ['check'], {}).stdout).toContain('Shows vitrine/vitrine.');
  });

  itInTorture('finds the configuration of a server there', () => {
    line.write('bad.yaml', 'approved: 3\n');
    const { status, stderr } = run('start', [], { VITRINE_CONFIG: 'bad.yaml' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('bad.yaml:1: approved: 3 is not a list')]);
  });

  itInTorture('stays in its folder when something else started it', () => {
    const { status, stderr } = run('vitrine', ['check'], { VITRINE_CONFIG: 'own.yaml', npm_lifecycle_event: 'test' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('own.yaml: cannot be read (ENOENT)')]);
  });
});
