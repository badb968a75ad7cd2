import { createHash } from 'node:crypto';
import type { Environment, HeartbeatServiceConfig } from '@vitrine/config';
import { ProbeError } from '../probes/probe-outcome.js';

/** Characters that need no encoding in an address. */
const USABLE = /^[A-Za-z0-9._~-]{16,200}$/;

/** The token of a service. Throws a {@link ProbeError} if its variable is not set, or if the token is too weak. */
export function tokenOf({ key, tokenVariable }: Pick<HeartbeatServiceConfig, 'key' | 'tokenVariable'>, environment: Environment): string {
  const token = environment[tokenVariable] ?? '';
  if (token === '')
    throw new ProbeError(
      `${key} needs the environment variable ${tokenVariable}, which is not set. Set it for the process that collects.`,
      'NO_VARIABLE',
    );
  if (USABLE.test(token)) return token;
  const rule = '16 to 200 characters of A-Z a-z 0-9 . _ ~ -, such as the output of: openssl rand -hex 16';
  throw new ProbeError(`The token of ${key} in the environment variable ${tokenVariable} cannot be used. Set it to ${rule}`, 'WEAK_TOKEN');
}

/** Why the token of a service cannot be used, for people; `null` if it can. */
export function heartbeatTokenProblem(service: Pick<HeartbeatServiceConfig, 'key' | 'tokenVariable'>, environment: Environment): string | null {
  try {
    tokenOf(service, environment);
    return null;
  } catch (error) {
    if (error instanceof ProbeError) return error.message;
    throw error;
  }
}

/** Tokens are compared by their hashes, which have one length, so that the time of a comparison says nothing about a token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
