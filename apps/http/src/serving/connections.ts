import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ConnectionLimits {
  /** Concurrent connections. Above it, new connections are closed at once. */
  readonly maxConnections: number;
  /** Milliseconds for which an idle connection is kept, even above the limit, because a request may be on its way. */
  readonly minIdleMs: number;
  /** Requests that wait behind others of their connection, counted over all connections. */
  readonly maxWaiting: number;
  /** Bytes of all responses that clients have not read. */
  readonly maxUnreadBytes: number;
  /** Milliseconds without a transferred byte after which a connection is closed; at the earliest after half of them. */
  readonly stallMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  maxConnections: 20_000,
  minIdleMs: 1_000,
  maxWaiting: 10_000,
  maxUnreadBytes: 64 * 1_024 * 1_024,
  stallMs: 15_000,
};

/** Above this share of the limit, each new connection closes the one that has been idle the longest. */
const CROWDED = 0.8;
/** Milliseconds in which a client can read its last response and close its side. */
const LINGER_MS = 2_000;

/** A number for each of some connections, and their sum: the oldest first. */
class Shares {
  readonly #shares = new Map<Connection, number>();
  total = 0;

  of(connection: Connection): number {
    return this.#shares.get(connection) ?? 0;
  }

  set(connection: Connection, share: number): void {
    this.total += share - this.of(connection);
    if (share === 0) this.#shares.delete(connection);
    else this.#shares.set(connection, share);
  }

  get oldest(): Connection | undefined {
    return this.#shares.keys().next().value;
  }

  get largest(): Connection | undefined {
    return [...this.#shares].sort(([, one], [, other]) => other - one)[0]?.[0];
  }
}

/** The connection of one client. Its requests are answered one at a time, in order. */
export class Connection {
  /** The time (`performance.now()`) when it was opened or its last response was fully sent. */
  idleSince = performance.now();
  #isAnswering = false;
  /** A message that is sent after the last response. If it is set, no further request is accepted. */
  #lastWords: string | null = null;

  constructor(
    private readonly socket: Socket,
    private readonly all: Connections,
  ) {
    all.idle.add(this);
  }

  /** Starts a request when all earlier responses are fully sent, or at once if there are none. Never starts it if the connection ends before. */
  take(response: ServerResponse, begin: () => void): void {
    if (this.isEnding || this.socket.destroyed) return;
    // Node assigns the socket to one response at a time, in the order of the requests.
    if (response.socket !== null) {
      this.#begin(begin);
      return;
    }
    const { waiting, limits } = this.all;
    response.once('socket', () => {
      // Other connections get their turn before the next request starts.
      setImmediate(() => {
        if (this.socket.destroyed) return;
        waiting.set(this, Math.max(0, waiting.of(this) - 1));
        this.#begin(begin);
      });
    });
    waiting.set(this, waiting.of(this) + 1);
    if (waiting.total > limits.maxWaiting) waiting.largest?.evict();
  }

  /** Call this when a response was written to the socket. @param bytes its size */
  sent(bytes: number): void {
    const { unread, limits } = this.all;
    const { writableLength } = this.socket;
    if (writableLength === 0) return;
    unread.set(this, Math.max(bytes, writableLength));
    while (unread.total > limits.maxUnreadBytes) unread.oldest?.evict();
  }

  /** Call this when a response was fully sent, or its client has disconnected. */
  answered(): void {
    this.#isAnswering = false;
    this.all.unread.set(this, 0);
    if (this.socket.destroyed) return;
    this.idleSince = performance.now();
    this.all.idle.add(this);
    this.#sayLastWords();
  }

  get isEnding(): boolean {
    return this.#lastWords !== null;
  }

  /** Ends the connection with a message, after the responses to all earlier requests. Anything that arrives later is ignored. */
  end(message: string): void {
    if (this.isEnding) return;
    this.#lastWords = message;
    // Bytes that arrive later would make a client that reads nothing look active. Node sets no time-out for a socket that it has passed on.
    this.socket.pause();
    this.socket.setTimeout(this.all.limits.stallMs / 2, this.evict);
    this.#sayLastWords();
  }

  /** Closes the connection. The operating system sends what it already has. */
  close(): void {
    this.socket.destroy();
  }

  /** Resets the connection. After `close`, the operating system would keep what a client does not read, megabytes for each connection, as long as the client likes. */
  readonly evict = (): void => {
    this.closed();
    const { writableEnded, writableFinished, writableLength } = this.socket;
    const isShuttingDown = writableEnded && !writableFinished && writableLength === 0;
    // A reset at this moment fails, and then the socket would never be closed.
    if (isShuttingDown) this.socket.once('finish', this.evict);
    else this.socket.resetAndDestroy();
  };

  closed(): void {
    this.all.idle.delete(this);
    this.all.unread.set(this, 0);
    this.all.waiting.set(this, 0);
  }

  #begin(begin: () => void): void {
    this.#isAnswering = true;
    this.all.idle.delete(this);
    begin();
  }

  /**
   * Sends the last message and ends the socket within two seconds. Until then it reads and discards what the client sends: closing a socket with unread
   * bytes would reset the connection, and the client could miss the message.
   */
  #sayLastWords(): void {
    if (this.#lastWords === null || this.#isAnswering || this.all.waiting.of(this) > 0) return;
    if (!this.socket.writable) {
      this.evict();
      return;
    }
    const deadline = setTimeout(this.evict, LINGER_MS);
    this.socket.once('close', () => clearTimeout(deadline));
    this.socket.end(this.#lastWords);
    this.socket.resume();
  }
}

/** All connections of a server, including those whose sockets Node no longer manages. */
export class Connections {
  /** Those without a request in progress, the longest idle first. */
  readonly idle = new Set<Connection>();
  /** Requests behind others of their connection. Their number is limited, because each of them takes memory. */
  readonly waiting = new Shares();
  /** Bytes of responses that were written to a socket, but that the client has not fully read. */
  readonly unread = new Shares();
  readonly #bySocket = new Map<Duplex, Connection>();

  constructor(readonly limits: ConnectionLimits) {}

  watch(server: Server): void {
    server.maxConnections = this.limits.maxConnections;
    // Node starts this time again whenever a byte is transferred, in either direction. It notices a byte that a client has read only when the time is over.
    server.timeout = this.limits.stallMs / 2;
    server.on('connection', (socket) => {
      this.#add(socket);
      if (this.#bySocket.size > CROWDED * this.limits.maxConnections) this.#closeLongestIdle();
    });
    server.on('timeout', (socket: Socket) => this.#bySocket.get(socket)?.evict());
    server.on('drop', () => this.#closeLongestIdle());
  }

  /** The connection of a socket; `undefined` if it is closed. */
  of(socket: Duplex): Connection | undefined {
    return this.#bySocket.get(socket);
  }

  closeIdle(): void {
    for (const connection of this.idle) connection.close();
  }

  /** Also those whose clients have not read their responses. */
  closeAll(): void {
    for (const connection of this.#bySocket.values()) connection.evict();
  }

  #add(socket: Socket): void {
    // Node removes its own error handler before it passes a socket on, and an unhandled error event ends the process. A socket with an error closes itself.
    socket.on('error', () => undefined);
    const connection = new Connection(socket, this);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#bySocket.delete(socket);
      connection.closed();
    });
  }

  #closeLongestIdle(): void {
    const [longest] = this.idle;
    if (longest === undefined || performance.now() - longest.idleSince < this.limits.minIdleMs) return;
    longest.evict();
  }
}
