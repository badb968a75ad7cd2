import type { RequestListener, ServerResponse } from 'node:http';
import https from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { OutgoingClient, type OutgoingRequest, type OutgoingResponse } from './outgoing-client.js';
import { failureOf, OutgoingError } from './outgoing-response.js';
import { sampled } from '@vitrine/test-support';
import { KEY, UNTIL_2036, UNTIL_2046 } from '../../test/certificates.js';
import { LocalServers } from '../../test/local-servers.js';

const MEGABYTE = 1_024 * 1_024;
const { signal } = new AbortController();
const servers = new LocalServers();
const listening = (server: Server) => servers.listening(server);
const serving = (answer: RequestListener) => servers.serving(answer);

function ask(url: string, more: Partial<OutgoingRequest> = {}, client = new OutgoingClient()) {
  return client.request({ url, allowPrivate: true, signal, ...more });
}

async function failure(asked: Promise<unknown>): Promise<OutgoingError> {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof OutgoingError) return error;
  throw new Error('the request did not fail as expected', { cause: error });
}

/** Writes forever, as fast as the reader reads. */
function flood(response: ServerResponse, chunk: Buffer): void {
  const write = (): void => {
    while (!response.destroyed) if (!response.write(chunk)) return;
  };
  response.on('drain', write);
  write();
}

describe('OutgoingClient', () => {
  it('sends its name, and returns status, headers and body', async () => {
    const url = await serving((_, response) => response.writeHead(503, { 'x-served-by': 'a' }).end('not now'));
    const answer = await ask(`${url}/feed.xml?a=b`, {}, new OutgoingClient({ userAgent: 'Vitrine (+https://acme.example)' }));
    expect(answer).toMatchObject({ status: 503, url: `${url}/feed.xml?a=b`, certificateExpiresAt: null, headers: { 'x-served-by': 'a' } });
    expect(Buffer.from(answer.body).toString()).toBe('not now');
    expect(servers.seen[0]).toMatchObject({ url: '/feed.xml?a=b', headers: { 'user-agent': 'Vitrine (+https://acme.example)' } });
  });

  it.each<[string, (body: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (body) => body],
  ])('decodes %s', async (encoding, encode) => {
    const url = await serving((_, response) => response.setHeader('content-encoding', encoding).end(encode(Buffer.from('whole'))));
    expect(Buffer.from((await ask(url)).body).toString()).toBe('whole');
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('accepts that a response to %s with the status %i names the encoding of a body that it does not have', async (method, status) => {
    const url = await serving((_, response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end());
    expect(await ask(url, { method })).toMatchObject({ status, body: Buffer.alloc(0) });
  });

  it.each([
    ['gzip', 'not gzip'],
    ['br', 'not brotli'],
    ['gzip', gzipSync('cut off').subarray(0, 15)],
    ['gzip, gzip', gzipSync(gzipSync('twice'))],
  ])('reports a body that is not %s', async (encoding, body) => {
    const url = await serving((_, response) => response.setHeader('content-encoding', encoding).end(body));
    expect(await failure(ask(url))).toMatchObject({ reason: 'encoding', code: 'ENCODING' });
  });

  describe('with a hostile server', () => {
    it('stops reading a body that does not end', async () => {
      const url = await serving((_, response) => flood(response, Buffer.alloc(MEGABYTE)));
      expect(await failure(ask(url, { timeoutMs: 60_000 }))).toMatchObject({ reason: 'too large', code: 'TOO_LARGE' });
    });

    it.each(
      sampled(
        [
          ['gzip', (bytes: Buffer) => gzipSync(bytes, { level: 1 })],
          ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
          ['deflate', deflateSync],
        ] as const,
        3,
      ),
    )('stops decoding a %s bomb', async (encoding, encode) => {
      const bomb = encode(Buffer.alloc(40 * MEGABYTE));
      expect(bomb.length).toBeLessThan(MEGABYTE);
      const url = await serving((_, response) => response.setHeader('content-encoding', encoding).end(bomb));
      const before = process.memoryUsage().arrayBuffers;
      expect(await failure(ask(url, { timeoutMs: 60_000 }))).toMatchObject({ reason: 'too large' });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * MEGABYTE);
    });

    it('gives up on a byte a second', async () => {
      const url = await serving((_, response) => {
        response.write('<');
        const timer = setInterval(() => response.write('-'), 20);
        response.on('close', () => clearInterval(timer));
      });
      const error = await failure(ask(url, { timeoutMs: 300 }));
      expect(error).toMatchObject({ reason: 'timeout', message: `timeout: ${url}/ did not answer completely within 0.3 s` });
    });

    it.each([
      ['never answers', () => undefined],
      ['sends endless headers slowly', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: b\r\n')],
    ])('gives up on a server that %s', async (_, answer) => {
      const port = await listening(createTcpServer(answer));
      expect(await failure(ask(`http://127.0.0.1:${String(port)}/`, { timeoutMs: 200 }))).toMatchObject({ reason: 'timeout' });
    });

    it('gives up on a TLS handshake that hangs', async () => {
      const port = await listening(createTcpServer());
      expect(await failure(ask(`https://127.0.0.1:${String(port)}/`, { timeoutMs: 200 }))).toMatchObject({ reason: 'timeout' });
    });

    it('reports a server that does not speak TLS', async () => {
      const url = await serving((_, response) => response.end());
      expect(await failure(ask(url.replace('http:', 'https:')))).toMatchObject({ reason: 'tls' });
    });

    it.each(
      // Those that the documentation of node:tls lists.
      `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
      CERT_SIGNATURE_FAILURE CRL_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED ERROR_IN_CERT_NOT_BEFORE_FIELD
      ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE
      CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH UNSPECIFIED ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER`.split(/\s+/),
    )('reports a certificate that is not valid: %s', (code) => {
      const url = new URL('https://acme.example/');
      expect(failureOf(Object.assign(new Error('no'), { code }), url, false)).toMatchObject({ reason: 'tls' });
    });

    it.each([
      ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nless', 'unreachable'],
      [`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`, 'unreachable'],
      ['SSH-2.0-OpenSSH_9.2\r\n', 'unreachable'],
      ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n', 'unreachable'],
    ])('reports a broken answer: %.40s', async (answer, reason) => {
      const port = await listening(createTcpServer((socket) => socket.end(answer)));
      expect(await failure(ask(`http://127.0.0.1:${String(port)}/`))).toMatchObject({ reason });
    });

    it('reports a port on which nobody listens', async () => {
      const server = createTcpServer();
      const port = await listening(server);
      await servers.end();
      expect(await failure(ask(`http://127.0.0.1:${String(port)}/`))).toMatchObject({ reason: 'refused', code: 'REFUSED' });
    });

    it('reports a host name that does not exist', async () => {
      const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
      expect(await failure(ask('http://gone.example/', {}, new OutgoingClient({ resolve })))).toMatchObject({ reason: 'dns' });
    });
  });

  describe('with redirects', () => {
    const toward = (location: string, status = 302) => serving((_, response) => response.writeHead(status, { location }).end('moved'));

    it('follows them, also relative ones, and names the address that answered', async () => {
      const url = await serving((request, response) =>
        request.url === '/new' ? response.end('here') : response.writeHead(301, { location: 'new' }).end(),
      );
      expect(await ask(`${url}/old`)).toMatchObject({ status: 200, url: `${url}/new` });
    });

    it.each(['/ä/日本?q=ü', '/%C3%A4'])('follows one to %s, written in UTF-8', async (path) => {
      const location = Buffer.from(path).toString('latin1');
      const url = await serving((request, response) => (request.url === '/' ? response.writeHead(302, { location }) : response).end());
      expect(await ask(`${url}/`)).toMatchObject({ status: 200, url: new URL(path, url).href });
    });

    it('gives up after five', async () => {
      const url = await serving((request, response) => response.writeHead(302, { location: `${request.url ?? ''}a` }).end());
      expect(await failure(ask(url))).toMatchObject({ reason: 'redirect', code: 'REDIRECT' });
      expect(servers.seen).toHaveLength(6);
    });

    it.each(['file:///etc/passwd', 'ftp://acme.example/', 'javascript:alert(1)', 'http://'])('does not follow one to %s', async (location) => {
      expect(await failure(ask(await toward(location)))).toMatchObject({ reason: 'redirect' });
    });

    it('returns the redirect itself if asked to', async () => {
      expect(await ask(await toward('/elsewhere', 308), { redirects: 'none' })).toMatchObject({ status: 308, headers: { location: '/elsewhere' } });
    });

    it('sends credentials only to the origin of the address, and not again after it has left it', async () => {
      const other = await serving((_, response) => response.writeHead(302, { location: `${home}/back` }).end());
      const home = await serving(({ url = '' }, response) => {
        const location = { '/': '/own', '/own': other }[url];
        if (location === undefined) response.end();
        else response.writeHead(302, { location }).end();
      });
      await ask(home, { headers: { accept: 'text/xml' }, credentials: { authorization: 'Bearer secret' } });
      expect(servers.seen.map(({ headers }) => [headers.authorization, headers.accept])).toEqual([
        ['Bearer secret', 'text/xml'],
        ['Bearer secret', 'text/xml'],
        [undefined, 'text/xml'],
        [undefined, 'text/xml'],
      ]);
    });

    it('does not send a user name and password that a redirect names', async () => {
      const target = await serving((_, response) => response.end());
      await ask(await toward(target.replace('//', '//user:password@')));
      expect(servers.seen.at(-1)?.headers.authorization).toBeUndefined();
    });
  });

  describe('over TLS', () => {
    /** `agent: false` makes an agent of this class. */
    class TrustingAgent extends https.Agent {
      constructor() {
        super({ ca: [UNTIL_2036, UNTIL_2046] });
      }
    }
    const { globalAgent } = https;
    beforeAll(() => (https.globalAgent = new TrustingAgent()));
    afterAll(() => (https.globalAgent = globalAgent));

    const secured = async (cert: string, answer: RequestListener) =>
      `https://127.0.0.1:${String(await listening(https.createServer({ key: KEY, cert }, answer)))}/`;
    const yearOf = ({ certificateExpiresAt }: OutgoingResponse) => new Date(certificateExpiresAt ?? 0).getUTCFullYear();

    it.each([
      [UNTIL_2036, UNTIL_2046],
      [UNTIL_2046, UNTIL_2036],
      [UNTIL_2036, UNTIL_2036],
    ])('says when the first certificate expires, also of a server that redirects', async (first, second) => {
      const target = await secured(second, (_, response) => response.end());
      const url = await secured(first, (_, response) => response.writeHead(302, { location: target }).end());
      expect(yearOf(await ask(url))).toBe(2036);
      expect(yearOf(await ask(target))).toBe(second === UNTIL_2036 ? 2036 : 2046);
    });

    it('says when it expires if the redirect leads to a server without TLS', async () => {
      const target = await serving((_, response) => response.end());
      const url = await secured(UNTIL_2036, (_, response) => response.writeHead(302, { location: target }).end());
      expect(yearOf(await ask(url))).toBe(2036);
    });
  });

  describe('without allowPrivate', () => {
    const publicly = (url: string, addresses: readonly string[] = []) => {
      const resolve = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
      return failure(ask(url, { allowPrivate: false }, new OutgoingClient({ resolve })));
    };

    it.each(['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '169.254.169.254', '10.1.2.3', '0.0.0.0'])(
      'refuses the address %s',
      async (host) => {
        expect(await publicly(`http://${host}:1/`)).toMatchObject({ reason: 'private address', code: 'PRIVATE_ADDRESS' });
      },
    );

    it('refuses a name that resolves to private addresses only', async () => {
      const { port } = new URL(await serving((_, response) => response.end()));
      const error = await publicly(`http://intranet.example:${port}/a?token=secret`, ['127.0.0.1', '10.0.0.1']);
      expect(error).toMatchObject({ reason: 'private address' });
      expect(error.message).toMatch(/^private address: http:\/\/intranet\.example:\d+\/a\?… is in a private network\. If you trust this address/);
      expect(servers.seen).toEqual([]);
    });
  });

  it('looks a name up once for each connection, and connects to what was checked', async () => {
    const resolved: string[] = [];
    const resolve = (name: string) => {
      resolved.push(name);
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const { port } = new URL(await serving((_, response) => response.end()));
    const client = new OutgoingClient({ resolve });
    await ask(`http://a.example:${port}/`, {}, client);
    await ask(`http://a.example:${port}/`, {}, client);
    expect(resolved).toEqual(['a.example', 'a.example']);
  });

  it('refuses a redirect from a public address into a private network', async () => {
    const inside = await serving((_, response) => response.end('secret'));
    const outside = await serving((_, response) => response.writeHead(302, { location: inside }).end());
    // The check of the first address is switched off for this test: loopback stands for the Internet.
    const client = new OutgoingClient({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
    const request: OutgoingRequest = {
      url: outside,
      signal,
      get allowPrivate() {
        return servers.seen.length === 0;
      },
    };
    const error = await failure(client.request(request));
    expect(error).toMatchObject({ reason: 'private redirect', code: 'PRIVATE_REDIRECT' });
    expect(error.message).toBe(
      `private redirect: ${inside}/ is in a private network, and a redirect leads there; ` +
        'allowPrivate allows the configured host only. If you trust the new address, configure it instead',
    );
    expect(servers.seen).toHaveLength(1);
  });

  describe('with allowPrivate', () => {
    const HOSTS = ['intranet.example', 'other.example', '127.0.0.1', '127.0.0.2', '[::ffff:127.0.0.1]'] as const;
    const client = new OutgoingClient({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });

    it('follows redirects within a private network as long as they stay on the configured host', async () => {
      const { port } = new URL(
        await serving(({ url = '' }, response) => {
          const [next, ...rest] = url.slice(1).split('/').filter(Boolean);
          if (next === undefined) response.end('inside');
          else response.writeHead(302, { location: `http://${decodeURIComponent(next)}:${port}/${rest.join('/')}` }).end();
        }),
      );
      const chains = fc.array(fc.constantFrom(...HOSTS), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom('intranet.example', '127.0.0.1'), chains, async (configured, chain) => {
          servers.seen = [];
          const asked = ask(`http://${configured}:${port}/${chain.map(encodeURIComponent).join('/')}`, {}, client);
          const foreign = chain.findIndex((host) => host !== configured);
          if (foreign < 0) expect(Buffer.from((await asked).body).toString()).toBe('inside');
          else expect(await failure(asked)).toMatchObject({ reason: 'private redirect' });
          expect(servers.seen).toHaveLength(foreign < 0 ? chain.length + 1 : foreign + 1);
        }),
        { numRuns: 30 },
      );
    });

    it('follows a redirect to another port of the configured host', async () => {
      const target = await serving((_, response) => response.end('secure'));
      const url = await serving((_, response) => response.writeHead(301, { location: target }).end());
      expect(await ask(url, {}, client)).toMatchObject({ status: 200 });
    });
  });

  it('refuses a redirect to the same host whose name then resolves to a private address', async () => {
    const addresses = ['127.0.0.1', '127.0.0.1'];
    const resolve = () => Promise.resolve([{ address: addresses.pop() ?? '127.0.0.1', family: 4 }]);
    const url = await serving((_, response) => response.writeHead(302, { location: '/again' }).end());
    const request: OutgoingRequest = {
      url: url.replace('127.0.0.1', 'rebinding.example'),
      signal,
      // Only the first address is accepted as if it were public.
      get allowPrivate() {
        return servers.seen.length === 0;
      },
    };
    expect(await failure(new OutgoingClient({ resolve }).request(request))).toMatchObject({ reason: 'private redirect' });
    expect(servers.seen).toHaveLength(1);
  });

  it('names the address of a redirect that fails, without its credentials and query', async () => {
    const url = await serving((_, response) => response.writeHead(302, { location: 'http://user:s3cret@127.0.0.1:1/gone?token=s3cret' }).end());
    const { message } = await failure(ask(`${url}/?token=s3cret`));
    expect(message).toMatch(/^refused: http:\/\/127\.0\.0\.1:1\/gone\?… refused the connection/);
  });

  it('sends one request at a time to each host, also after one that failed', async () => {
    let running = 0;
    let most = 0;
    const url = await serving((request, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        if (request.url === '/broken') request.socket.destroy();
        else response.end();
      }, 30);
    });
    const client = new OutgoingClient();
    const paths = ['/a', '/broken', '/b', '/c'];
    const outcomes = await Promise.allSettled(paths.map((path) => ask(url + path, {}, client)));
    expect([outcomes.map(({ status }) => status), most]).toEqual([['fulfilled', 'rejected', 'fulfilled', 'fulfilled'], 1]);
  });

  it('does not let a request wait that asks for that', async () => {
    const held: ServerResponse[] = [];
    // Answers only when both requests have arrived.
    const url = await serving((_, response) => {
      held.push(response);
      if (held.length === 2) for (const one of held) one.end();
    });
    const client = new OutgoingClient();
    const free = { inTurn: false, timeoutMs: 20_000 };
    const answers = await Promise.all([ask(url, free, client), ask(url, free, client)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('ends with the reason of the signal when it is aborted, while it waits for its turn and while it reads', async () => {
    const stop = new AbortController();
    const url = await serving((_, response) => {
      response.write('begins');
      stop.abort(new Error('stopped'));
    });
    const client = new OutgoingClient();
    const outcomes = await Promise.allSettled([ask(url, { signal: stop.signal }, client), ask(url, { signal: stop.signal }, client)]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(['Error: stopped', 'Error: stopped']);
    expect(servers.seen).toHaveLength(1);
  });
});
