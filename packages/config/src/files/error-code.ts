/** The platform's code of an error, such as `ENOENT`; `null` for one without. */
export function errorCodeOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
