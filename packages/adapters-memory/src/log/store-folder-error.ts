export type StoreFolderProblem = 'damaged' | 'newer' | 'in-use' | 'not-a-store' | 'unreadable' | 'unwritable';

/** The data folder cannot be used. The message names the folder, says what is wrong and what to do. */
export class StoreFolderError extends Error {
  constructor(
    readonly problem: StoreFolderProblem,
    readonly folder: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreFolderError';
  }
}

export function damaged(folder: string, detail: string, cause?: unknown): StoreFolderError {
  const advice = 'Restore the folder from a backup, or move it away and start again: what sources still hold is then collected anew.';
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

export function inUse(folder: string, cause: unknown): StoreFolderError {
  return new StoreFolderError('in-use', folder, `The data folder ${folder} is in use by another process. Stop that process, or use another folder.`, {
    cause,
  });
}

export function notAStore(folder: string, detail: string): StoreFolderError {
  return new StoreFolderError('not-a-store', folder, `${folder} is no data folder of Vitrine: ${detail}. Give the path of an empty or new folder.`);
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
