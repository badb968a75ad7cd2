import type { Environment } from '@vitrine/config';

/** What a header can carry. */
const TOKEN = /^[!-~]{1,4096}$/;

/** The token in an environment variable, without the line end that a file of secrets leaves; empty if the variable is not set; `null` if it contains no token. */
export function tokenIn(environment: Environment, variable: string): string | null {
  const token = (environment[variable] ?? '').trim();
  return token === '' || TOKEN.test(token) ? token : null;
}
