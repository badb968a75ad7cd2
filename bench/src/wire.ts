import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { mustBe } from './measure.js';

export interface WireAnswer {
  readonly status: number;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Bytes of the whole response with its status line and headers. */
  readonly bytes: number;
  readonly header: (name: string) => string | undefined;
}

/** Requests a URL with only the given headers. */
export async function wireAnswer(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
  // A new connection, whose bytes are those of this response. It is kept alive, because the load generator does so too.
  const agent = new Agent({ keepAlive: true });
  return answerOn(agent, url, headers).finally(() => agent.destroy());
}

/** The same over a connection of this agent. If the agent is new and keeps connections, the connection stays open. */
export async function answerOn(agent: Agent, url: string, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage];
  const { socket, statusCode: status = 0, rawHeaders } = response;
  const body = await buffer(response);
  return { status, rawHeaders, body, bytes: socket.bytesRead, header: (name) => response.headers[name.toLowerCase()]?.toString() };
}

/** The JSON at a URL. */
export async function jsonOf<Body>(url: string): Promise<Body> {
  const response = await fetch(url);
  mustBe(`status of ${url}`, response.status, 200);
  return (await response.json()) as Body;
}

export async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port, origin: `http://127.0.0.1:${String(port)}` };
}

/** The part of a list that benchmarks read. */
export interface ApiList<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}
export type CommitList = ApiList<{ readonly sha: string }>;

export const COMMITS_PATH = '/api/v1/development/commits';

export function mustList(path: string, { data }: CommitList, shas: readonly string[]): void {
  const listed = data.map(({ sha }) => sha);
  mustBe(`list of ${path}`, listed, shas);
}
