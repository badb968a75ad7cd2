import type { ClientOf } from '@vitrine/collector';
import { clientAddress, clientOf, parseAddress } from '../limits/client-address.js';
import type { TrustProxy } from '../limits/rate-limits.js';
import { TRUST_NOBODY, trustOf } from '../limits/trusted-proxies.js';

/** Tells which client a connection counts for. Behind a trusted proxy, only its request does. @throws RangeError if `trustProxy` is not valid */
export function connectionClients(trustProxy: TrustProxy | null): ClientOf {
  const trusts = trustProxy === null ? TRUST_NOBODY : trustOf(trustProxy);
  return (socketAddress, forwardedFor) => {
    const address = parseAddress(socketAddress ?? '');
    if (address === null || (forwardedFor === null && trusts(address, 0))) return null;
    return clientOf(clientAddress(address, forwardedFor ?? '', trusts));
  };
}
