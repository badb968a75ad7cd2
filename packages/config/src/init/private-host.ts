import { BlockList, isIP } from 'node:net';

/** Ranges of addresses that are not public. */
const RANGES = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const;

const ranges = new BlockList();
for (const [network, bits, family] of RANGES) ranges.addSubnet(network, bits, family);

const PRIVATE_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|lan|home|intranet|corp|svc|test)$/i;

/** Whether a host is certainly in a private network, from its name or address alone. Other names may resolve to private addresses too. */
export function isPrivateHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family !== 0) return ranges.check(address, family === 4 ? 'ipv4' : 'ipv6');
  return PRIVATE_NAME.test(host.replace(/\.$/, ''));
}
