import { SourceError } from '../running/source.js';
import type { LookupAddress } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND, type Clock } from '@vitrine/core';
import type { Resolve } from '../fetching/guarded-lookup.js';
import type { Environment, ExpectConfig, HeaderConfig, HttpServiceConfig } from '@vitrine/config';
import { decodeText } from '../fetching/decode-text.js';
import type { OutgoingClient, OutgoingResponse } from '../fetching/outgoing-client.js';
import { OutgoingError, type OutgoingReason } from '../fetching/outgoing-response.js';
import { failed, reached, type Probe, type ProbeFailure, type ProbeOutcome } from './probe.js';

/** A name whose name server does not answer is not taken for resolved for longer. */
const KEPT_MS = 5 * MINUTE;

/** Few lookups run at a time, so one name server that does not answer delays all. Then the last answer for a name serves for 5 minutes. Failures are reported. */
export function knownAddresses(resolve: Resolve, clock: Clock, waitMs = SECOND): Resolve {
  const known = new Map<string, { readonly at: number; readonly addresses: readonly LookupAddress[] }>();
  return async (name) => {
    const looked = resolve(name).then((addresses) => {
      known.set(name, { at: clock.now(), addresses });
      return addresses;
    });
    const last = known.get(name);
    if (last === undefined || clock.now() - last.at > KEPT_MS) return looked;
    // The answer that comes too late is still remembered.
    looked.catch(() => undefined);
    return Promise.race([looked, sleep(waitMs, last.addresses, { ref: false })]);
  };
}

export interface HttpProbeOptions {
  readonly client: OutgoingClient;
  readonly environment: Environment;
  readonly clock: Clock;
}

export function httpProbe(service: HttpServiceConfig, { client, environment, clock }: HttpProbeOptions): Probe {
  const { key, target: url, method, timeoutMs, allowPrivate, slowAfterMs } = service;
  const redirects = service.redirects === 0 ? ('none' as const) : service.redirects;
  return async (signal) => {
    const request = { url, method, ...headersOf(service, environment), redirects, timeoutMs, allowPrivate, signal, inTurn: false };
    return judged(key, client.request(request), (response, elapsedMs) => {
      const problem = problemOf(response, service.expect);
      if (problem !== null) return failed(problem);
      const outcome = reached(`http ${response.status}`, elapsedMs, slowAfterMs);
      const isExpiring = (response.certificateExpiresAt ?? Infinity) < clock.now() + service.certificateMs;
      // A service whose certificate is about to expire still works.
      return isExpiring ? { ...outcome, state: 'degraded', rawState: 'tls' } : outcome;
    });
  };
}

const SELF_TIMEOUT_MS = 5 * SECOND;

/** Asks this server for its own health. A process that is gone stores nothing: the coverage then shows the gap. */
export function selfProbe(key: string, target: () => string, client: Pick<OutgoingClient, 'request'>): Probe {
  const request = { allowPrivate: true, redirects: 'none', timeoutMs: SELF_TIMEOUT_MS, inTurn: false } as const;
  return async (signal) =>
    judged(key, client.request({ ...request, url: target(), signal }), ({ status }, elapsedMs) =>
      status === 200 ? reached('http 200', elapsedMs, null) : failed(`http ${status}`),
    );
}

/** What the outcome of a request that was just sent says about the service. Rejects with a {@link SourceError} if it may not be sent at all. */
export async function judged(
  key: string,
  sent: Promise<OutgoingResponse>,
  judge: (response: OutgoingResponse, elapsedMs: number) => ProbeOutcome,
): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  try {
    return judge(await sent, performance.now() - startedAt);
  } catch (error) {
    if (error instanceof OutgoingError) return failedBy(error, key);
    throw error;
  }
}

/** Why a request failed, in the words of probes. `null`: the probe may not connect, which says nothing about the service. */
const FAILURES: Readonly<Record<Exclude<OutgoingReason, `http ${number}`>, ProbeFailure | null>> = {
  timeout: 'timeout',
  refused: 'refused',
  unreachable: 'refused',
  dns: 'dns',
  tls: 'tls',
  redirect: 'text',
  'too large': 'text',
  encoding: 'text',
  'private address': null,
  'private redirect': null,
};

function failedBy({ reason }: OutgoingError, key: string): ProbeOutcome {
  const failure = reason in FAILURES ? FAILURES[reason as keyof typeof FAILURES] : 'text';
  if (failure === null) throw reason === 'private redirect' ? privateRedirect(key) : privateTarget(key);
  return failed(failure);
}

/** The address of the service itself is not named, because it is not public. */
export function privateTarget(key: string): SourceError {
  return new SourceError(`${key} is in a private network. If you trust its address, add allowPrivate: true`, 'PRIVATE_ADDRESS');
}

function privateRedirect(key: string): SourceError {
  return new SourceError(
    `${key} redirects into a private network. allowPrivate allows its own host only: check the address to which it redirects, or set redirects: 0`,
    'PRIVATE_REDIRECT',
  );
}

function headersOf({ key, headers }: HttpServiceConfig, environment: Environment) {
  const plain = headers.flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : []));
  const secret = headers.flatMap((header) => secretOf(header, key, environment));
  return { headers: Object.fromEntries(plain) as Record<string, string>, credentials: Object.fromEntries(secret) as Record<string, string> };
}

function secretOf({ name, value }: HeaderConfig, key: string, environment: Environment): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [];
  const secret = environment[value.variable] ?? '';
  if (secret === '') throw new SourceError(`${key} needs the environment variable ${value.variable}, which is not set`, 'NO_VARIABLE');
  return [[name, secret]];
}

function problemOf(response: OutgoingResponse, expected: ExpectConfig): ProbeFailure | null {
  const { status } = response;
  const isAccepted = expected.status === null ? status >= 200 && status <= 299 : expected.status.includes(status);
  if (!isAccepted) return `http ${status}`;
  const { text, json } = expected;
  return (text === null || hasText(response, text)) && (json === null || hasValue(utf8(response), json)) ? null : 'text';
}

/** In UTF-8, too, because some servers declare another encoding than that of the body, or one that does not exist. */
function hasText(response: OutgoingResponse, text: string): boolean {
  const { body, headers } = response;
  return utf8(response).includes(text) || decodeText(body, headers['content-type'] ?? '')?.includes(text) === true;
}

/** Without a byte order mark, which `JSON.parse` refuses. */
function utf8({ body }: OutgoingResponse): string {
  return new TextDecoder().decode(body);
}

function hasValue(content: string, { path, equals }: NonNullable<ExpectConfig['json']>): boolean {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return false;
  }
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  // A text in the configuration also stands for the number, or for `true` or `false`, that is written like it.
  return value === equals || (/number|boolean/.test(typeof value) && String(value) === equals);
}
