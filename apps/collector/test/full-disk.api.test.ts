import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTorture } from '@vitrine/test-support';

const MAIN = join(__dirname, '../dist/main.js');
const EXAMPLE = join(__dirname, '../../../examples/records.ndjson');
/** Files may have 32 KiB: enough to open a store and to take its lease, and too little for the records. In the blocks of the shell. */
const LIMIT = 64;
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['import', [EXAMPLE]],
  ['collect', []],
];

describe('a command whose data folder cannot be written', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-full-'));
    writeFileSync(join(folder, 'vitrine.yaml'), 'approved: [acme/widget]\nsources:\n  - records: in.ndjson\n  - records: other.ndjson\n');
    for (const name of ['in.ndjson', 'other.ndjson']) writeFileSync(join(folder, name), '');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function vitrine(limit: number | null, ...args: readonly string[]) {
    const shell = limit === null ? 'exec "$0" "$@"' : `ulimit -f ${String(limit)}; exec "$0" "$@"`;
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: join(folder, 'vitrine.yaml') };
    const { status, stderr } = spawnSync('sh', ['-c', shell, process.execPath, MAIN, ...args], { env, encoding: 'utf8' });
    return [status, stderr.trimEnd()];
  }

  it.each(COMMANDS.slice(0, isTorture ? 2 : 1))('exits %s with 3, says how to fix it, and can be run again', (command, args) => {
    expect(vitrine(null, 'collect')).toEqual([0, '']);
    for (const name of ['in.ndjson', 'other.ndjson']) copyFileSync(EXAMPLE, join(folder, name));
    const line = /^The data folder .*\.vitrine cannot be written: .*\. Free space on its disk .* then run the command again\. .*$/;
    expect(vitrine(LIMIT, command, ...args)).toEqual([3, expect.stringMatching(line)]);
    expect(vitrine(null, command, ...args)).toEqual([0, '']);
  });
});
