import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

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
