import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { OutgoingClient } from './outgoing-client.js';
import { OutgoingError } from './outgoing-response.js';

const everyByte = process.env['VITRINE_TORTURE'] === '1';
const TEXT = Buffer.from('{"state":"operational"}'.repeat(3));

/** The framings of HTTP that tell a client where a body ends. Without one of the first two, it ends with the connection. */
const FRAMINGS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'a length': (body) => Buffer.concat([head(`Content-Length: ${String(body.length)}`), body]),
  chunks: (body) =>
    Buffer.concat([head('Transfer-Encoding: chunked'), Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
  'the connection': (body) => Buffer.concat([head('Connection: close'), body]),
  'the connection, in HTTP/1.0': (body) => Buffer.concat([Buffer.from(String(head('Server: old')).replace('1.1', '1.0')), body]),
};
const ENCODINGS: Readonly<Record<string, (body: Buffer) => Buffer>> = { identity: (body) => body, gzip: gzipSync, br: brotliCompressSync };
/** What a server does after a part of a response. */
const ENDS: Readonly<Record<string, (socket: Socket, part: Buffer) => void>> = {
  // The part has to arrive before the reset, which discards what is not delivered yet.
  'is reset': (socket, part) => socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 5)),
  // A client finds the part and the reset in one look.
  'is reset at once': (socket, part) => {
    socket.write(part);
    socket.resetAndDestroy();
  },
  stalls: (socket, part) => socket.write(part),
  ends: (socket, part) => socket.end(part),
};

let encoding = 'identity';
function head(line: string): Buffer {
  const coded = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`;
  return Buffer.from(`HTTP/1.1 200 OK\r\n${line}\r\n${coded}\r\n`);
}

let server: Server;
/** What the server does for each path. */
const responders = new Map<string, (socket: Socket) => void>();
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (request) => responders.get(String(request).split(' ')[1] ?? '')?.(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const client = new OutgoingClient();
async function fetched(respond: (socket: Socket) => void, timeoutMs: number): Promise<string> {
  const path = `/${String(responders.size)}`;
  responders.set(path, respond);
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`;
  const signal = new AbortController().signal;
  return Buffer.from((await client.request({ url, allowPrivate: true, signal, timeoutMs, inTurn: false })).body).toString();
}

/** All numbers below the size under torture; a few of them otherwise, with the edges. */
function positions(size: number): readonly number[] {
  const all = Array.from({ length: size }, (_, index) => index);
  return everyByte ? all : all.filter((at) => at === 0 || at >= size - 2 || at % 29 === 0);
}

const cases = Object.keys(FRAMINGS).flatMap((framing) => Object.keys(ENCODINGS).map((coding) => [framing, coding] as const));

describe.each(cases)('A body that ends with %s, coded as %s', (framing, coding) => {
  const response = (): Buffer => {
    encoding = coding;
    return FRAMINGS[framing]?.(ENCODINGS[encoding]?.(TEXT) ?? TEXT) ?? TEXT;
  };

  it('is read if it is complete', async () => {
    await expect(fetched((socket) => socket.end(response()), 60_000)).resolves.toBe(TEXT.toString());
  });

  it.each(Object.keys(ENDS))('is a failure if the connection %s before its end', async (end) => {
    const bytes = response();
    const bodyAt = bytes.indexOf('\r\n\r\n') + 4;
    // If the body ends with the connection, only a compressed one shows that it is cut.
    const isComplete = (at: number): boolean =>
      end === 'ends' && framing.startsWith('the connection') && (encoding === 'identity' ? at >= bodyAt : at === bodyAt);
    const read = await Promise.all(
      positions(bytes.length).map(async (at) => {
        if (isComplete(at)) return null;
        return fetched((socket) => ENDS[end]?.(socket, bytes.subarray(0, at)), end === 'stalls' ? 60 : 60_000).then(
          () => `complete at ${String(at)}`,
          (error: unknown) => (error instanceof OutgoingError ? null : `${String(error)} at ${String(at)}`),
        );
      }),
    );
    expect(read.filter((problem) => problem !== null)).toEqual([]);
  });
});
