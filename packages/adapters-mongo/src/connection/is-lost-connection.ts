import { types } from 'node:util';

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

/**
 * Whether an operation failed because its connection was lost at that moment. In this case the driver passes on the error of the socket. It does not treat it
 * as a network error, and does not retry. The check uses the error code, because in Jest the error is not an instance of the test's own `Error`.
 */
export function isLostConnection(error: unknown): error is Error {
  return types.isNativeError(error) && 'code' in error && LOST.has(error.code);
}
