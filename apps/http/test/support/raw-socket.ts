import net from 'node:net';
import type { Received } from './contract.js';

/** A response arrives in one piece; if more follows, it follows soon. */
const AFTER_DATA_MS = 100;
/** If the machine was busy, data may have arrived that was not read before the timer fired. */
const UNREAD_DATA_MS = 20;

/** Sends bytes. Resolves with everything that was received until the server closed the connection, or until a pause. If the server must close it, wait longer: `quietMs`. */
export function exchangeRaw(
  port: number,
  bytes: string | readonly string[],
  quietMs?: number,
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    let text = '';
    let timer: NodeJS.Timeout;
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    const wait = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = setTimeout(() => end(false), UNREAD_DATA_MS);
      }, milliseconds);
    };
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part, 'latin1');
      wait(quietMs ?? 2_000);
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
      wait(quietMs ?? AFTER_DATA_MS);
    });
    socket.on('end', () => end(true));
    socket.on('error', (error) => (text === '' ? reject(error) : end(true)));
  });
}

/** Parses the responses in a stream of bytes, with bodies by their Content-Length. */
export function answersOf(text: string, target: string, method = 'GET'): readonly Received[] {
  const answers: Received[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
    answers.push({
      method,
      target,
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString(),
    });
    rest = rest.slice(end + 4 + length);
  }
  if (rest !== '') throw new Error(`not an answer: ${rest.slice(0, 80)}`);
  return answers;
}
