import { appendFile, mkdir, readdir, readFile, realpath, rmdir, unlink, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { lockFile } from '@vitrine/adapters-sqlite';
import { makeFolder } from '@vitrine/collector';
import { errorCodeOf, UsageError } from '../context.js';

/** The file of a folder that lists what the command wrote into it. */
const LIST = '.vitrine-site';
/** An empty file that a run keeps locked. It is never removed, because another run may just be opening it. */
const LOCK = '.vitrine-site.lock';

/** Names that hosts read in the folder of a site, beside hidden files such as `.git`. */
const OF_HOSTS: ReadonlySet<string> = new Set(['CNAME']);

/**
 * A folder into which one site is written again and again. Each file is replaced as a whole or not at all, and a file with the same bytes is not touched. The
 * folder has a list of what was written, so nothing else is ever replaced or removed. Symbolic links inside it are never followed.
 */
export class SiteFolder {
  readonly #needed = new Set<string>();
  readonly #folders = new Set(['.']);
  readonly counts = { written: 0, unchanged: 0, removed: 0 };

  /** @param known what was written before, or is now */
  private constructor(
    private readonly name: string,
    private readonly root: string,
    private readonly known: Set<string>,
    /** Lets other runs write into the folder. Call this at the end of the run, also of one that has failed. */
    readonly release: () => void,
  ) {}

  /** Creates the folder if it is missing. Rejects with a {@link UsageError} if it holds other files, or if another run writes into it. */
  static async open(name: string): Promise<SiteFolder> {
    return orProblem(name, async () => {
      await makeFolder(name);
      const root = await realpath(name);
      if ((await kindOf(join(root, LIST))) === 'none') await requireEmpty(root, name);
      const release = await locked(root, name);
      try {
        await removeLeftovers(root);
        return new SiteFolder(name, root, new Set(await listedIn(root, name)), release);
      } catch (error) {
        release();
        throw error;
      }
    });
  }

  /** Writes a file, unless it has these bytes already. */
  async write({ path, content }: { readonly path: string; readonly content: Buffer }): Promise<void> {
    await orProblem(this.name, async () => {
      await this.#createFolder(dirname(path));
      const file = join(this.root, path);
      const kind = await kindOf(file);
      if (kind !== 'none' && (kind !== 'file' || !this.known.has(path))) throw inTheWay(join(this.name, path));
      this.#needed.add(path);
      if (kind === 'file' && content.equals(await readFile(file))) this.counts.unchanged++;
      else {
        await this.#list(path);
        await replaceFile(this.root, file, content);
        this.counts.written++;
      }
    });
  }

  async finish(): Promise<void> {
    await orProblem(this.name, async () => {
      for (const path of this.known) if (!this.#needed.has(path)) await this.#remove(path);
      const list = join(this.root, LIST);
      const text = listText(this.#needed);
      if ((await readFile(list, 'utf8')) !== text) await replaceFile(this.root, list, text);
    });
  }

  /** A path is on the list before its file is there, so that a file of a run that was killed is known. */
  async #list(path: string): Promise<void> {
    if (this.known.has(path)) return;
    this.known.add(path);
    await appendFile(join(this.root, LIST), `${path}\n`);
  }

  async #createFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    await this.#createFolder(dirname(path));
    const folder = join(this.root, path);
    const kind = await kindOf(folder);
    if (kind === 'none') await mkdir(folder);
    else if (kind !== 'folder')
      throw new UsageError(`${join(this.name, path)} is a file or a symbolic link, and is in the way of a folder. Move it out of the folder.`);
    this.#folders.add(path);
  }

  async #remove(path: string): Promise<void> {
    if (!(await this.#isReached(dirname(path)))) return;
    const file = join(this.root, path);
    if ((await kindOf(file)) !== 'file') return;
    await unlink(file);
    this.counts.removed++;
    await this.#removeEmpty(dirname(path));
  }

  /** Whether a folder is there, and no part of its path is a link. */
  async #isReached(path: string): Promise<boolean> {
    if (this.#folders.has(path)) return true;
    return (await this.#isReached(dirname(path))) && (await kindOf(join(this.root, path))) === 'folder';
  }

  async #removeEmpty(path: string): Promise<void> {
    if (path === '.' || (await readdir(join(this.root, path))).length > 0) return;
    await rmdir(join(this.root, path));
    this.#folders.delete(path);
    await this.#removeEmpty(dirname(path));
  }
}

async function requireEmpty(root: string, name: string): Promise<void> {
  const other = (await readdir(root)).find((entry) => !entry.startsWith('.') && !OF_HOSTS.has(entry));
  if (other !== undefined)
    throw new UsageError(
      `${name} holds files that vitrine site has not written, such as ${other}. Name an empty folder, or one that does not exist.`,
    );
}

function inTheWay(path: string): UsageError {
  return new UsageError(`${path} was not written by vitrine site, and is in its way. Move it out of the folder.`);
}

async function locked(root: string, name: string): Promise<() => void> {
  const lock = join(root, LOCK);
  if (!['none', 'file'].includes(await kindOf(lock))) throw inTheWay(join(name, LOCK));
  const release = lockFile(lock);
  if (release === null) throw new UsageError(`Another vitrine site writes into ${name}. Wait until it has ended, then run the command again.`);
  return release;
}

/** The paths on the list of the folder. A folder without one gets an empty list. */
async function listedIn(root: string, name: string): Promise<readonly string[]> {
  const list = join(root, LIST);
  const kind = await kindOf(list);
  if (kind === 'none') {
    await replaceFile(root, list, listText([]));
    return [];
  }
  const listed = kind === 'file' ? readList(await readFile(list, 'utf8')) : null;
  if (listed === null) throw new UsageError(`${join(name, LIST)} is not the list of vitrine site. Name another folder.`);
  return listed;
}

async function orProblem<Result>(name: string, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const code = errorCodeOf(error);
    const advice = REASONS[code];
    throw advice === undefined ? error : new UsageError(`${name} cannot be written (${code}). ${advice}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'Let this user write to it, or name another folder.',
  EPERM: 'Let this user write to it, or name another folder.',
  EROFS: 'It is on a disk that cannot be written. Name another folder.',
  ENOENT: 'Its file system refuses new folders there. Name another folder.',
  ENOTDIR: 'A part of its path is a file. Name another folder.',
  EEXIST: 'It is a file. Name a folder.',
  ENOSPC: 'Free space on its disk, then run the command again.',
  EDQUOT: 'Free space in the quota of this user, then run the command again.',
  EFBIG: 'Raise the limit for the size of files, then run the command again.',
};

type EntryKind = 'none' | 'file' | 'folder' | 'other';

/** What is at a path. A symbolic link is `other`, wherever it leads. */
async function kindOf(path: string): Promise<EntryKind> {
  try {
    const entry = await lstat(path);
    if (entry.isFile()) return 'file';
    return entry.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return 'none';
    throw error;
  }
}

const TEMPORARY = /^\.vitrine-site-[0-9a-f]{12}\.tmp$/;

async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) if (TEMPORARY.test(name)) await rm(join(root, name), { force: true });
}

/** Writes a file under a temporary name and renames it, so that readers never see a part of it. @param root a folder of the same file system */
export async function replaceFile(root: string, file: string, content: Buffer | string): Promise<void> {
  const temporary = join(root, `.vitrine-site-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const HEADER = '# What "vitrine site" wrote here. It removes what is no longer needed, and nothing else.';

/** Visible names of files and folders, so that no path leads out of the folder or to a file like `.git`. */
const PATH = /^[\w@~-][\w.@~-]*(?:\/[\w@~-][\w.@~-]*)*$/;

/** The paths in the text of the list. The last one may be cut off, if the command was killed. `null` for another text. */
function readList(text: string): readonly string[] | null {
  const [header, ...lines] = text.split('\n');
  // What follows the last line break is empty, or was not written to its end.
  const paths = lines.slice(0, -1);
  return header === HEADER && lines.length > 0 && paths.every((path) => PATH.test(path)) ? paths : null;
}

function listText(paths: Iterable<string>): string {
  return [HEADER, ...[...paths].sort()].map((line) => `${line}\n`).join('');
}
