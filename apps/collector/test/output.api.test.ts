import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from './support/command-line.js';

const MAIN = join(__dirname, '../dist/main.js');
/** Their lines have more than the 1 MiB of log lines that may wait for a reader. */
const REPOSITORIES = 12_000;

describe('the standard output of a command', () => {
  const names = Array.from({ length: REPOSITORIES }, (_, index) => `acme/${'widget'.repeat(14)}-${String(index)}`);
  const line = new CommandLine(`approved: [${names.join(', ')}]\n`, {});
  const all = ['vitrine.yaml can be used.', ...names.map((name) => `Shows ${name}.`)];
  afterAll(() => {
    rmSync(line.folder, { recursive: true });
  });

  /** The exit code and standard error of a shell command in which `vitrine` runs the program, and the file `out` that it may write. */
  function shell(command: string) {
    const env = { PATH: process.env['PATH'] };
    const script = `vitrine() { "$0" ${JSON.stringify(MAIN)} "$@"; }; ${command}`;
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath], { cwd: line.folder, env, encoding: 'utf8' });
    return { status, stderr, written: () => readFileSync(line.path('out'), 'utf8').split('\n') };
  }

  it.each(['vitrine check > out', 'vitrine check | cat > out'])('is complete: %s', (command) => {
    const { status, stderr, written } = shell(command);
    expect([status, stderr]).toEqual([0, '']);
    expect(written().filter((text) => text.startsWith('Shows ') || text.endsWith('used.'))).toEqual(all);
  });

  it.each(['vitrine check > /dev/full', 'vitrine collect > out; vitrine export - > /dev/full'])(
    'that cannot be written is reported: %s',
    (command) => {
      expect(shell(command)).toMatchObject({
        status: 2,
        stderr: 'standard output cannot be written, because the disk is full; free space\n',
      });
    },
  );

  it('that can be written in part is reported', () => {
    expect(shell('ulimit -f 64; vitrine check > out')).toMatchObject({
      status: 2,
      stderr: 'standard output cannot be written, because files may not become so large; raise the limit (ulimit -f)\n',
    });
  });

  it('may be read in part', () => {
    expect(shell('{ vitrine check; echo "code $?" >&2; } | head -n 1')).toMatchObject({ status: 0, stderr: 'code 0\n' });
  });
});
