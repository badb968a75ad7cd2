import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mongodVersion } from './mongod-version.ts';

export type Fetch = (folder: string) => Promise<string>;

/** The cache of the user, so that a new clone of the project does not download a server again. */
export class MongodCache {
  readonly binary: string;
  readonly #folder: string;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#folder = join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'vitrine');
    this.binary = join(this.#folder, 'mongod');
  }

  /**
   * Keeps a downloaded binary if it runs. Two concurrent downloads are safe: each uses its own folder, and the last rename wins.
   * @returns the path of the kept binary
   */
  async keep(fetch: Fetch): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const folder = await mkdtemp(join(this.#folder, 'fetch-'));
    try {
      const fetched = await fetch(folder);
      const staged = join(folder, 'staged');
      await copyFile(fetched, staged);
      await chmod(staged, 0o755);
      await mongodVersion(staged);
      await rename(staged, this.binary);
      return this.binary;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
