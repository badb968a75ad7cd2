import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '../git/private-folder.js';
import { History, type CommitNote } from './history.js';

/** Increase this if the meaning of a line changes. */
const VERSION = 'vitrine history 1';
/** A larger history is read from git at each run. */
const MOST_COMMITS = 500_000;
/** Git reads fewer commits faster than a large file is written. */
const WORTH_WRITING = 100;
const MOST_BYTES = 128 * 2 ** 20;
const NAME_LENGTH = 32;
/** Stand for a field that was not read, and for a commit without a key. */
const UNREAD = '?';
const NO_KEY = '-';

/**
 * Keeps the history of a repository between runs, in the folder of clones. It holds nothing that cannot be read from the repository again: a file that is
 * missing, damaged or of another version counts as empty.
 */
export class HistoryFile {
  readonly #folder: string;
  readonly #name: string;
  /** What it held when it was read. */
  #kept = { commits: 0, patches: 0 };

  /** @param location where the repository is; another one has another file */
  constructor(folder: string, location: string) {
    this.#folder = folder;
    this.#name = `${createHash('sha256').update(location).digest('hex').slice(0, NAME_LENGTH)}.history`;
  }

  async read(): Promise<History> {
    try {
      const bytes = await readFile(join(await privateFolder(this.#folder), this.#name));
      const history = (bytes.length <= MOST_BYTES ? parseHistory(bytes.toString('latin1')) : null) ?? new History();
      this.#kept = { commits: history.size, patches: history.patches };
      return history;
    } catch {
      return new History();
    }
  }

  /** Writes it if enough is new. What is missing then, the next run reads from git; if this fails, everything. */
  async write(history: History): Promise<void> {
    const fresh = history.size - this.#kept.commits + history.patches - this.#kept.patches;
    if (fresh < WORTH_WRITING || history.size > MOST_COMMITS) return;
    try {
      const path = join(await privateFolder(this.#folder), this.#name);
      // The checksum notices if two processes write it at once.
      const draft = `${path}.new`;
      try {
        await writeFile(draft, historyText(history), { encoding: 'latin1', mode: 0o600 });
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
    } catch {
      // Nothing depends on it but the time that the next run takes.
    }
  }
}

/** One line for each commit: its sha, the places of its parents, the key and the patch id of its change, and the commits that it reverts. */
export function historyText(history: History): string {
  const lines: string[] = [];
  for (let place = 0; place < history.size; place++) {
    const note = history.noteAt(place);
    const key = note === null ? UNREAD : (note.key ?? NO_KEY);
    const fields = [history.shaAt(place), history.parentsAt(place).join(','), key, history.patchAt(place) ?? UNREAD];
    lines.push([...fields, ...(note?.reverts ?? [])].join(' '));
  }
  const body = lines.join('\n');
  return `${VERSION} ${hashOf(body)}\n${body}`;
}

/** `null` if the text is not one that {@link historyText} has written. */
export function parseHistory(text: string): History | null {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== `${VERSION} ${hashOf(body)}`) return null;
  const history = new History();
  if (body !== '') for (const line of body.split('\n')) addLine(history, line);
  return history;
}

function addLine(history: History, line: string): void {
  const [sha = '', parents = '', ...known] = line.split(' ');
  const place = history.size;
  history.addAfter(sha, placesIn(parents));
  const [key = UNREAD, patch = UNREAD, ...reverts] = known;
  if (key !== UNREAD) history.setNote(place, noteOf(key, reverts));
  if (patch !== UNREAD) history.setPatch(place, patch);
}

/** Nearly every commit has one parent. */
function placesIn(parents: string): readonly number[] {
  if (parents === '') return [];
  return parents.includes(',') ? parents.split(',').map(Number) : [Number(parents)];
}

function noteOf(key: string, reverts: readonly string[]): CommitNote {
  return { key: key === NO_KEY ? null : key, reverts };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}
