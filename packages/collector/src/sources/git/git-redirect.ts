import { withoutFinalSlashes } from '@vitrine/core';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { GitError } from './git-process.js';

/** Git follows no redirect by itself, because it would follow one into the network of this machine. */
export const NO_REDIRECTS = ['-c', 'http.followRedirects=false'] as const;

/** What git says then. A remote can send this text too, but all that follows is a guarded request. */
const REDIRECTED = /The requested URL returned error: 30[12378]\b/;
/** What git asks first. Git itself requires that the redirect keeps it. */
const FIRST_REQUEST = '/info/refs?service=git-upload-pack';
/** Servers of an old version list all refs in their first response. */
const MOST_BYTES = 67_108_864;

export interface RedirectOptions {
  readonly client: Pick<OutgoingClient, 'request'>;
  readonly signal: AbortSignal;
}

/**
 * The clone address to which a server redirects; `null` if git has failed for another reason. A host in a private network counts only if it is the one of the configured
 * address. Throws a {@link SourceError} if the redirect cannot be followed.
 */
export async function redirectedAddress(address: string, error: unknown, { client, signal }: RedirectOptions): Promise<string | null> {
  if (!(error instanceof GitError) || !isRedirect(address, error)) return null;
  const asked = `${withoutFinalSlashes(address)}${FIRST_REQUEST}`;
  try {
    // With this header, servers of the present version do not list refs.
    const headers = { 'git-protocol': 'version=2' };
    const { url } = await client.request({ url: asked, headers, allowPrivate: true, maxBytes: MOST_BYTES, signal });
    if (url !== asked && url.endsWith(FIRST_REQUEST)) return url.slice(0, -FIRST_REQUEST.length);
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof OutgoingError && failure.reason === 'private redirect') throw failure;
  }
  throw new GitError(`${error.message} (the server redirects: give the address to which it does)`);
}

function isRedirect(address: string, { message }: GitError): boolean {
  return /^https?:/i.test(address) && REDIRECTED.test(message);
}
