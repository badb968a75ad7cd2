/** The operating system's code of an error, such as `ENOENT`; `null` if it has none. */
export function errorCodeOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
