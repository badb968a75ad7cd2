import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** A file of a commit: its mode as git writes it, and the id of its content. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

const FOLDER = '40000';

/** Writes objects into the database of a repository. To start git for each of them takes a hundred times as long. */
export class GitObjects {
  readonly #folder: string;
  readonly #algorithm: string;

  /** @param folder `.git/objects` */
  constructor(folder: string, algorithm: 'sha1' | 'sha256') {
    this.#folder = folder;
    this.#algorithm = algorithm;
  }

  /** Gives the id. */
  write(type: 'blob' | 'tree' | 'commit' | 'tag', content: Buffer): string {
    const bytes = Buffer.concat([Buffer.from(`${type} ${String(content.length)}\0`), content]);
    const id = createHash(this.#algorithm).update(bytes).digest('hex');
    const folder = join(this.#folder, id.slice(0, 2));
    const path = join(folder, id.slice(2));
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, deflateSync(bytes), { mode: 0o444 });
    }
    return id;
  }

  /** Writes a folder and the folders in it, by the paths of their files. Gives the id. */
  writeTree(files: ReadonlyMap<string, TreeEntry>): string {
    const entries = new Map<string, TreeEntry>();
    const folders = new Map<string, Map<string, TreeEntry>>();
    for (const [path, entry] of files) {
      const [folder = '', ...rest] = path.split('/');
      if (rest.length === 0) entries.set(path, entry);
      else folders.set(folder, (folders.get(folder) ?? new Map<string, TreeEntry>()).set(rest.join('/'), entry));
    }
    for (const [folder, inside] of folders) entries.set(folder, { mode: FOLDER, id: this.writeTree(inside) });
    // Git compares the names as bytes, and those of folders with a slash behind them.
    const key = ([name, { mode }]: readonly [string, TreeEntry]) => Buffer.from(mode === FOLDER ? `${name}/` : name);
    const sorted = [...entries].sort((a, b) => Buffer.compare(key(a), key(b)));
    const parts = sorted.flatMap(([name, { mode, id }]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
    return this.write('tree', Buffer.concat(parts));
  }
}
