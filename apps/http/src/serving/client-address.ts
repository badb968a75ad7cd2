import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly searchesPerMinute: number;
  /** Whether clients on this machine are limited too. */
  readonly loopback: boolean;
}

const MOST_PROXIES = 10;

/** Which proxies are trusted: their number, or their addresses and networks such as `10.0.0.0/8`. */
export type TrustProxy = number | readonly string[];

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export const OWN_MACHINE: Address = ipaddr.IPv4.parse('127.0.0.1');

/** Whether an address belongs to a trusted proxy. @param hop 0 for the address of the socket, 1 for the one that this proxy names, and so on */
export type Trust = (address: Address, hop: number) => boolean;

/** Some proxies add the port of the client. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;
/** An IPv6 address has eight parts. */
const PART_BITS = 16;
/** The parts of an IPv6 address that name one client: 64 bits. */
const CLIENT_PARTS = 4;
/** The parts that name a network of clients: 48 bits, which is the most that one site usually gets. */
const NETWORK_PARTS = 3;

/** Reads an address. An IPv4-mapped IPv6 address becomes IPv4. Returns `null` if the text is not an address. */
export function parseAddress(text: string): Address | null {
  // The parsers of the library also accept short, octal and hexadecimal forms of IPv4.
  if (isIP(text) === 0) return null;
  // The name of a network interface says nothing about the client.
  const [plain = ''] = text.split('%', 1);
  return ipaddr.process(plain);
}

/** Reads an entry of `X-Forwarded-For`: an address, with or without a port. */
export function parseEntry(text: string): Address | null {
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  return parseAddress(bracketed ?? dotted ?? text);
}

/**
 * The address of the client. Each trusted proxy is believed about the address before it in `X-Forwarded-For`, which is read from its end. The walk ends at
 * the first address that is not trusted, or before the first entry that is not an address.
 *
 * @param socket the address from which the connection came
 * @param forwardedFor the value of `X-Forwarded-For`; empty if there is none
 */
export function clientAddress(socket: Address, forwardedFor: string, trusts: Trust): Address {
  const entries = forwardedFor.split(',');
  let client = socket;
  for (let hop = 0; trusts(client, hop); hop++) {
    const before = parseEntry((entries.pop() ?? '').trim());
    if (before === null) return client;
    client = before;
  }
  return client;
}

/** The address range of one client, and its network, which has a limit too. */
export interface Client {
  readonly key: string;
  readonly network: string | null;
}

/**
 * What is counted as one client: an IPv4 address, or the /64 network of an IPv6 address, because a client can use all addresses of its network. Somebody who has a whole
 * /48 network has 65,536 such clients, so these are also counted together.
 */
export function clientOf(address: Address): Client {
  if (address instanceof ipaddr.IPv4) return { key: address.toString(), network: null };
  return { key: prefixOf(address, CLIENT_PARTS), network: prefixOf(address, NETWORK_PARTS) };
}

function prefixOf({ parts }: ipaddr.IPv6, length: number): string {
  const prefix = parts.slice(0, length).map((part) => part.toString(16));
  // One call, because a string that is put together keeps its parts in memory.
  return [...prefix, `:/${String(length * PART_BITS)}`].join(':');
}

export function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}

const NEAR: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** Whether an address belongs to this machine or to a private network, as that of a proxy in front of the server usually does. */
export function isNear(address: Address): boolean {
  return NEAR.has(address.range());
}

/** Trusts a number of proxies, or those of a list; with `null`, nobody. @throws RangeError if the number or an address is not valid */
export function trustOf(trustProxy: TrustProxy | null): Trust {
  if (typeof trustProxy !== 'number') return trustIn(trustProxy ?? []);
  if (!Number.isInteger(trustProxy) || trustProxy < 1 || trustProxy > MOST_PROXIES)
    throw new RangeError(
      `trustProxy: ${String(trustProxy)} is not valid. Use a number of proxies from 1 to ${String(MOST_PROXIES)}, or a list of addresses.`,
    );
  return (_address, hop) => hop < trustProxy;
}

const WITH_BITS = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;

function trustIn(networks: readonly string[]): Trust {
  const trusted = new BlockList();
  for (const text of networks) {
    const [, address = '', bits] = WITH_BITS.exec(text) ?? [];
    const [family, most] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    try {
      trusted.addSubnet(address, Number(bits ?? most), family);
    } catch {
      throw new RangeError(`trustProxy: ${JSON.stringify(text)} is not valid. Use an address such as 10.0.0.1, or a network such as 10.0.0.0/8.`);
    }
  }
  return (address) => trusted.check(address.toString(), address.kind());
}

/** Tells which client a connection counts for. Behind a trusted proxy, only its request does. @throws RangeError if `trustProxy` is not valid */
export function connectionClients(trustProxy: TrustProxy | null): (socketAddress: string | undefined, forwardedFor: string | null) => Client | null {
  const trusts = trustOf(trustProxy);
  return (socketAddress, forwardedFor) => {
    const address = parseAddress(socketAddress ?? '');
    if (address === null || (forwardedFor === null && trusts(address, 0))) return null;
    return clientOf(clientAddress(address, forwardedFor ?? '', trusts));
  };
}
