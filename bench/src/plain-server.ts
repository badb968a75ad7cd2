// Serves the list that Vitrine answers at a URL, on a free port: with `node:http` alone, or with Express. Sends the port to its parent.
import type { RequestListener } from 'node:http';
import express from 'express';
import { answerParent } from './processes.js';
import { listen, wireAnswer, type WireAnswer } from './wire.js';

/** The headers that `node:http` writes itself. */
const BY_NODE = ['date', 'connection', 'keep-alive'];

/** Sends the same headers and the same bytes, prepared in advance. */
function raw({ rawHeaders, body }: WireAnswer): RequestListener {
  const headers = rawHeaders.filter((_, index) => !BY_NODE.includes(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''));
  return (_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
}

/** What a developer writes first: Express without settings, and the stored list. */
function plainExpress({ body }: WireAnswer, path: string): RequestListener {
  const stored: unknown = JSON.parse(body.toString());
  return express().get(path, (_request, response) => response.json(stored));
}

const [kind, url = ''] = process.argv.slice(2);
const answer = await wireAnswer(url);
const { server, port } = await listen(kind === 'raw' ? raw(answer) : plainExpress(answer, new URL(url).pathname));
// The same as Vitrine, so that the header `Keep-Alive` is the same.
server.keepAliveTimeout = 1_000 * Number(/timeout=(\d+)/u.exec(answer.header('keep-alive') ?? '')?.[1] ?? 5);
answerParent({ port }, { stays: true });
