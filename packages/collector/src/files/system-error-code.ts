import { errorCodeOf } from '@vitrine/config/internal';

/** The code of an error of the operating system, such as `ENOENT`; `null` for other errors. Only errors of the operating system have the field `syscall`: an aborted run and the store's errors do not. */
export function systemErrorCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'syscall' in error ? errorCodeOf(error) : null;
}
