import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchDocument, type Validators } from './fetch-document.js';
import { OutgoingClient } from './outgoing-client.js';
import { retryAfterMs } from './outgoing-response.js';

const NOW = Date.UTC(2026, 10, 20, 12);

let server: Server;
let answer: RequestListener;
beforeEach(async () => {
  server = createServer((request, response) => {
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

function fetched(known: Validators | null) {
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const { signal } = new AbortController();
  return fetchDocument(new OutgoingClient(), { url, allowPrivate: true, signal, clock: { now: () => NOW }, known });
}

describe('fetchDocument', () => {
  it('returns the document with its validators, and null while the server says that it has not changed', async () => {
    answer = ({ headers }, response) => {
      const isKnown = headers['if-none-match'] === '"a"' && headers['if-modified-since'] === 'Fri, 20 Nov 2026 10:00:00 GMT';
      response.writeHead(isKnown ? 304 : 200, { etag: '"a"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT', 'content-type': 'text/xml' });
      response.end(isKnown ? undefined : 'text');
    };
    const document = await fetched(null);
    expect(document).toMatchObject({ contentType: 'text/xml', validators: { etag: '"a"', lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT' } });
    expect(await fetched(document?.validators ?? null)).toBeNull();
  });

  it('does not keep validators that are too long for a later request', async () => {
    answer = (_, response) => response.writeHead(200, { etag: `"${'a'.repeat(12_000)}"`, 'last-modified': 'x'.repeat(2_000) }).end('text');
    const document = await fetched(null);
    expect(document?.validators).toEqual({ etag: null, lastModified: null });
    expect(await fetched(document?.validators ?? null)).not.toBeNull();
  });

  it.each([304, 404, 500, 204, 206])('fails on the status %s, which was not asked for', async (status) => {
    answer = (_, response) => response.writeHead(status).end();
    await expect(fetched(null)).rejects.toMatchObject({ reason: `http ${String(status)}`, code: `HTTP_${String(status)}`, retryAfterMs: null });
  });

  it('says how long the server asks to wait', async () => {
    answer = (_, response) => response.writeHead(429, { 'retry-after': '120' }).end();
    await expect(fetched(null)).rejects.toMatchObject({ reason: 'http 429', retryAfterMs: 120_000 });
  });
});

describe('retryAfterMs', () => {
  it('reads seconds and dates', () => {
    expect(retryAfterMs('30', NOW)).toBe(30_000);
    expect(retryAfterMs('Fri, 20 Nov 2026 12:01:00 GMT', NOW)).toBe(60_000);
  });

  it.each([undefined, '', 'soon', '-5', '0', 'Fri, 20 Nov 2026 11:00:00 GMT'])('ignores %s', (header) => {
    expect(retryAfterMs(header, NOW)).toBeNull();
  });
});
