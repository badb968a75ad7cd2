// Serves one feed on a free port whose texts are hard to turn into plain text. Arguments: the number of its items, and about how many bytes it has. Sends the port to its parent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './child-process.js';

const [items = 0, bytes = 0] = process.argv.slice(2).map(Number);
const PIECE = '<a <![CDATA[ <!-- &amp &#x41; </ <div><script> ';
const html = PIECE.repeat(Math.floor(bytes / items / PIECE.length) - 10);
const escaped = html
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .slice(0, Math.floor(bytes / items) - 300);
const entries = Array.from(
  { length: items },
  (_, index) =>
    `<item><title>Post ${String(index)}</title><link>https://blog.example/${String(index)}</link><guid>${String(index)}</guid><pubDate>01 Oct 2026 10:00:00 GMT</pubDate><description>${escaped}</description></item>`,
);
const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title><link>https://blog.example/</link>${entries.join('')}</channel></rss>`;

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
answerParent({ port: (server.address() as AddressInfo).port }, { stays: true });
