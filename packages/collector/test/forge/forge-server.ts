import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server was asked, and how it has answered. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

/** Answers instead of the server. */
export type Fault = (response: ServerResponse, headers: IncomingHttpHeaders) => void;

/** A forge: documents with ETags, lists in pages with `Link`, and a limit of requests. */
export class ForgeServer {
  /** By path without query. A list is served in pages, also one in an object such as `{ workflow_runs: [...] }`. */
  documents: Record<string, unknown> = {};
  /** By path without query, or `*` for every path. */
  faults: Record<string, Fault> = {};
  asked: Asked[] = [];
  /** What is left of the limit; `null`: the server has none. A 304 for a request with a token is not counted. */
  remaining: number | null = null;
  limit = 60;
  resetsAt = 0;
  hasEtags = true;
  /** Lists that have no `Link`, by path: only how many items there are in all. */
  unlinked: readonly string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(({ url = '', headers }, response) => {
      const { pathname } = new URL(url, 'http://forge.example');
      response.on('finish', () => this.asked.push({ path: url, headers, status: response.statusCode }));
      const fault = this.faults[pathname] ?? this.faults['*'];
      if (fault === undefined) this.#answer(url, headers, response);
      else fault(response, headers);
    });
  }

  static async start(): Promise<ForgeServer> {
    const server = new ForgeServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Counts by status since the last call. */
  statuses(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { status } of this.asked) counts[status] = (counts[status] ?? 0) + 1;
    this.asked = [];
    return counts;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()).closeAllConnections());
  }

  #answer(url: string, headers: IncomingHttpHeaders, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://forge.example');
    const document = this.documents[pathname];
    if (document === undefined) {
      this.#count();
      response.writeHead(404, this.#headers()).end('{"message":"Not Found","documentation_url":"https://docs.forge.example"}');
      return;
    }
    const { body, link, total } = paged(document, searchParams, `${this.origin}${pathname}`);
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
    const isKnown = this.hasEtags && headers['if-none-match'] === etag;
    if (!isKnown || (headers.authorization ?? headers['private-token']) === undefined) this.#count();
    const sent = {
      ...this.#headers(),
      ...(this.hasEtags && { etag }),
      ...(this.unlinked.includes(pathname) ? { 'x-total-count': total } : link !== '' && { link }),
    };
    response.writeHead(isKnown ? 304 : 200, sent).end(isKnown ? undefined : body);
  }

  #count(): void {
    if (this.remaining !== null) this.remaining = Math.max(0, this.remaining - 1);
  }

  #headers(): Record<string, string> {
    const json = { 'content-type': 'application/json; charset=utf-8' };
    if (this.remaining === null) return json;
    const [limit, remaining, reset] = [this.limit, this.remaining, Math.floor(this.resetsAt / 1_000)].map(String);
    return { ...json, 'x-ratelimit-limit': limit ?? '', 'x-ratelimit-remaining': remaining ?? '', 'x-ratelimit-reset': reset ?? '', date: this.date };
  }

  /** The clock of the server. */
  date = new Date(Date.UTC(2026, 10, 20, 12)).toUTCString();
}

function paged(document: unknown, query: URLSearchParams, address: string): { readonly body: string; readonly link: string; readonly total: number } {
  const [key, list] = Array.isArray(document)
    ? [null, document as readonly unknown[]]
    : (Object.entries(document ?? {}).find((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1])) ?? [null, null]);
  const size = Number(query.get('per_page') ?? query.get('limit') ?? 0);
  if (list === null || size === 0) return { body: JSON.stringify(document), link: '', total: 0 };
  const page = Number(query.get('page') ?? 1);
  const items = list.slice((page - 1) * size, page * size);
  const last = Math.ceil(list.length / size);
  const to = (number: number, rel: string) => {
    const next = new URLSearchParams(query);
    next.set('page', String(number));
    return `<${address}?${next.toString()}>; rel="${rel}"`;
  };
  const links = [...(page > 1 ? [to(page - 1, 'prev')] : []), ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : [])];
  return { body: JSON.stringify(key === null ? items : { ...(document as object), [key]: items }), link: links.join(', '), total: list.length };
}
