import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { RequestLog } from './server.js';

describe('RequestLog', () => {
  it('logs every request except successful liveness checks', async () => {
    const lines: unknown[] = [];
    const log = new RequestLog(pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) }));
    const server = createServer((request, response) => {
      response.statusCode = request.method === 'POST' ? 405 : 200;
      response.end();
      log.answered({ requestId: 'r', request, response, route: request.url ?? '', startedAt: performance.now(), bytes: 0, failure: undefined });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    for (const path of ['/livez', '/readyz', '/livez']) await fetch(origin + path);
    await fetch(`${origin}/livez`, { method: 'POST' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(lines).toMatchObject([
      { route: '/readyz', status: 200, msg: 'request' },
      { route: '/livez', status: 405 },
    ]);
  });
});
