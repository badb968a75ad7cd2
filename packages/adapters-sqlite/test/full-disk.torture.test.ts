import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compiledShim } from './compiled-shim.js';
import type { DiskReport } from './full-disk-process.js';

const isTorture = process.env['VITRINE_TORTURE'] === '1';
/** The size of the records decides at which place in a page the disk is full. */
const sizes = isTorture ? Array.from({ length: 31 }, (_, index) => 1 + index * 13) : [100];
const { ENOSPC, EDQUOT, EIO, EROFS } = constants.errno;

/** The instruction for the shim. */
const FAULTS = [
  ['the disk is full', `${String(ENOSPC)} write`],
  ['the quota is used up', `${String(EDQUOT)} write`],
  ['writing fails', `${String(EIO)} write`],
  ['fsync fails', `${String(EIO)} sync`],
  ['the file system is remounted read-only', `${String(EROFS)} change`],
] as const;

const runner = resolve(__dirname, '../../../test/run-typescript.cjs');
const script = resolve(__dirname, 'full-disk-process.ts');

let root = '';
let shim: string | null = null;
let canMount = false;
let serial = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-disk-'));
  // Compiled before a disk fails.
  spawnSync(process.execPath, ['-C', '@vitrine/source', runner, script, 'read', join(root, 'empty')]);
  shim = compiledShim(root);
  canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$0"', root]).status === 0;
});

afterAll(() => rm(root, { recursive: true }));

/** Two lines from the standard output of a shell: the report of the writing process, and what the next start finds. */
function outcomeOf(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { readonly report: DiskReport; readonly found: Set<number> } {
  const { stdout, stderr } = spawnSync('sh', ['-c', program, process.execPath, script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, RUNNER: runner, ...env },
  });
  const [report, found] = stdout.trim().split('\n');
  if (report === undefined || found === undefined) throw new Error(`a process said too little: ${stdout} ${stderr}`);
  return { report: JSON.parse(report) as DiskReport, found: new Set(JSON.parse(found) as number[]) };
}

/** A disk of 32 MiB of its own, which is really full for a while. */
const ON_SMALL_DISK = `unshare -m sh -c 'mount -t tmpfs -o size=32m tmpfs "$2" && { "$0" -C @vitrine/source "$RUNNER" "$1" write "$2/store" full "$3"; "$0" -C @vitrine/source "$RUNNER" "$1" read "$2/store"; }' "$0" "$@"`;
const WITH_SHIM = `LD_PRELOAD="$FAILING_DISK" "$0" -C @vitrine/source "$RUNNER" "$1" write "$2/store" shim "$3" "$4"; "$0" -C @vitrine/source "$RUNNER" "$1" read "$2/store"`;

async function newFolder(): Promise<string> {
  const folder = join(root, String(serial++));
  await mkdir(folder);
  return folder;
}

function expectNothingLost({ report, found }: ReturnType<typeof outcomeOf>): void {
  const { acknowledged, refused, seen, later, states } = report;
  expect(refused.length).toBe(5);
  for (const reason of refused) expect(reason).toContain('Free space on its disk');
  expect(acknowledged.filter((number) => !found.has(number))).toEqual([]);
  expect(seen.filter((number) => !found.has(number))).toEqual([]);
  expect(later).toBe(30);
  expect(states).toEqual(['ready', 'degraded']);
}

describe('a store whose disk fails during a write', () => {
  it('loses no acknowledged record before or after the disk was full', async () => {
    if (!canMount) return;
    for (const size of sizes) expectNothingLost(outcomeOf(ON_SMALL_DISK, [await newFolder(), String(size)]));
  }, 600_000);

  it.each(FAULTS.slice(isTorture ? 0 : -2))(
    'loses no acknowledged record if %s',
    async (_title, control) => {
      if (shim === null) return;
      for (const size of sizes) {
        const folder = await newFolder();
        const file = join(root, `control-of-${String(serial)}`);
        await writeFile(file, '');
        const env = { FAILING_DISK: shim, FAILING_DISK_FOLDER: folder, FAILING_DISK_CONTROL: file };
        expectNothingLost(outcomeOf(WITH_SHIM, [folder, String(size), control], env));
      }
    },
    600_000,
  );
});
