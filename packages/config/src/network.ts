import { isIP } from 'node:net';

const WITH_BITS = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;
const MOST_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Whether a text is an IP address, or a network in the notation of CIDR. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = WITH_BITS.exec(text) ?? [];
  return Number(bits) <= (MOST_BITS[isIP(address)] ?? -1);
}
