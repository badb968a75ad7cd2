import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endWith } from './last-words.js';
import type { UnreadAnswers } from './unread-answers.js';
import type { WaitingRequests } from './waiting-requests.js';

/** The state that all connections of a server share. */
export interface SharedState {
  /** Connections without a request in progress, the longest idle first. */
  readonly idle: Set<Connection>;
  readonly waiting: WaitingRequests<Connection>;
  readonly unread: UnreadAnswers;
  /** Milliseconds that a late request gets for its rest, if it is late because the server did not read from its connection. */
  readonly secondChanceMs: number;
}

/** With more waiting requests than this, the server does not read from the connection. The limit is not 0, because only reading shows that a client has disconnected. */
const READ_AHEAD = 16;

/** The connection of one client. Its requests are answered one at a time, in order. */
export class Connection {
  readonly #socket: Socket;
  readonly #shared: SharedState;
  /** The time (`performance.now()`) when it was opened or its last response was fully sent. */
  #idleSince = performance.now();
  #isAnswering = false;
  #isHeld = false;
  /** A message that is sent after the last response. If it is set, no further request is accepted. */
  #lastWords: string | null = null;
  #lateWords: string | null = null;
  #secondChance: NodeJS.Timeout | undefined;

  constructor(socket: Socket, shared: SharedState) {
    this.#socket = socket;
    this.#shared = shared;
    shared.idle.add(this);
  }

  /** Starts a request when all earlier responses are fully sent, or at once if there are none. Never starts it if the connection ends before. */
  take(response: ServerResponse, begin: () => void): void {
    this.#keptLateRequest();
    if (this.isEnding || this.#socket.destroyed) return;
    // Node assigns the socket to one response at a time, in the order of the requests.
    if (response.socket !== null) {
      this.#begin(begin);
      return;
    }
    response.once('socket', () => {
      // Other connections get their turn before the next request starts.
      setImmediate(() => {
        this.#unlessGone(() => {
          this.#beginWaiting(begin);
        });
      });
    });
    if (this.#shared.waiting.add(this) > READ_AHEAD) this.#hold();
  }

  /** Call this when a response was written to the socket. @param bytes its size */
  sent(bytes: number): void {
    const { writableLength } = this.#socket;
    if (writableLength > 0) this.#shared.unread.add(this, Math.max(bytes, writableLength));
  }

  /** Call this when a response was fully sent, or its client has disconnected. */
  answered(): void {
    this.#isAnswering = false;
    this.#shared.unread.delete(this);
    if (this.#socket.destroyed) return;
    this.#idleSince = performance.now();
    this.#shared.idle.add(this);
    this.#sayLastWords();
  }

  /** Ends the connection with a message, after the responses to all earlier requests. Anything that arrives later is ignored. */
  end(message: string): void {
    if (this.isEnding) return;
    this.#lastWords = message;
    this.#sayLastWords();
  }

  /** Ends the connection as `end` does, because a request did not arrive in time. If the server did not read from the connection, the request gets more time instead. */
  endLate(message: string): void {
    if (this.#isHeld) this.#lateWords = message;
    else this.end(message);
  }

  get idleSince(): number {
    return this.#idleSince;
  }

  /** Whether `end` was called. */
  get isEnding(): boolean {
    return this.#lastWords !== null;
  }

  get unsent(): number {
    const handle: unknown = Reflect.get(this.#socket, '_handle');
    // Node has no public property for the progress of a single long write.
    const queued: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
    return this.#socket.writableLength + (typeof queued === 'number' ? queued : 0);
  }

  /** Closes the connection. What is not sent yet is sent by the operating system. */
  close(): void {
    this.#socket.destroy();
  }

  /** Resets the connection. After `close`, the operating system would keep what a client does not read, megabytes for each connection, as long as the client likes. */
  readonly evict = (): void => {
    const { writableEnded, writableFinished, writableLength } = this.#socket;
    const isShuttingDown = writableEnded && !writableFinished && writableLength === 0;
    // A reset at this moment fails, and then the socket would never be closed.
    if (isShuttingDown) this.#socket.once('finish', this.evict);
    else this.#socket.resetAndDestroy();
  };

  /** Nothing was transferred for the time that Node allows. A client that still reads the end of its last response has some time for it. */
  timedOut(): void {
    if (this.#isAnswering || this.#shared.waiting.of(this) > 0) this.evict();
    else this.end('');
  }

  /** The client has closed its side. Requests that already wait are answered. A request in progress with none behind it is cancelled, because most such clients have disconnected. */
  halfClosed(): void {
    if (!this.isEnding && this.#shared.waiting.of(this) === 0) this.#socket.end();
  }

  /** Call this when the socket was closed. */
  closed(): void {
    clearTimeout(this.#secondChance);
    this.#shared.idle.delete(this);
    this.#shared.unread.delete(this);
    this.#shared.waiting.drop(this);
  }

  #begin(begin: () => void): void {
    this.#isAnswering = true;
    this.#shared.idle.delete(this);
    begin();
  }

  /** Calls back if the client is still connected. A socket that is not read does not report a disconnect, but a write to it fails, even of an empty string. */
  #unlessGone(call: () => void): void {
    if (!this.#socket.writable) return;
    this.#socket.write('', (error) => {
      if (!this.#socket.destroyed && (error === undefined || error === null)) call();
    });
  }

  #beginWaiting(begin: () => void): void {
    const waiting = this.#shared.waiting.remove(this);
    if (this.#isHeld && waiting <= READ_AHEAD) this.#release();
    this.#begin(begin);
  }

  #sayLastWords(): void {
    if (this.#lastWords === null || this.#isAnswering || this.#shared.waiting.of(this) > 0) return;
    endWith(this.#socket, this.#lastWords, this.evict);
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#socket.pause();
    // Node resumes a socket after each message that it has parsed and after each response. This function prevents that.
    Object.defineProperty(this.#socket, 'resume', { value: () => this.#socket, configurable: true });
  }

  #release(): void {
    this.#isHeld = false;
    Reflect.deleteProperty(this.#socket, 'resume');
    this.#socket.resume();
    const message = this.#lateWords;
    if (message === null) return;
    this.#secondChance = setTimeout(() => {
      this.end(message);
    }, this.#shared.secondChanceMs).unref();
  }

  #keptLateRequest(): void {
    if (this.#lateWords === null) return;
    this.#lateWords = null;
    clearTimeout(this.#secondChance);
  }
}
