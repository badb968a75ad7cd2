import { types } from 'node:util';

/** What a socket says that its peer has left, or that it is no more. */
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

/**
 * Whether a question met a connection that was lost at that very moment. The driver passes on what the socket says then, does not take it for an error
 * of the network, and does not ask again. It is an error of Node's own, and no instance of the `Error` of another realm, such as that of tests in Jest.
 */
export function isLostConnection(error: unknown): error is Error {
  return types.isNativeError(error) && 'code' in error && LOST.has(error.code);
}
