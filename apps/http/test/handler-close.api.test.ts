import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, type StoreChanges } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import { createVitrineHandler } from '../src/index.js';
import { NOW } from './support/small-world.js';

const approved = Allowlist.of('acme/widget').approved();

/** A store that counts who listens to its changes. */
async function listenedStore() {
  const { readers, changes } = await openMemoryStore({ clock: new StandingClock(NOW) });
  let listeners = 0;
  const counted: StoreChanges = {
    subscribe: (listener) => {
      const end = changes.subscribe(listener);
      listeners += 1;
      return () => {
        listeners -= 1;
        end();
      };
    },
  };
  return { store: { readers, changes: counted }, listeners: () => listeners };
}

const options = { approved: () => approved, publicUrl: 'https://acme.example' };

describe('close() of a handler', () => {
  it('ends the subscription to the store, so that a store can outlive its handlers', async () => {
    const { store, listeners } = await listenedStore();
    const handlers = Array.from({ length: 20 }, () => createVitrineHandler({ ...options, store }));
    expect(listeners()).toBe(20);
    for (const { close } of handlers) close();
    expect(listeners()).toBe(0);
  });

  it('tells load balancers and clients that the handler has stopped', async () => {
    const { store } = await listenedStore();
    const handler = createVitrineHandler({ ...options, store });
    const server = http.createServer(handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      handler.close();
      expect((await fetch(`${origin}/readyz`)).status).toBe(503);
      const list = await fetch(`${origin}/api/v1/development/commits`);
      expect([list.status, list.headers.get('connection')]).toEqual([200, 'close']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('works with a store that tells no changes', async () => {
    const { readers } = await openMemoryStore({ clock: new StandingClock(NOW) });
    const { close } = createVitrineHandler({ ...options, store: { readers } });
    expect(close).not.toThrow();
  });
});
