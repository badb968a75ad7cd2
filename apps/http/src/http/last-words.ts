import type { Duplex } from 'node:stream';

/** Milliseconds in which a client can take its last answer and close its side. */
const LINGER_MS = 2_000;

/**
 * Sends a last message on a socket and ends it, at the latest two seconds later. What the client still sends is read and thrown away: a socket that is closed
 * over unread bytes is reset, and the reset can overtake the message.
 */
export function endWith(socket: Duplex, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // Node's own time-outs do not cover a socket that it has handed over.
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(deadline);
  });
  socket.end(message);
  socket.resume();
}
