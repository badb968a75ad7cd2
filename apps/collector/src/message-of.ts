import { withoutCredentials } from '@vitrine/core';

/** The message of any thrown value, without what may be secret in the addresses that it names. */
export function messageOf(error: unknown): string {
  return withoutCredentials(typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error));
}
