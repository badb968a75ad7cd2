import ipaddr from 'ipaddr.js';

/** All IPv6 addresses that are routed on the Internet. Others, such as `::127.0.0.1`, can reach IPv4 addresses. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Public by its number, but every machine of Azure reaches its own platform there, with secrets of the machine. */
const PLATFORM_OF_AZURE = '168.63.129.16';

/**
 * Whether an IP address is on the public Internet. Not public: loopback, link-local, private, shared (CGNAT), multicast and reserved addresses, IPv6
 * addresses that stand for an IPv4 address (mapped, translated, 6to4, Teredo), and the platform of Azure.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || address.toString() === PLATFORM_OF_AZURE) return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}
