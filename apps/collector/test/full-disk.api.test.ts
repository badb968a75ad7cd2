import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sampled } from '@vitrine/test-support';
import { CommandLine } from './support/command-line.js';

const MAIN = join(__dirname, '../dist/main.js');
const EXAMPLE = join(__dirname, '../../../examples/records.ndjson');
/** Files may have 32 KiB: enough to open a store and to take its lease, and too little for the records. In the blocks of the shell. */
const LIMIT = 64;
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['import', [EXAMPLE]],
  ['collect', []],
];

describe('a command whose files cannot be written', () => {
  let line: CommandLine;
  beforeEach(() => {
    line = new CommandLine('approved: [acme/widget]\nsources:\n  - records: in.ndjson\n  - records: other.ndjson\n', {});
    for (const name of ['in.ndjson', 'other.ndjson']) line.write(name, '');
  });
  afterEach(() => {
    rmSync(line.folder, { recursive: true });
  });

  function limited(...args: readonly string[]) {
    return ended(`ulimit -f ${String(LIMIT)}; exec "$0" "$@"`, ...args);
  }

  function ended(shell: string, ...args: readonly string[]) {
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: line.path('vitrine.yaml') };
    const { status, stderr } = spawnSync('sh', ['-c', shell, process.execPath, MAIN, ...args], { env, encoding: 'utf8' });
    return [status, stderr.trimEnd()];
  }

  it('exits backup with 2 if the disk of the copy is full', async () => {
    mkdirSync(line.path('small'));
    const mounted = `mount -t tmpfs -o size=64k tmpfs ${line.path('small')} && exec`;
    if (spawnSync('unshare', ['-m', 'sh', '-c', `${mounted} true`]).status !== 0) {
      process.stderr.write('NOT RUN: a backup onto a full disk, because this user may not mount a small one\n');
      return;
    }
    expect(await line.run('collect')).toBe(0);
    const file = line.path('small/backup.db');
    const message = `${file} cannot be written, because the disk is full; free space`;
    expect(ended(`exec unshare -m sh -c '${mounted} "$0" "$@"' "$0" "$@"`, 'backup', file)).toEqual([2, message]);
  });

  it('exits backup with 2 and names the file if the copy cannot be written', async () => {
    expect(await line.run('collect')).toBe(0);
    const file = line.path('backup.db');
    expect(limited('backup', file)).toEqual([2, expect.stringContaining(`${file} cannot be written; check its disk`)]);
    expect(existsSync(file)).toBe(false);
  });

  it.each(sampled(COMMANDS, 2))('exits %s with 3, says how to fix it, and can be run again', async (command, args) => {
    expect([await line.run('collect'), line.err]).toEqual([0, []]);
    for (const name of ['in.ndjson', 'other.ndjson']) copyFileSync(EXAMPLE, line.path(name));
    const message = /^The data folder .*\.vitrine cannot be written: .*\. Free space on its disk .* then run the command again\. .*$/;
    expect(limited(command, ...args)).toEqual([3, expect.stringMatching(message)]);
    expect([await line.run(command, ...args), line.err]).toEqual([0, []]);
  });
});
