import { UsageError } from '../usage-error.js';

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'Let this user write to it, or name another folder.'],
  ['EPERM', 'Let this user write to it, or name another folder.'],
  ['EROFS', 'It is on a disk that cannot be written. Name another folder.'],
  ['ENOTDIR', 'A part of its path is a file. Name another folder.'],
  ['EEXIST', 'It is a file. Name a folder.'],
  ['ENOSPC', 'Free space on its disk, then run the command again.'],
  ['EDQUOT', 'Free space in the quota of this user, then run the command again.'],
  ['EFBIG', 'Raise the limit for the size of files, then run the command again.'],
]);

/** Why the folder cannot be written; `null` for an error that has nothing to do with it. */
export function folderProblem(error: unknown, name: string): UsageError | null {
  const advice = REASONS.get(errorCodeOf(error));
  return advice === undefined ? null : new UsageError(`${name} cannot be written (${String(errorCodeOf(error))}). ${advice}`);
}

/** The code of an error of the operating system; `undefined` for other errors. */
export function errorCodeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
