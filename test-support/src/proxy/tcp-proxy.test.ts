import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
let open: Socket[] = [];

/** A client whose errors do not end the process. */
async function client(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function answer(socket: Socket, text: string): Promise<string> {
  const answered = once(socket, 'data');
  socket.write(text);
  return String((await answered)[0]);
}

const failure = (socket: Socket) => once(socket, 'error').then(([error]: { code?: string }[]) => error?.code);

describe('a TCP proxy', () => {
  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await TcpProxy.to((echo.address() as AddressInfo).port);
    open = [];
  });

  afterEach(async () => {
    for (const socket of open) socket.destroy();
    await proxy.close();
    await new Promise((done) => echo.close(done));
  });

  it('passes the bytes and the end of both sides', async () => {
    const socket = await client();
    expect(await answer(socket, 'hello')).toBe('hello');
    socket.end();
    await once(socket, 'end');
  });

  it('delays everything', async () => {
    const socket = await client();
    proxy.delay(50);
    const started = performance.now();
    await answer(socket, 'hello');
    // Timers may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(95);
  });

  it('refuses connections, and accepts them again on the same port', async () => {
    const socket = await client();
    const reset = failure(socket);
    await proxy.refuse();
    expect(await reset).toBe('ECONNRESET');
    const refused = connect(proxy.port, '127.0.0.1');
    expect(await failure(refused)).toBe('ECONNREFUSED');
    await proxy.accept();
    expect(await answer(await client(), 'hello')).toBe('hello');
  });

  it('keeps the order of bytes while the latency changes', async () => {
    const socket = await client();
    let heard = '';
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
    for (const latency of [40, 0, 20, 1, 10, 0]) {
      proxy.delay(latency);
      socket.write(`${latency} `);
      await sleep(3);
    }
    socket.end('.');
    await once(socket, 'end');
    expect(heard).toBe('40 0 20 1 10 0 .');
  });

  it('resets open connections, and accepts new ones', async () => {
    const socket = await client();
    await answer(socket, 'hello');
    const failed = failure(socket);
    proxy.cut();
    expect(await failed).toBe('ECONNRESET');
    expect(await answer(await client(), 'again')).toBe('again');
  });

  it('drops every byte while half-open, and resets connections that lost some when it heals', async () => {
    const before = await client();
    await answer(before, 'hello');
    proxy.swallow();
    const during = await client();
    const heard: string[] = [];
    for (const socket of [before, during]) {
      socket.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
      socket.write('lost');
    }
    await sleep(50);
    expect({ heard, open: proxy.connections }).toEqual({ heard: [], open: 2 });
    const failed = Promise.all([before, during].map(failure));
    proxy.heal();
    expect(await failed).toEqual(['ECONNRESET', 'ECONNRESET']);
    expect(await answer(await client(), 'again')).toBe('again');
  });

  it('refuses connections if there is no server behind it', async () => {
    const nobody = await TcpProxy.to(1);
    const socket = connect(nobody.port, '127.0.0.1');
    expect(await failure(socket)).toBe('ECONNRESET');
    await nobody.close();
  });
});
