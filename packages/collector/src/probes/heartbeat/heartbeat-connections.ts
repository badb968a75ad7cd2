import { SourceError } from '../../running/source.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '@vitrine/core';
import { createHash } from 'node:crypto';
import type { Environment, HeartbeatServiceConfig } from '@vitrine/config';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const AT_MOST_EVERY_MS = SECOND;

/** Runs at most once in a second. A call resolves with the result of a run that begins after it, or with `false` if the signal aborts before. */
export function coalesced(run: () => Promise<boolean>, signal: AbortSignal): () => Promise<boolean> {
  let mayBegin: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean> | null = null;
  const begin = (): Promise<boolean> => {
    next = null;
    signal.throwIfAborted();
    const running = run();
    mayBegin = Promise.allSettled([running, sleep(AT_MOST_EVERY_MS, undefined, { signal, ref: false })]);
    return running;
  };
  return () => (next ??= mayBegin.then(begin).catch(() => false));
}

/** Characters that need no encoding in an address. */
const USABLE = /^[A-Za-z0-9._~-]{16,200}$/;

type WithToken = Pick<HeartbeatServiceConfig, 'key' | 'tokenVariable'>;

export function tokenOf({ key, tokenVariable }: WithToken, environment: Environment): string | SourceError {
  const token = environment[tokenVariable] ?? '';
  if (USABLE.test(token)) return token;
  if (token === '')
    return new SourceError(
      `${key} needs the environment variable ${tokenVariable}, which is not set. Set it for the process that collects.`,
      'NO_VARIABLE',
    );
  const rule = '16 to 200 characters of A-Z a-z 0-9 . _ ~ -, such as the output of: openssl rand -hex 16';
  return new SourceError(`The token of ${key} in the environment variable ${tokenVariable} cannot be used. Set it to ${rule}`, 'WEAK_TOKEN');
}

/** Why the token of a service cannot be used, for people; `null` if it can. */
export function heartbeatTokenProblem(service: WithToken, environment: Environment): string | null {
  const token = tokenOf(service, environment);
  return token instanceof SourceError ? token.message : null;
}

/** Tokens are compared by their hashes, which have one length, so that the time of a comparison says nothing about a token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whom a connection counts for. */
export interface ConnectionClient {
  readonly key: string;
  /** The network whose clients are also limited together; `null`: none. */
  readonly network: string | null;
}

/**
 * Whom a connection counts for; `null` while only a trusted proxy is known.
 * @param address of the socket @param forwardedFor of `X-Forwarded-For`; `null` before the request has arrived
 */
export type ClientOf = (address: string | undefined, forwardedFor: string | null) => ConnectionClient | null;

export const clientByAddress: ClientOf = (address = '') => ({ key: address, network: null });

/** Few enough for the file descriptors that a server keeps free, and enough for many jobs behind one address. No client or network can take them all. */
export const HEARTBEAT_CONNECTION_LIMITS = { all: 200, ofOneClient: 100, ofOneNetwork: 150 };
export type HeartbeatConnectionLimits = Readonly<typeof HEARTBEAT_CONNECTION_LIMITS>;

interface Connection {
  client: ConnectionClient | null;
  /** Whether it may be closed for a newer one, because it has brought no heartbeat. */
  canGo: boolean;
}

/** If there are too many connections, the oldest one that has brought no heartbeat is closed. A new one is refused only if all others have brought one. */
export class HeartbeatConnections {
  readonly #open = new Map<Socket, Connection>();

  constructor(
    private readonly limits: HeartbeatConnectionLimits,
    private readonly clientOf: ClientOf,
    private readonly onRefused: () => void,
  ) {}

  add(socket: Socket): void {
    this.#open.set(socket, { client: this.clientOf(socket.remoteAddress, null), canGo: true });
    socket.once('close', () => this.#open.delete(socket));
    this.#makeRoomFor(socket);
  }

  /** The headers of a request have arrived. Behind a trusted proxy, they name the client. */
  requested({ socket, headers }: IncomingMessage, bringsHeartbeat: boolean): void {
    if (!this.#open.has(socket)) return;
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    this.#open.set(socket, { client: this.clientOf(socket.remoteAddress, forwardedFor), canGo: !bringsHeartbeat });
    this.#makeRoomFor(socket);
  }

  #makeRoomFor(socket: Socket): void {
    const client = this.#open.get(socket)?.client ?? null;
    const { all, ofOneClient, ofOneNetwork } = this.limits;
    this.#limit(socket, all, () => true);
    if (client === null) return;
    this.#limit(socket, ofOneClient, (other) => other?.key === client.key);
    if (client.network !== null) this.#limit(socket, ofOneNetwork, (other) => other?.network === client.network);
  }

  #limit(socket: Socket, most: number, counts: (client: ConnectionClient | null) => boolean): void {
    const counted = [...this.#open].filter(([, { client }]) => counts(client));
    if (counted.length <= most) return;
    const [oldest] = counted.find(([other, { canGo }]) => canGo && other !== socket && !other.writableEnded) ?? [socket];
    if (oldest === socket) this.onRefused();
    this.#open.delete(oldest);
    // A reset also drops what the client has not read. Otherwise the operating system would keep it. While a socket is shut down after its response, a reset fails.
    oldest.resetAndDestroy();
  }
}
