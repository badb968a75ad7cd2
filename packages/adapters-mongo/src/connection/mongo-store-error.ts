import { types } from 'node:util';
import { UnavailableError } from '@vitrine/core';
import { MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';

type AnswerProblem = 'unreachable' | 'credentials' | 'permission' | 'failure';

export type MongoStoreProblem = 'address' | 'standalone' | AnswerProblem;

/** The database cannot be used. The message says what is wrong and how to fix it, without credentials. */
export class MongoStoreError extends Error {
  constructor(
    readonly problem: MongoStoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MongoStoreError';
  }
}

/** `AuthenticationFailed`, and the code that hosted clusters use instead. */
const UNKNOWN_USER: readonly unknown[] = [18, 8000];
const UNAUTHORIZED = 13;
/** A member that is not or no longer the primary, that shuts down or starts, or that did not finish in time. Only some of these answers have a label of the driver. */
const AWAY: ReadonlySet<unknown> = new Set([10_107, 10_058, 13_435, 13_436, 11_600, 11_602, 189, 91, 50, 64, 262]);
const NAME_NOT_FOUND: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'EAI_AGAIN', 'ECONNREFUSED'];

/** The name of the driver's error when no connection was made in time. It does not export the class under this name. */
const NO_FREE_CONNECTION = 'MongoWaitQueueTimeoutError';

/** Translates an error of the driver for the person who runs Vitrine; `null` if the state of the database or its users is not the cause. @param hosts the hosts of the connection string */
export function toMongoStoreError(error: unknown, hosts: string): MongoStoreError | null {
  if (error instanceof MongoStoreError) return error;
  if (error instanceof StandaloneError) return new MongoStoreError('standalone', `MongoDB at ${hosts} ${error.message}`);
  const found = error instanceof UnavailableError ? problemOfCause(error.cause) : problemOf(error);
  if (found === null) return null;
  const [problem, detail] = found;
  return new MongoStoreError(problem, sentences(problem, `MongoDB at ${hosts}`, firstSentence(detail)), { cause: error });
}

/** The server belongs to no replica set, so it has no stream of changes and no transactions. */
export class StandaloneError extends Error {
  constructor() {
    super(
      'is a standalone server, which cannot tell of changes. Make it a replica set of one member: start mongod with --replSet rs0, then run once: mongosh --eval "rs.initiate()"',
    );
  }
}

/** The error for a connection string whose content is invalid, such as an unknown option. */
export function addressError(error: unknown): MongoStoreError {
  const said = error instanceof Error ? error.message : String(error);
  return new MongoStoreError('address', `The connection string of MongoDB cannot be used: ${firstSentence(said)}.`, { cause: error });
}

/** A reader or a writer has met an error. Its name says what failed, without the documents that its message may contain. */
function problemOfCause(cause: unknown): readonly [AnswerProblem, string] | null {
  const found = problemOf(cause);
  return found === null && cause instanceof MongoServerError ? ['failure', cause.codeName ?? `code ${String(cause.code)}`] : found;
}

function problemOf(error: unknown): readonly [AnswerProblem, string] | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof MongoServerError) return problemOfAnswer(error);
  if (error instanceof MongoServerSelectionError) return ['unreachable', error.cause?.message ?? nobodyOf(error)];
  return isNetworkError(error) || error.name === NO_FREE_CONNECTION ? ['unreachable', error.message] : null;
}

/** A server of another set, or of none, does not fit. */
function nobodyOf({ reason }: MongoServerSelectionError): string {
  const setName = reason?.setName ?? null;
  return `no member ${setName === null ? '' : `of the replica set "${setName}" `}that fits answered in time`;
}

function isNetworkError(error: Error): boolean {
  return error instanceof MongoNetworkError || isLostConnection(error) || isNameNotFound(error);
}

function problemOfAnswer(error: MongoServerError): readonly [AnswerProblem, string] | null {
  if (UNKNOWN_USER.includes(error.code)) return ['credentials', error.message];
  // The rest of the message is the whole command, which may contain private data.
  if (error.code === UNAUTHORIZED) return ['permission', error.message.replace(/ to execute command .*/s, '')];
  return AWAY.has(error.code) || error.hasErrorLabel('RetryableWriteError') ? ['unreachable', error.message] : null;
}

/** For `mongodb+srv`: the names of the members are looked up before a connection is made. */
function isNameNotFound(error: Error): boolean {
  return 'syscall' in error && 'code' in error && NAME_NOT_FOUND.includes(error.code);
}

function sentences(problem: AnswerProblem, place: string, reason: string): string {
  if (problem === 'unreachable') return `${place} cannot be reached: ${reason}. Start it, or correct the connection string.`;
  if (problem === 'credentials') return `${place} does not take this user with this password. Correct them in the connection string.`;
  if (problem === 'failure') return `${place} could not carry out an operation: ${reason}. Its log says why.`;
  return `${place} refuses: ${reason}. The user needs the role read to serve and export, readWrite for everything else.`;
}

function firstSentence(text: string): string {
  return text.replace(/\n.*/s, '').replace(/\.$/, '');
}

/** The error codes of a socket that is closed, or whose peer has closed it. */
const LOST: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
]);

/** Whether an operation failed because its connection was lost meanwhile. The driver then passes on the error of the socket, and does not retry. In Jest, it is no instance of the test's own `Error`. */
export function isLostConnection(error: unknown): error is Error {
  return types.isNativeError(error) && 'code' in error && LOST.has(error.code);
}
