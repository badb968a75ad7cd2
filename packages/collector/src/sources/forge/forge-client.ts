import { SourceError, DocumentError, type SourceContext } from '../../running/source.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { Environment, ForgeSourceConfig } from '@vitrine/config';
import { SECOND, type Clock } from '@vitrine/core';
import { conditionsOf, jsonIn, validatorsOf, type Validators } from '../../fetching/fetch-document.js';
import type { OutgoingClient, OutgoingResponse } from '../../fetching/outgoing-client.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import type { ForgeAccount } from './forge-account.js';
import { countedPathOf, type ForgeDialect, nextPathOf } from './forge-dialect.js';

/** A hundred releases with long notes are larger than other documents, and some lists take a forge a while. */
const MOST_BYTES = 16 * 1_024 * 1_024;
const TIMEOUT_MS = 30 * SECOND;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TEMPORARY: ReadonlySet<number> = new Set([302, 303, 307]);
const GONE: ReadonlySet<number> = new Set([404, 410, 451]);
/** How GitHub calls its limits in the bodies of its refusals. */
const LIMIT_WORDS = /rate limit|abuse detection/i;
const SEARCHED_BYTES = 1_000;
/** What a header can carry. */
const TOKEN = /^[!-~]{1,4096}$/;

export type ForgeAccess = Pick<ForgeSourceConfig, 'type' | 'api' | 'allowPrivate' | 'token'>;

export interface ForgeClientOptions extends Omit<ForgeAccess, 'type'>, Pick<ForgeDialect, 'headers' | 'credentialsOf'> {
  readonly client: OutgoingClient;
  readonly environment: Environment;
  readonly account: ForgeAccount;
}

export interface ForgeDocument {
  readonly kind: 'document';
  readonly json: unknown;
  readonly validators: Validators;
  /** The path of the next page of a list; `null`: none. */
  readonly next: string | null;
}

/** Where something is now, as a redirect says. */
export interface ForgeMove {
  readonly kind: 'moved';
  /** On the host of the forge; `null`: for good on another host. */
  readonly path: string | null;
  readonly isTemporary: boolean;
}

/** What a forge answers for a path. `gone`: it has nothing there, or nothing that this client may see. */
type ForgeAnswer<Known> = { readonly kind: 'unchanged'; readonly known: Known } | ForgeDocument | ForgeMove | { readonly kind: 'gone' };

export type ForgeCall = Pick<SourceContext, 'clock' | 'signal'>;

/** Asks the API of one forge. The token goes to its host only: redirects are never followed here. */
export class ForgeClient {
  readonly #options: ForgeClientOptions;
  requests = 0;

  constructor(options: ForgeClientOptions) {
    this.#options = options;
  }

  /** The path of the API's address, to which the paths of its resources are appended. */
  get basePath(): string {
    return new URL(this.#options.api).pathname.replace(/\/$/, '');
  }

  get account(): ForgeAccount {
    return this.#options.account;
  }

  /** Whether requests carry no token, so that the answers are public. */
  get isAnonymous(): boolean {
    return this.#credentials() === null;
  }

  /** Asks for a path of the forge's host. Rejects with a {@link SourceError}; then nothing is known about it. @param known what is stored of the page; `null` fetches it in any case */
  get<Known extends Validators>(path: string, known: Known | null, { clock, signal }: ForgeCall): Promise<ForgeAnswer<Known>> {
    const { account } = this;
    return account.requests.run(async () => {
      signal.throwIfAborted();
      account.require(clock.now());
      const response = await this.#send(path, known, signal);
      account.note(response.headers, clock.now());
      return response.status === 304 && known !== null ? { kind: 'unchanged', known } : this.#answerOf(response, path, clock);
    });
  }

  #send(path: string, known: Validators | null, signal: AbortSignal): Promise<OutgoingResponse> {
    const { client, api, allowPrivate, headers } = this.#options;
    const credentials = this.#credentials();
    this.requests += 1;
    return client.request({
      // Not resolved: a path that begins with two slashes would name another host.
      url: new URL(api).origin + path,
      headers: { ...headers, ...conditionsOf(known) },
      ...(credentials !== null && { credentials }),
      allowPrivate,
      signal,
      redirects: 'none',
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
  }

  #answerOf(response: OutgoingResponse, path: string, clock: Clock): ForgeAnswer<never> {
    const { status, headers, body } = response;
    if (status === 200) {
      const json = jsonOf(response);
      const { link, 'x-total-count': total } = headers;
      const next = link === undefined ? countedPathOf(total, json, path) : nextPathOf(link, path);
      return { kind: 'document', json, validators: validatorsOf(headers), next };
    }
    if (GONE.has(status)) return { kind: 'gone' };
    if (REDIRECTS.has(status)) return moveOf(response, this.#options.api);
    if (isLimit(status, headers, body)) this.account.stop(headers, clock.now());
    throw this.#failure(response);
  }

  #failure({ status, url }: OutgoingResponse): OutgoingError {
    const variable = this.isAnonymous ? '' : (this.#options.token?.variable ?? '');
    const ofToken: Readonly<Record<number, string>> = {
      401: `rejected the token in ${variable}. Create a new one, or unset the variable`,
      403: `responded with the status 403. The token in ${variable} may lack a permission to read`,
    };
    const detail = (variable === '' ? undefined : ofToken[status]) ?? `responded with the status ${status}`;
    return new OutgoingError(new URL(url), `http ${status}`, detail);
  }

  #credentials(): Readonly<Record<string, string>> | null {
    const { token, environment, credentialsOf, api } = this.#options;
    if (token === null) return null;
    // A file of secrets leaves a line end.
    const secret = (environment[token.variable] ?? '').trim();
    if (secret === '' && !token.isRequired) return null;
    if (secret === '') throw new SourceError(`${new URL(api).host} needs the environment variable ${token.variable}, which is not set`, 'NO_TOKEN');
    if (!TOKEN.test(secret)) throw new SourceError(`the environment variable ${token.variable} contains no token; set it to one`, 'NO_TOKEN');
    return credentialsOf(secret);
  }
}

function jsonOf({ body, url }: OutgoingResponse): unknown {
  const json = jsonIn(body);
  const { origin, pathname } = new URL(url);
  if (json === undefined) throw new DocumentError('not a forge', `${origin}${pathname} is not JSON; correct the address in api`);
  return json;
}

/** Where a redirect leads. Throws if it does not say where the repository is, as one to a page for signing in, or to another scheme or port of the host. */
function moveOf({ status, url, headers: { location } }: OutgoingResponse, api: string): ForgeMove {
  const target = location !== undefined && URL.canParse(location, api) ? new URL(location, api) : null;
  const home = new URL(api);
  const isTemporary = TEMPORARY.has(status);
  if (target?.origin === home.origin) return { kind: 'moved', path: target.pathname, isTemporary };
  if (target === null || isTemporary || target.hostname === home.hostname)
    throw new OutgoingError(new URL(url), `http ${status}`, 'redirects to another address; correct the address in api');
  return { kind: 'moved', path: null, isTemporary };
}

/** A refusal because of too many requests, and not because of a missing permission. */
function isLimit(status: number, headers: IncomingHttpHeaders, body: Uint8Array): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isUsedUp = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined;
  return isUsedUp || LIMIT_WORDS.test(Buffer.from(body.subarray(0, SEARCHED_BYTES)).toString('utf8'));
}
