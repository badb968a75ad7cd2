import { isPublicAddress } from '@vitrine/config/internal';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { SECOND } from '@vitrine/core';
import { Slots } from '../running/slots.js';
import { isIP, type LookupFunction } from 'node:net';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Node resolves names on the four threads that also read files. A name server that does not answer blocks one for each name. */
const AT_ONCE = 2;

/** The same with at most `atOnce` lookups at a time. Calls for one name share a lookup while it runs. */
export function limitedResolve(resolve: Resolve, atOnce = AT_ONCE): Resolve {
  const pending = new Map<string, Promise<readonly LookupAddress[]>>();
  const slots = new Slots(atOnce);
  return (hostname) => {
    const found = pending.get(hostname) ?? slots.run(() => resolve(hostname)).finally(() => pending.delete(hostname));
    pending.set(hostname, found);
    return found;
  };
}

export const systemResolve: Resolve = limitedResolve((hostname) => lookup(hostname, { all: true }));

/** The host has only addresses that a source may not connect to. */
export class PrivateAddressError extends Error {}

/** A `lookup` that returns public addresses only, unless `allowPrivate`. The socket connects to exactly these, so a later change of the name (DNS rebinding) gains nothing. */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const answer = async (): Promise<readonly LookupAddress[]> => {
      const found = (await resolve(hostname)).filter((one) => (family !== 4 && family !== 6 ? true : one.family === family));
      const usable = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address));
      if (usable.length === 0 && found.length > 0) throw new PrivateAddressError();
      return usable;
    };
    answer().then(
      (usable) => {
        const [first] = usable;
        if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENODATA' }), '', 0);
        else if (all === true) callback(null, [...usable]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}

/** Options of a socket. Node gives each address of a host but the last one only 250 ms, too short for another continent. @param timeoutMs for all addresses together */
export function guardedConnect(resolve: Resolve, { allowPrivate, timeoutMs }: { readonly allowPrivate: boolean; readonly timeoutMs: number }) {
  return { lookup: guardedLookup(resolve, allowPrivate), autoSelectFamilyAttemptTimeout: Math.min(SECOND, Math.ceil(timeoutMs / 2)) };
}

/** Sockets do not look IP addresses up, so these are checked before. Throws a {@link PrivateAddressError}. @param hostname as in a `URL`, IPv6 in brackets */
export function requirePublicHost(hostname: string): void {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new PrivateAddressError();
}
