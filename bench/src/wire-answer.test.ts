import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { wireAnswer } from './wire-answer.js';

describe('the answer on the wire', () => {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.sendDate = false;
    response.writeHead(200, ['Content-Encoding', 'gzip', 'Content-Length', String(gzipSync('list').length)]);
    response.end(gzipSync('list'));
  });
  const url = () => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => server.close());

  it('is the body as it was sent, and the bytes of the whole response', async () => {
    const { status, body, bytes, header, rawHeaders } = await wireAnswer(url());
    const head = [
      'HTTP/1.1 200 OK',
      ...Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2).join(': ')),
      '',
      '',
    ];
    expect([status, header('Content-Encoding'), gunzipSync(body).toString()]).toEqual([200, 'gzip', 'list']);
    expect(bytes).toBe(head.join('\r\n').length + body.length);
  });

  it('is requested with only the given headers, on a connection that stays open', async () => {
    await wireAnswer(url(), { 'If-None-Match': '"1"' });
    const { host: _, ...headers } = asked.at(-1) ?? {};
    expect(headers).toEqual({ connection: 'keep-alive', 'if-none-match': '"1"' });
  });
});
