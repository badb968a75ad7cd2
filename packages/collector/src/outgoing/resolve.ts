import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Slots } from '../slots.js';

/** The addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Node resolves names on the four threads that also read files. A name server that does not answer blocks one for each name. */
const AT_ONCE = 2;

/** The same with at most `atOnce` lookups at a time. Calls for one name share a lookup while it runs. */
export function limitedResolve(resolve: Resolve, atOnce = AT_ONCE): Resolve {
  const pending = new Map<string, Promise<readonly LookupAddress[]>>();
  const slots = new Slots(atOnce);
  return (hostname) => {
    const found =
      pending.get(hostname) ??
      slots.run(async () => {
        try {
          return await resolve(hostname);
        } finally {
          pending.delete(hostname);
        }
      });
    pending.set(hostname, found);
    return found;
  };
}

/** The resolver of the system, shared by all clients of the process. */
export const systemResolve: Resolve = limitedResolve((hostname) => lookup(hostname, { all: true }));
