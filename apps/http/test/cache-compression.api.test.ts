import { once } from 'node:events';
import net from 'node:net';
import { someNews } from '@vitrine/core/testing';
import { Api } from './support/api.js';

const LONG = '/api/v1/news?limit=100';
const news = Array.from({ length: 100 }, (_, index) => someNews({ id: `nws_${String(index)}`, summary: `Text ${String(index)} `.repeat(90) }));

afterEach(() => Api.closeAll());

/** Sends a request, and closes the connection at once. */
async function leave(port: number, target: string): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 1));
  socket.resetAndDestroy();
}

describe('a long body that is compressed in the thread pool', () => {
  it('reaches every client that waits for it, also if others leave meanwhile, and no promise is rejected', async () => {
    const rejected: unknown[] = [];
    const listener = (error: unknown): unknown => rejected.push(error);
    process.on('unhandledRejection', listener);
    const api = await Api.open({ records: news });
    const plain = await api.send('GET', LONG);
    expect(plain.body.length).toBeGreaterThan(64 * 1_024);
    await Promise.all(Array.from({ length: 10 }, () => leave(api.port, LONG)));
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => api.send('GET', LONG, { 'Accept-Encoding': 'br' })),
      ...Array.from({ length: 4 }, () => api.send('GET', LONG, { 'Accept-Encoding': 'gzip' })),
    ]);
    for (const { status, body } of answers) expect([status, body === plain.body]).toEqual([200, true]);
    const head = await api.send('HEAD', LONG, { 'Accept-Encoding': 'br' });
    expect([head.headers['content-encoding'], head.headers['content-length']]).toEqual(['br', answers[0]?.headers['content-length']]);
    const known = await api.send('GET', LONG, { 'Accept-Encoding': 'br', 'If-None-Match': String(head.headers['etag']) });
    expect([known.status, known.headers['content-encoding']]).toEqual([304, undefined]);
    process.off('unhandledRejection', listener);
    expect(rejected).toEqual([]);
  });
});
