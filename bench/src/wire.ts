import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { mustBe } from './measure.js';

/** A response as it was sent, without decompression. */
export interface WireAnswer {
  readonly status: number;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Bytes of the whole response with its status line and headers. */
  readonly bytes: number;
  /** The value of a header, or `undefined`. */
  readonly header: (name: string) => string | undefined;
}

/** Requests a URL with only the given headers. */
export async function wireAnswer(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
  // A new connection, whose bytes are those of this response. It is kept alive, because the load generator does so too.
  const agent = new Agent({ keepAlive: true });
  try {
    return await answerOn(agent, url, headers);
  } finally {
    agent.destroy();
  }
}

/** The same over a connection of this agent. If the agent is new and keeps connections, the connection stays open. */
export async function answerOn(agent: Agent, url: string, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage];
  const { socket, statusCode: status = 0, rawHeaders } = response;
  const body = await buffer(response);
  return { status, rawHeaders, body, bytes: socket.bytesRead, header: (name) => response.headers[name.toLowerCase()]?.toString() };
}

/** The JSON at a URL. @throws WrongAnswerError if the status is not 200 */
export async function jsonOf<Body>(url: string): Promise<Body> {
  const response = await fetch(url);
  mustBe(`status of ${url}`, response.status, 200);
  return (await response.json()) as Body;
}

/** Serves on a free port of this process. */
export async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { server, port, origin: `http://127.0.0.1:${String(port)}`, close };
}

/** The part of a list of commits that benchmarks check. */
export interface CommitList {
  readonly data: readonly { readonly sha: string }[];
  readonly meta: { readonly nextCursor: string | null };
}

export const COMMITS_PATH = '/api/v1/development/commits';

/** Checks that a list holds these commits. */
export function mustList(path: string, { data }: CommitList, shas: readonly string[]): void {
  mustBe(
    `list of ${path}`,
    data.map(({ sha }) => sha),
    shas,
  );
}
