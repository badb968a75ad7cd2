import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const peers = fileURLToPath(new URL('../peers/', import.meta.url));
const installedPeers = fileURLToPath(new URL('../../.cache/bench-peers/', import.meta.url));
const FILES = ['package.json', 'package-lock.json'] as const;
const MARK = 'installed.sha256';
const LONGEST_MS = 5 * 60_000;

/**
 * Installs a program into an ignored folder, unless the versions of its lockfile are there. It is not part of the workspace, so nobody else installs it.
 *
 * @param name the name of its folder in `bench/peers/`
 * @returns the folder
 * @throws Error if npm cannot install it
 */
export async function installPeer(name: 'lighthouse'): Promise<string> {
  const [peer, installed] = [join(peers, name), join(installedPeers, name)];
  const wanted = createHash('sha256')
    .update(readFileSync(join(peer, 'package-lock.json')))
    .digest('hex');
  const mark = join(installed, MARK);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return installed;
  process.stderr.write(`installing ${name} ...\n`);
  await rm(installed, { recursive: true, force: true });
  await mkdir(installed, { recursive: true });
  for (const file of FILES) await copyFile(join(peer, file), join(installed, file));
  const options = { cwd: installed, timeout: LONGEST_MS, shell: process.platform === 'win32' };
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  await writeFile(mark, wanted);
  return installed;
}
