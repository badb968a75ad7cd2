import { parseAddress, type Address, type Trust } from './client-address.js';
import { MOST_PROXIES, type TrustProxy } from './rate-limits.js';

type Network = readonly [address: Address, bits: number];

const WITH_BITS = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Trusts a number of proxies, or those of a list. @throws RangeError if the number or an address is not valid */
export function trustOf(trustProxy: TrustProxy): Trust {
  if (typeof trustProxy !== 'number') return trustIn(trustProxy.map(networkOf));
  if (!Number.isInteger(trustProxy) || trustProxy < 1 || trustProxy > MOST_PROXIES)
    throw new RangeError(
      `trustProxy: ${String(trustProxy)} is not valid. Use a number of proxies from 1 to ${String(MOST_PROXIES)}, or a list of addresses.`,
    );
  return (_address, hop) => hop < trustProxy;
}

export const TRUST_NOBODY: Trust = () => false;

function trustIn(networks: readonly Network[]): Trust {
  return (address) => networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === null)
    throw new RangeError(`trustProxy: ${JSON.stringify(text)} is not valid. Use an address such as 10.0.0.1, or a network such as 10.0.0.0/8.`);
  return network;
}

/** Returns `null` if the text is neither an address nor a network. */
function parseNetwork(text: string): Network | null {
  const [, written = '', bitsText] = WITH_BITS.exec(text) ?? [];
  const address = parseAddress(written);
  if (address === null) return null;
  const ownBits = written.includes(':') ? BITS.ipv6 : BITS.ipv4;
  const bits = bitsText === undefined ? ownBits : Number(bitsText);
  // An IPv4-mapped address has become IPv4, so its network has lost the prefix that all of them share.
  const lost = ownBits - BITS[address.kind()];
  return bits <= ownBits ? [address, Math.max(0, bits - lost)] : null;
}
