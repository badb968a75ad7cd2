import { hash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';
import { isOwnFolder } from './private-folder.js';

export interface Clone {
  readonly gitDir: string;
  /** 1 for the first clone of an address. The clone with the highest number is the current one. */
  readonly generation: number;
  /** Whether no other user could have changed it. */
  readonly isTrusted: boolean;
}

/** An unfinished clone that was not updated for this time belongs to a process that was killed. */
const ABANDONED_MS = 600_000;
const TOUCH_MS = 60_000;
const UNFINISHED = '.new-';
/** In the name of a file with objects that git is receiving. */
const RECEIVED = 'tmp_';

/** The clones of one address, in a folder that several processes may use. A new one is complete before it is renamed, so a killed run leaves the previous one, and the faster process wins. */
export class CloneShelf {
  readonly #folder: string;
  readonly #key: string;

  constructor(folder: string, address: string) {
    this.#folder = folder;
    this.#key = hash('sha256', address, 'hex').slice(0, 32);
  }

  /** The newest complete clone, whether it is damaged or not; `null` if there is none. */
  async current(): Promise<Clone | null> {
    const [newest] = (await this.#generations()).sort((a, b) => b - a);
    if (newest === undefined) return null;
    const gitDir = this.#path(newest);
    const found = await lstat(gitDir).catch(() => null);
    // Between the two calls another process may have replaced it.
    return found === null ? this.current() : { gitDir, generation: newest, isTrusted: isOwnFolder(found) };
  }

  /** @param fill fills an empty folder with a complete clone */
  async succeed(former: Clone | null, fill: (gitDir: string) => Promise<void>): Promise<Clone> {
    const unfinished = await mkdtemp(join(this.#folder, `${this.#key}${UNFINISHED}`));
    const touching = setInterval(() => void utimes(unfinished, new Date(), new Date()).catch(() => undefined), TOUCH_MS);
    try {
      await fill(unfinished);
      const generation = (former?.generation ?? 0) + 1;
      const made = { gitDir: this.#path(generation), generation, isTrusted: true };
      return (await moved(unfinished, made.gitDir)) ? made : ((await this.current()) ?? made);
    } finally {
      clearInterval(touching);
      await remove(unfinished);
    }
  }

  /** Removes clones that were replaced, and abandoned unfinished clones of any address. */
  async sweep(): Promise<void> {
    const generations = await this.#generations();
    const newest = Math.max(...generations);
    for (const generation of generations) if (generation < newest) await remove(this.#path(generation));
    await removeUnfinished(this.#folder, UNFINISHED, ABANDONED_MS);
  }

  async #generations(): Promise<number[]> {
    const ours = (await readdir(this.#folder)).filter((name) => name.startsWith(this.#key));
    return ours.flatMap((name) => {
      const [, number] = /^\.(?:(\d{1,9})\.)?git$/.exec(name.slice(this.#key.length)) ?? [null];
      return number === null ? [] : [Number(number ?? 1)];
    });
  }

  #path(generation: number): string {
    return join(this.#folder, `${this.#key}.${generation === 1 ? '' : `${String(generation)}.`}git`);
  }
}

/** Whether a killed git process left a lock file, which nothing else would remove. */
export async function hasAbandonedLock(gitDir: string): Promise<boolean> {
  const inside = await readdir(gitDir);
  const refs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => []);
  for (const name of [...inside, ...refs.map((ref) => join('refs', ref))]) {
    if (name.endsWith('.lock') && (await ageOf(join(gitDir, name))) > ABANDONED_MS) return true;
  }
  return false;
}

/** Fetches into a clone. Git leaves what it has received when it is stopped, which can be as large as the repository, and would come again at each run. */
export async function withoutUnfinished(gitDir: string, fetch: () => Promise<unknown>): Promise<void> {
  const folder = join(gitDir, 'objects/pack');
  await removeUnfinished(folder, RECEIVED, ABANDONED_MS);
  try {
    await fetch();
  } catch (error) {
    await removeUnfinished(folder, RECEIVED, 0);
    throw error;
  }
}

async function removeUnfinished(folder: string, mark: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.includes(mark) && (await ageOf(path)) >= ageMs) await remove(path);
  }
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return false;
    throw error;
  }
}

async function ageOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  return found === null ? 0 : Date.now() - found.mtimeMs;
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
