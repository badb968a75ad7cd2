import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Requests } from './request.js';
import { HttpServer } from './server.js';

const MESSAGES = [
  { what: 'bytes that are no request', message: 'no request\r\n\r\n', code: 'bad-request' },
  { what: 'headers that are too long', message: `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(9_000)}\r\n\r\n`, code: 'headers-too-large' },
  { what: 'CONNECT', message: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', code: 'method-not-allowed' },
];

describe('a server below a base path', () => {
  it.each(MESSAGES)('refuses $what with links that begin with the base path', async ({ message, code }) => {
    const parts = { basePath: '/vitrine', log: { malformed: () => undefined } } as unknown as Requests['parts'];
    const server = new HttpServer({}).answerWith({ parts } as Requests);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(message);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain('\r\nLink: </vitrine/openapi.json>; rel="service-desc"\r\n');
    expect(JSON.parse(body)).toMatchObject({ type: `/vitrine/problems/${code}` });
    await new Promise((resolve) => server.close(resolve));
  });
});
