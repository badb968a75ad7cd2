export type StoreFolderProblem = 'damaged' | 'newer' | 'in-use' | 'missing' | 'not-a-store' | 'unreadable' | 'unwritable';

interface StoreFolderErrorOptions extends ErrorOptions {
  readonly holder?: string | null;
}

/** The data folder cannot be used. The message names the folder, what is wrong and how to fix it. */
export class StoreFolderError extends Error {
  /** The process that has the folder open; `null` if unknown. */
  readonly holder: string | null;

  constructor(
    readonly problem: StoreFolderProblem,
    readonly folder: string,
    message: string,
    options: StoreFolderErrorOptions = {},
  ) {
    super(message, options);
    this.holder = options.holder ?? null;
    this.name = 'StoreFolderError';
  }
}

export function damaged(folder: string, detail: string, cause?: unknown): StoreFolderError {
  const advice = 'Restore the folder from a backup, or move it away and start again. Then all sources are collected again.';
  return new StoreFolderError('damaged', folder, `The data folder ${folder} is damaged: ${detail}. ${advice}`, { cause });
}

export function newer(folder: string, found: number, known: number): StoreFolderError {
  const formats = `it has format ${String(found)}, this version knows formats up to ${String(known)}`;
  return new StoreFolderError(
    'newer',
    folder,
    `The data folder ${folder} was written by a newer version of Vitrine: ${formats}. Use that version, or another folder.`,
  );
}

export function inUse(folder: string, holder: string | null, cause: unknown): StoreFolderError {
  const message = `The data folder ${folder} is in use by ${holder ?? 'another process'}. Stop that process, or use another folder.`;
  return new StoreFolderError('in-use', folder, message, { cause, holder });
}

export function notAStore(folder: string, detail: string): StoreFolderError {
  return new StoreFolderError(
    'not-a-store',
    folder,
    `${folder} is not a data folder of Vitrine: ${detail}. Give the path of an empty or new folder.`,
  );
}

export function missing(folder: string): StoreFolderError {
  const advice = 'Check that store.path names the folder of the server, and that the right configuration file is used.';
  return new StoreFolderError('missing', folder, `The data folder ${folder} does not exist or is empty, so it has no records. ${advice}`);
}

export function unreadable(folder: string, reason: string, cause: unknown): StoreFolderError {
  return new StoreFolderError(
    'unreadable',
    folder,
    `The data folder ${folder} cannot be opened: ${reason}. Check that the folder may be read and written, and that its disk has free space.`,
    { cause },
  );
}

export function unwritable(folder: string, reason: string, cause: unknown): StoreFolderError {
  const advice = 'Free space on its disk and check that the folder may be written, then run the command again. A server continues by itself.';
  return new StoreFolderError('unwritable', folder, `The data folder ${folder} cannot be written: ${reason}. ${advice}`, { cause });
}
