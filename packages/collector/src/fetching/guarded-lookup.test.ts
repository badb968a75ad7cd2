import type { LookupAddress, LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { guardedConnect, guardedLookup, PrivateAddressError, type Resolve } from './guarded-lookup.js';

const PUBLIC = { address: '93.184.216.34', family: 4 };
const PUBLIC_6 = { address: '2606:2800:220:1::1', family: 6 };
const PRIVATE = { address: '127.0.0.1', family: 4 };

function looked(resolve: Resolve, allowPrivate = false, options: LookupOptions = { all: true }) {
  return new Promise<string | readonly LookupAddress[]>((resolved, rejected) => {
    guardedLookup(resolve, allowPrivate)('name.example', options, (error, address) => {
      if (error === null) resolved(address);
      else rejected(error);
    });
  });
}
const always =
  (...addresses: readonly LookupAddress[]) =>
  () =>
    Promise.resolve(addresses);

describe('guardedLookup', () => {
  it('returns only the public ones of several addresses', async () => {
    expect(await looked(always(PRIVATE, PUBLIC, PUBLIC_6))).toEqual([PUBLIC, PUBLIC_6]);
    expect(await looked(always(PRIVATE, PUBLIC), false, {})).toBe(PUBLIC.address);
    expect(await looked(always(PUBLIC, PUBLIC_6), false, { family: 6 })).toBe(PUBLIC_6.address);
  });

  it('returns all where private ones are allowed', async () => {
    expect(await looked(always(PRIVATE, PUBLIC), true)).toEqual([PRIVATE, PUBLIC]);
  });

  it('refuses a name that first resolves to a public address and then to a private one', async () => {
    const answers = [PUBLIC, PRIVATE];
    const rebinding: Resolve = () => Promise.resolve(answers.splice(0, 1));
    expect(await looked(rebinding)).toEqual([PUBLIC]);
    await expect(looked(rebinding)).rejects.toBeInstanceOf(PrivateAddressError);
  });

  it('says that a name has no address, and passes on why it cannot be resolved', async () => {
    await expect(looked(always())).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(looked(always(PUBLIC), false, { family: 6 })).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(looked(() => Promise.reject(new Error('no server')))).rejects.toThrow('no server');
  });
});

describe('guardedConnect', () => {
  it('gives an address that answers late more than 250 ms, although there is another one', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const unreachable = { address: '::1', family: 6 };
    const socket = connect({
      host: 'name.example',
      port,
      ...guardedConnect(always(PRIVATE, unreachable), { allowPrivate: true, timeoutMs: 10_000 }),
    });
    // The answer is read after the timers of this process, as if it had come late.
    socket.once('connectionAttempt', () => queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)));
    await once(socket, 'connect');
    expect(socket.remoteAddress).toBe(PRIVATE.address);
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
