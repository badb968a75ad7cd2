import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DiskReport } from '../../test/full-disk-process.js';

const isTorture = process.env['VITRINE_TORTURE'] === '1';
/** The size of the records decides at which place in a block of the log the disk is full. */
const sizes = isTorture ? Array.from({ length: 31 }, (_, index) => 1 + index * 13) : [1, 100, 400];
const { ENOSPC, EDQUOT, EIO, EROFS } = constants.errno;

/** The instruction for the shim, and the message that a user reads. */
const FAULTS = [
  ['the disk is full', `${String(ENOSPC)} write`, 'No space left on device'],
  ['the quota is used up', `${String(EDQUOT)} write`, 'Disk quota exceeded'],
  ['writing fails', `${String(EIO)} write`, 'Input/output error'],
  ['fsync fails', `${String(EIO)} sync`, 'Input/output error'],
  ['the file system is remounted read-only', `${String(EROFS)} change`, 'Read-only file system'],
] as const;

const runner = resolve(__dirname, '../../../../test/run-typescript.cjs');
const script = resolve(__dirname, '../../test/full-disk-process.ts');

let root = '';
let shim: string | null = null;
let canMount = false;
let serial = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-disk-'));
  // Compiled before a disk fails.
  spawnSync(process.execPath, ['-C', '@vitrine/source', runner, script, 'read', join(root, 'empty')]);
  shim = compiledShim();
  canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$0"', root]).status === 0;
});

afterAll(() => rm(root, { recursive: true }));

function compiledShim(): string | null {
  const [source, library] = [join(__dirname, '../../test/failing-disk.c'), join(root, 'failing-disk.so')];
  const isBuilt = process.platform === 'linux' && spawnSync('cc', ['-shared', '-fPIC', '-O0', '-o', library, source, '-ldl']).status === 0;
  return isBuilt ? library : null;
}

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

/** A disk of 512 KiB of its own, which is really full for a while. */
const ON_SMALL_DISK = `unshare -m sh -c 'mount -t tmpfs -o size=512k tmpfs "$2" && { "$0" -C @vitrine/source "$RUNNER" "$1" write "$2/store" full "$3"; "$0" -C @vitrine/source "$RUNNER" "$1" read "$2/store"; }' "$0" "$@"`;
/** No file can grow beyond 64 KiB, which needs no rights. It stays so, so that later writes fail now and then too. */
const WITH_FILE_LIMIT = `(ulimit -f 128; "$0" -C @vitrine/source "$RUNNER" "$1" write "$2/store" limit "$3"); "$0" -C @vitrine/source "$RUNNER" "$1" read "$2/store"`;
const UNDER_LIMIT = 60;
const WITH_SHIM = `LD_PRELOAD="$FAILING_DISK" "$0" -C @vitrine/source "$RUNNER" "$1" write "$2/store" shim "$3" "$4"; "$0" -C @vitrine/source "$RUNNER" "$1" read "$2/store"`;

async function newFolder(): Promise<string> {
  const folder = join(root, String(serial++));
  await mkdir(folder);
  return folder;
}

/** @param later how many of the 90 writes after the fault must be acknowledged at least */
function expectNothingLost({ report, found }: ReturnType<typeof outcomeOf>, later = 90): void {
  const { acknowledged, refused, seen, later: laterFound, states } = report;
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.join()).toContain('Free space on its disk');
  expect(acknowledged.filter((number) => !found.has(number))).toEqual([]);
  expect(seen.filter((number) => !found.has(number))).toEqual([]);
  expect(laterFound).toBeGreaterThanOrEqual(later);
  expect(states).toEqual(['ready', 'degraded']);
}

describe('a store whose disk fails during a write', () => {
  it('loses no acknowledged record before or after the disk was full', async () => {
    if (!canMount) console.warn('No tmpfs can be mounted here: a limit of the size of files stands in for a full disk.');
    for (const size of sizes) {
      if (canMount) expectNothingLost(outcomeOf(ON_SMALL_DISK, [await newFolder(), String(size)]));
      else expectNothingLost(outcomeOf(WITH_FILE_LIMIT, [await newFolder(), String(100 + size)]), UNDER_LIMIT);
    }
  });

  it('loses no acknowledged record if no file can grow', async () => {
    for (const size of isTorture ? sizes : [1]) expectNothingLost(outcomeOf(WITH_FILE_LIMIT, [await newFolder(), String(100 + size)]), UNDER_LIMIT);
  });

  it.each(FAULTS)('loses no acknowledged record if %s', async (_title, control, reason) => {
    if (shim === null) {
      console.warn('No C compiler is here: a limit of the size of files stands in for this fault.');
      expectNothingLost(outcomeOf(WITH_FILE_LIMIT, [await newFolder(), '100']), UNDER_LIMIT);
      return;
    }
    for (const size of isTorture ? sizes : [100]) {
      const folder = await newFolder();
      const file = join(root, `control-of-${String(serial)}`);
      await writeFile(file, '');
      const env = { FAILING_DISK: shim, FAILING_DISK_FOLDER: folder, FAILING_DISK_CONTROL: file };
      const outcome = outcomeOf(WITH_SHIM, [folder, String(size), control], env);
      expectNothingLost(outcome);
      expect(outcome.report.refused).toHaveLength(5);
      for (const message of outcome.report.refused) expect(message).toContain(reason);
    }
  });
});
