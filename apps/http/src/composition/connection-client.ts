import type { ClientOf } from '@vitrine/collector';
import { clientAddress, clientOf, parseAddress, TRUST_NOBODY, trustOf, type TrustProxy } from '../serving/client-address.js';

/** Tells which client a connection counts for. Behind a trusted proxy, only its request does. @throws RangeError if `trustProxy` is not valid */
export function connectionClients(trustProxy: TrustProxy | null): ClientOf {
  const trusts = trustProxy === null ? TRUST_NOBODY : trustOf(trustProxy);
  return (socketAddress, forwardedFor) => {
    const address = parseAddress(socketAddress ?? '');
    if (address === null || (forwardedFor === null && trusts(address, 0))) return null;
    return clientOf(clientAddress(address, forwardedFor ?? '', trusts));
  };
}
