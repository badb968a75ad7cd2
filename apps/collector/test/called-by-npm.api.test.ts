import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itInTorture } from '@vitrine/test-support';

const root = join(__dirname, '..', '..', '..');
const LINE = '{"kind": "news", "id": "a", "deleted": true}\n';

describe('a command that npm starts in the folder of the workspace', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-npm-'));
    mkdirSync(join(folder, '.vitrine'));
    writeFileSync(join(folder, 'own.yaml'), 'approved: [acme/widget]\n');
    writeFileSync(join(folder, 'a.ndjson'), LINE);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (command: string, args: readonly string[], variables: Readonly<Record<string, string>>) => {
    const env = { PATH: process.env['PATH'], HOME: folder, npm_lifecycle_event: command, INIT_CWD: folder, ...variables };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.cjs', command, ...args], { cwd: root, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('finds its files and VITRINE_CONFIG in the folder where npm was called', () => {
    expect(run('vitrine', ['import', 'a.ndjson'], { VITRINE_CONFIG: 'own.yaml' })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^a\.ndjson: 1 line, /),
    });
    expect(readdirSync(join(folder, '.vitrine'))).toContain('vitrine.db');
  });

  itInTorture('still uses the configuration of the workspace if VITRINE_CONFIG is not set', () => {
    expect(run('vitrine', ['check'], {}).stdout).toContain('Shows vitrine/vitrine.');
  });

  itInTorture('finds the configuration of a server there', () => {
    writeFileSync(join(folder, 'bad.yaml'), 'approved: 3\n');
    const { status, stderr } = run('start', [], { VITRINE_CONFIG: 'bad.yaml' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('bad.yaml:1: approved: 3 is not a list')]);
  });

  itInTorture('stays in its folder when something else started it', () => {
    const { status, stderr } = run('vitrine', ['check'], { VITRINE_CONFIG: 'own.yaml', npm_lifecycle_event: 'test' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('own.yaml: cannot be read (ENOENT)')]);
  });
});
