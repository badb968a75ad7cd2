import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Connection, type SharedState } from './connection.js';
import { UnreadAnswers, type UnreadLimits } from './unread-answers.js';
import { WaitingRequests } from './waiting-requests.js';

export interface ConnectionLimits extends UnreadLimits {
  /** Concurrent connections. Above it, new connections are closed at once. */
  readonly maxConnections: number;
  /** Milliseconds for which an idle connection is kept, even above the limit, because a request may be on its way. */
  readonly minIdleMs: number;
  /** Requests that wait behind others of their connection, counted over all connections. */
  readonly maxWaiting: number;
  /** Milliseconds that a late request gets for its rest, if it is late because the server did not read from its connection. */
  readonly secondChanceMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  maxConnections: 20_000,
  minIdleMs: 1_000,
  maxWaiting: 10_000,
  secondChanceMs: 5_000,
  maxUnreadBytes: 64 * 1_024 * 1_024,
  stallMs: 15_000,
};

/** Above this share of the limit, each new connection closes the one that has been idle the longest. */
const CROWDED = 0.8;

/** All connections of a server, including those whose sockets Node no longer manages. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #all = new Map<Duplex, Connection>();
  readonly #shared: SharedState;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#shared = {
      idle: new Set(),
      waiting: new WaitingRequests(limits.maxWaiting),
      unread: new UnreadAnswers(limits),
      secondChanceMs: limits.secondChanceMs,
    };
  }

  watch(server: Server): void {
    server.maxConnections = this.#limits.maxConnections;
    // Otherwise Node ends a connection when its client closes its side, even if requests are waiting on it.
    Reflect.set(server, 'httpAllowHalfOpen', true);
    server.on('connection', (socket) => {
      this.#add(socket);
      if (this.#all.size > CROWDED * this.#limits.maxConnections) this.#closeLongestIdle();
    });
    server.on('timeout', (socket: Socket) => {
      this.#all.get(socket)?.timedOut();
    });
    server.on('drop', () => {
      this.#closeLongestIdle();
    });
  }

  /** The connection of a socket; `undefined` if it is closed. */
  of(socket: Duplex): Connection | undefined {
    return this.#all.get(socket);
  }

  /** Closes the connections without a request in progress. */
  closeIdle(): void {
    for (const connection of this.#shared.idle) connection.close();
  }

  /** Also those whose clients have not read their responses. */
  closeAll(): void {
    for (const connection of this.#all.values()) connection.evict();
  }

  #add(socket: Socket): void {
    // Node removes its own error handler before it passes a socket on, and an unhandled error event ends the process.
    socket.on('error', ignore);
    const connection = new Connection(socket, this.#shared);
    this.#all.set(socket, connection);
    socket.once('end', () => {
      connection.halfClosed();
    });
    socket.once('close', () => {
      this.#all.delete(socket);
      connection.closed();
    });
  }

  #closeLongestIdle(): void {
    const [longest] = this.#shared.idle;
    if (longest === undefined || performance.now() - longest.idleSince < this.#limits.minIdleMs) return;
    this.#shared.idle.delete(longest);
    longest.evict();
  }
}

/** A socket with an error closes itself, so there is nothing to do. */
function ignore(): void {}
