import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const isTorture = process.env['VITRINE_TORTURE'] === '1';
const seed = isTorture ? String(Date.now() % 1_000_000) : '1';
const rounds = isTorture ? 1_000 : 4;
const COMMITS = 300;

const runner = resolve(__dirname, '../../../test/run-typescript.cjs');
const script = resolve(__dirname, 'damaged-file-process.ts');

/** What the process found in a copy with damaged commits: their shas. */
interface Found {
  readonly damaged: readonly string[];
  readonly reported: readonly string[];
  readonly listed: readonly string[];
  readonly exported: readonly string[];
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-damaged-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The lines about damage anywhere, and about damaged records, one for each copy. Rejects if the process was ended, for example by the driver. */
async function linesOf(): Promise<readonly (readonly string[])[]> {
  const args = ['-C', '@vitrine/source', runner, script, folder, seed, String(rounds)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 256 * 1_024 * 1_024 });
  const lines = stdout.trim().split('\n');
  return [lines.slice(0, rounds), lines.slice(rounds)];
}

describe(`a file in which ${String(rounds)} times random bytes were changed (seed ${seed})`, () => {
  let anywhere: readonly string[] = [];
  let records: readonly string[] = [];
  beforeAll(async () => {
    [anywhere = [], records = []] = await linesOf();
  }, 3_600_000);

  it('is refused, or is served as far as it can be read: nothing ends the process', () => {
    expect(anywhere).toHaveLength(rounds);
    // The damages are small, so most files can be read.
    expect(anywhere.filter((line) => line.startsWith('0 of')).length).toBeGreaterThan(rounds / 2);
  });

  it('lists and exports every record but those with text that is not UTF-8, and reports these', () => {
    expect(records).toHaveLength(rounds);
    for (const line of records) {
      const { damaged, reported, listed, exported } = JSON.parse(line) as Found;
      for (const sha of damaged) expect(reported.some((id) => id.includes(sha))).toBe(true);
      expect(reported).toHaveLength(damaged.length);
      for (const shas of [listed, exported]) {
        expect(shas.filter((sha) => damaged.includes(sha))).toEqual([]);
        expect(new Set(shas).size).toBe(COMMITS - damaged.length);
      }
    }
  });
});
