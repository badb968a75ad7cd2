import type { LookupAddress } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND, type Clock } from '@vitrine/core';
import type { Resolve } from '../outgoing/resolve.js';

export interface KnownAddressesOptions {
  readonly clock: Clock;
  /** How long a lookup may take before the last answer is used. Default: 1 s. */
  readonly waitMs?: number;
}

/** A name whose name server does not answer is not taken for resolved for longer. */
const KEPT_MS = 5 * MINUTE;

interface Answer {
  readonly at: number;
  readonly addresses: readonly LookupAddress[];
}

/**
 * A resolver for probes. Only a few lookups run at a time in a process, so a name server that does not answer for one service makes the lookups of all others wait. Then the
 * last answer for their names is used, if it is at most 5 minutes old, so that their checks do not fail. A lookup that fails is always reported.
 */
export function knownAddresses(resolve: Resolve, { clock, waitMs = SECOND }: KnownAddressesOptions): Resolve {
  const known = new Map<string, Answer>();
  const lookup = async (name: string): Promise<readonly LookupAddress[]> => {
    const addresses = await resolve(name);
    known.set(name, { at: clock.now(), addresses });
    return addresses;
  };
  return async (name) => {
    const looked = lookup(name);
    const last = known.get(name);
    if (last === undefined || clock.now() - last.at > KEPT_MS) return looked;
    // The answer that comes too late is still remembered.
    looked.catch(() => undefined);
    return Promise.race([looked, sleep(waitMs, last.addresses, { ref: false })]);
  };
}
