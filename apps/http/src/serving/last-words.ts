import type { Duplex } from 'node:stream';

/** Milliseconds in which a client can read its last response and close its side. */
const LINGER_MS = 2_000;

/**
 * Sends a last message on a socket and ends the socket within two seconds. Until then it reads and discards what the client sends. Closing a socket with
 * unread bytes would reset the connection, and the client could miss the message.
 *
 * @param evict ends the socket of a client that has not closed its side until then
 */
export function endWith(socket: Duplex, message: string, evict: () => void): void {
  if (!socket.writable) {
    evict();
    return;
  }
  // Node's own time-outs do not apply to a socket that it has passed on.
  const deadline = setTimeout(evict, LINGER_MS);
  socket.once('close', () => {
    clearTimeout(deadline);
  });
  socket.end(message);
  socket.resume();
}
