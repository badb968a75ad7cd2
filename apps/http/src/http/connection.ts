import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endWith } from './last-words.js';
import type { UnreadAnswers } from './unread-answers.js';
import type { WaitingRequests } from './waiting-requests.js';

/** What the connections of a server share. */
export interface SharedState {
  /** Connections on which no request is being answered, the longest idle first. */
  readonly idle: Set<Connection>;
  readonly waiting: WaitingRequests<Connection>;
  readonly unread: UnreadAnswers;
  /** Milliseconds for the rest of a request that came late because its connection was not read meanwhile. */
  readonly secondChanceMs: number;
}

/** Above this many waiting requests nothing is read from a connection. It is not 0, because only a socket that is read tells that its client has gone. */
const READ_AHEAD = 16;

/** One client's connection. Its requests are answered one at a time, in their order. */
export class Connection {
  readonly #socket: Socket;
  readonly #shared: SharedState;
  /** By `performance.now()`: when it was opened, or its last answer was taken. */
  #idleSince = performance.now();
  #isAnswering = false;
  #isHeld = false;
  /** Sent after the last answer; no request is taken after it. */
  #lastWords: string | null = null;
  #lateWords: string | null = null;
  #secondChance: NodeJS.Timeout | undefined;

  constructor(socket: Socket, shared: SharedState) {
    this.#socket = socket;
    this.#shared = shared;
    shared.idle.add(this);
  }

  /** Begins a request at once, or when those before it have been answered and their answers were taken. Not at all if the connection ends before. */
  take(response: ServerResponse, begin: () => void): void {
    this.#keptLateRequest();
    if (this.isEnding || this.#socket.destroyed) return;
    // Node gives the socket to one response at a time, in the order of the requests.
    if (response.socket !== null) {
      this.#begin(begin);
      return;
    }
    response.once('socket', () => {
      // Other connections get their turn in between.
      setImmediate(() => {
        this.#unlessGone(() => {
          this.#beginWaiting(begin);
        });
      });
    });
    if (this.#shared.waiting.add(this) > READ_AHEAD) this.#hold();
  }

  /** An answer of so many bytes was handed to the socket. */
  sent(bytes: number): void {
    const { writableLength } = this.#socket;
    if (writableLength > 0) this.#shared.unread.add(this, Math.max(bytes, writableLength));
  }

  /** The answer was taken, or its client has gone. */
  answered(): void {
    this.#isAnswering = false;
    this.#shared.unread.delete(this);
    if (this.#socket.destroyed) return;
    this.#idleSince = performance.now();
    this.#shared.idle.add(this);
    this.#sayLastWords();
  }

  /** Ends the connection with a message, after the answers to all requests before. What comes later on it is ignored. */
  end(message: string): void {
    if (this.isEnding) return;
    this.#lastWords = message;
    this.#sayLastWords();
  }

  /** Ends the connection as `end` does, because a request did not arrive in time. If the connection was not read, the request gets more time. */
  endLate(message: string): void {
    if (this.#isHeld) this.#lateWords = message;
    else this.end(message);
  }

  get idleSince(): number {
    return this.#idleSince;
  }

  /** Whether its last message is decided. */
  get isEnding(): boolean {
    return this.#lastWords !== null;
  }

  get unsent(): number {
    const handle: unknown = Reflect.get(this.#socket, '_handle');
    // The one place that tells how far a single long write has come.
    const queued: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
    return this.#socket.writableLength + (typeof queued === 'number' ? queued : 0);
  }

  readonly destroy = (): void => {
    this.#socket.destroy();
  };

  /** The client has closed its side. Requests that wait came before that and are answered; one that is being answered alone is given up, because most clients that do so have gone. */
  halfClosed(): void {
    if (!this.isEnding && this.#shared.waiting.of(this) === 0) this.#socket.end();
  }

  /** The socket was closed. */
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

  /** Calls if the client is there: a socket that is not read does not tell, but to write to it fails, even if it is nothing that is written. */
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
    endWith(this.#socket, this.#lastWords);
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#socket.pause();
    // Node resumes a socket after each message that it has parsed, and each answer that was taken.
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
