// Serves feeds on a free port, with an ETag each, and counts the responses by their status. `/<number>/<items>` is a feed with that many items. `/statuses` says the counts.
// Sends the port to its parent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child-process.js';

const statuses: Record<string, number> = { 200: 0, 304: 0 };

function feed(number: string, items: number): string {
  const entries = Array.from({ length: items }, (_, index) => {
    const [page, day] = [`https://blog${number}.example/posts/${String(index)}`, String((index % 28) + 1).padStart(2, '0')];
    return `<item><title>Post ${String(index)} of ${number} &amp;amp; more</title><link>${page}?utm_source=rss</link><guid isPermaLink="false">${page}</guid><pubDate>${day} Oct 2026 10:00:00 GMT</pubDate><description><![CDATA[<p>Some <b>words</b> about it</p>]]></description></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog ${number}</title><link>https://blog${number}.example/</link>${entries.join('\n')}</channel></rss>`;
}

const server = createServer(({ url = '', headers }, response) => {
  if (url === '/statuses') {
    response.end(JSON.stringify(statuses));
    return;
  }
  const [, number = '', items = ''] = url.split('/');
  const status = headers['if-none-match'] === `"${url}"` ? 304 : 200;
  statuses[status] = (statuses[status] ?? 0) + 1;
  response
    .writeHead(status, { etag: `"${url}"`, 'content-type': 'application/rss+xml' })
    .end(status === 304 ? undefined : feed(number, Number(items)));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
answerParent({ port: (server.address() as AddressInfo).port }, { stays: true });
