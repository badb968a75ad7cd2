import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whom a connection counts for. */
export interface ConnectionClient {
  readonly key: string;
  /** The network whose clients are also limited together; `null`: none. */
  readonly network: string | null;
}

/**
 * Tells whom a connection counts for; `null` while only a trusted proxy is known.
 *
 * @param address of the socket
 * @param forwardedFor the value of `X-Forwarded-For`; `null` before the request has arrived
 */
export type ClientOf = (address: string | undefined, forwardedFor: string | null) => ConnectionClient | null;

/** Each address is a client. */
export const clientByAddress: ClientOf = (address = '') => ({ key: address, network: null });

/** The most connections at a time. */
export interface HeartbeatConnectionLimits {
  readonly all: number;
  /** So one client cannot take them all. */
  readonly ofOneClient: number;
  /** So a network of clients cannot take them all either. */
  readonly ofOneNetwork: number;
}

/**
 * Few enough for the file descriptors that a server keeps free for everything except clients of its API. For one client, enough for many jobs that start at the same
 * minute behind one address.
 */
export const HEARTBEAT_CONNECTION_LIMITS: HeartbeatConnectionLimits = { all: 200, ofOneClient: 100, ofOneNetwork: 150 };

interface Connection {
  client: ConnectionClient | null;
  /** Whether it may be closed for a newer one, because it has brought no heartbeat. */
  canGo: boolean;
}

/**
 * The connections of a listener. If there are too many, the oldest one that has brought no heartbeat is closed, so that clients which send nothing keep no heartbeat out.
 * A new connection is refused only if all others have brought one.
 */
export class HeartbeatConnections {
  readonly #limits: HeartbeatConnectionLimits;
  readonly #clientOf: ClientOf;
  readonly #onRefused: () => void;
  /** The oldest first. */
  readonly #open = new Map<Socket, Connection>();

  /** @param onRefused a connection was refused that may have brought a heartbeat */
  constructor(limits: HeartbeatConnectionLimits, clientOf: ClientOf, onRefused: () => void) {
    [this.#limits, this.#clientOf, this.#onRefused] = [limits, clientOf, onRefused];
  }

  /** A client has connected. */
  add(socket: Socket): void {
    this.#open.set(socket, { client: this.#clientOf(socket.remoteAddress, null), canGo: true });
    socket.once('close', () => this.#open.delete(socket));
    this.#makeRoomFor(socket);
  }

  /** The headers of a request have arrived. Behind a trusted proxy, they name the client. */
  requested({ socket, headers }: IncomingMessage, bringsHeartbeat: boolean): void {
    if (!this.#open.has(socket)) return;
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    this.#open.set(socket, { client: this.#clientOf(socket.remoteAddress, forwardedFor), canGo: !bringsHeartbeat });
    this.#makeRoomFor(socket);
  }

  #makeRoomFor(socket: Socket): void {
    const client = this.#open.get(socket)?.client ?? null;
    const { all, ofOneClient, ofOneNetwork } = this.#limits;
    this.#limit(socket, all, () => true);
    if (client === null) return;
    this.#limit(socket, ofOneClient, (other) => other?.key === client.key);
    if (client.network !== null) this.#limit(socket, ofOneNetwork, (other) => other?.network === client.network);
  }

  #limit(socket: Socket, most: number, counts: (client: ConnectionClient | null) => boolean): void {
    const counted = [...this.#open].filter(([, { client }]) => counts(client));
    if (counted.length <= most) return;
    const [oldest] = counted.find(([other, { canGo }]) => canGo && other !== socket && !other.writableEnded) ?? [socket];
    if (oldest === socket) this.#onRefused();
    this.#open.delete(oldest);
    // A reset also drops what the client has not read. Otherwise the operating system would keep it. While a socket is shut down after its response, a reset fails.
    oldest.resetAndDestroy();
  }
}
