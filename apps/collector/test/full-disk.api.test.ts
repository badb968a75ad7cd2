import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
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

describe('a command whose data folder cannot be written', () => {
  let line: CommandLine;
  beforeEach(() => {
    line = new CommandLine('approved: [acme/widget]\nsources:\n  - records: in.ndjson\n  - records: other.ndjson\n', {});
    for (const name of ['in.ndjson', 'other.ndjson']) line.write(name, '');
  });
  afterEach(() => {
    rmSync(line.folder, { recursive: true });
  });

  function limited(...args: readonly string[]) {
    const shell = `ulimit -f ${String(LIMIT)}; exec "$0" "$@"`;
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: line.path('vitrine.yaml') };
    const { status, stderr } = spawnSync('sh', ['-c', shell, process.execPath, MAIN, ...args], { env, encoding: 'utf8' });
    return [status, stderr.trimEnd()];
  }

  it.each(sampled(COMMANDS, 2))('exits %s with 3, says how to fix it, and can be run again', async (command, args) => {
    expect([await line.run('collect'), line.err]).toEqual([0, []]);
    for (const name of ['in.ndjson', 'other.ndjson']) copyFileSync(EXAMPLE, line.path(name));
    const message = /^The data folder .*\.vitrine cannot be written: .*\. Free space on its disk .* then run the command again\. .*$/;
    expect(limited(command, ...args)).toEqual([3, expect.stringMatching(message)]);
    expect([await line.run(command, ...args), line.err]).toEqual([0, []]);
  });
});
