import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const peer = fileURLToPath(new URL('../peers/parse-server/', import.meta.url));
const installed = fileURLToPath(new URL('../../.cache/bench-peers/parse-server/', import.meta.url));
const FILES = ['package.json', 'package-lock.json'] as const;
const MARK = 'installed.sha256';
const LONGEST_MS = 5 * 60_000;

/**
 * Installs Parse Server into an ignored folder, unless the versions of the lockfile are there. It is not part of the workspace, so nobody else installs it.
 *
 * @returns the folder
 * @throws Error if npm cannot install it
 */
export async function installParseServer(): Promise<string> {
  const wanted = createHash('sha256')
    .update(readFileSync(join(peer, 'package-lock.json')))
    .digest('hex');
  const mark = join(installed, MARK);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return installed;
  process.stderr.write('installing Parse Server ...\n');
  await rm(installed, { recursive: true, force: true });
  await mkdir(installed, { recursive: true });
  for (const file of FILES) await copyFile(join(peer, file), join(installed, file));
  const options = { cwd: installed, timeout: LONGEST_MS, shell: process.platform === 'win32' };
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  await writeFile(mark, wanted);
  return installed;
}
