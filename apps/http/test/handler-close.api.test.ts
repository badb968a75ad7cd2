import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, type ChangeFeed } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import { createVitrineHandler } from '../src/index.js';
import { NOW } from './support/small-world.js';

const approved = Allowlist.of('acme/widget').approved();

/** A store that counts who follows its changes. */
async function followedStore() {
  const { readers, changeFeed } = await openMemoryStore({ clock: new StandingClock(NOW) });
  const followers = new Set<AbortSignal>();
  const counted: ChangeFeed = {
    changesSince: (position, query, context) => {
      followers.add(context.signal);
      return changeFeed.changesSince(position, query, context);
    },
  };
  return { store: { readers, changeFeed: counted }, followers: () => [...followers].filter(({ aborted }) => !aborted).length };
}

const options = { approved: () => approved, publicUrl: 'https://acme.example' };

describe('close() of a handler', () => {
  it('stops following the store, so that a store can outlive its handlers', async () => {
    const { store, followers } = await followedStore();
    const handlers = Array.from({ length: 3 }, () => createVitrineHandler({ ...options, store }));
    expect(followers()).toBe(3);
    for (const { close } of handlers) close();
    expect(followers()).toBe(0);
  });

  it('tells load balancers and clients that the handler has stopped', async () => {
    const { store } = await followedStore();
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
