import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Connection, type SharedState } from './connection.js';
import { UnreadAnswers, type UnreadLimits } from './unread-answers.js';
import { WaitingRequests } from './waiting-requests.js';

export interface ConnectionLimits extends UnreadLimits {
  /** Connections at a time; more are closed as they come. */
  readonly maxConnections: number;
  /** Milliseconds for which a connection stays, however many there are: a request may be on its way. */
  readonly minIdleMs: number;
  /** Requests that wait behind others of their connection, all connections together. */
  readonly maxWaiting: number;
  /** Milliseconds for the rest of a request that came late because its connection was not read meanwhile. */
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

/** Above this share of the limit each new connection closes the one that has been idle the longest. */
const CROWDED = 0.8;

/** All connections of a server, whatever Node has handed their sockets over to. */
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
    // Otherwise Node ends a connection whose client has closed its side, also when requests wait on it.
    Reflect.set(server, 'httpAllowHalfOpen', true);
    server.on('connection', (socket) => {
      this.#add(socket);
      if (this.#all.size > CROWDED * this.#limits.maxConnections) this.#closeLongestIdle();
    });
    server.on('drop', () => {
      this.#closeLongestIdle();
    });
  }

  /** `undefined`: it is closed. */
  of(socket: Duplex): Connection | undefined {
    return this.#all.get(socket);
  }

  /** Closes those on which no request is being answered. */
  closeIdle(): void {
    for (const connection of this.#shared.idle) connection.destroy();
  }

  closeAll(): void {
    for (const connection of this.#all.values()) connection.destroy();
  }

  #add(socket: Socket): void {
    // Node takes its own handler away before it hands a socket over, and an error that nobody handles ends the process.
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
    longest.destroy();
  }
}

/** A socket that fails closes itself. */
function ignore(): void {}
