import fc from 'fast-check';
import {
  clientAddress,
  clientOf as clientOfAddress,
  isLoopback,
  isNear,
  parseAddress,
  parseEntry,
  trustOf,
  type Address,
  type Trust,
} from './client-address.js';

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === null) throw new Error(`${text} is not an address`);
  return parsed;
}

const clientKey = (parsed: Address): string => clientOfAddress(parsed).key;
const clientOf = (socket: string, forwardedFor: string, trusts: Trust): string => clientAddress(address(socket), forwardedFor, trusts).toString();

const PROXY = '10.9.9.9';
const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
const proxy = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `10.${String(n >> 16)}.${String((n >> 8) & 255)}.${String(n & 255)}`);
const outside = anyAddress.filter((text) => !address(text).toString().startsWith('10.'));
/** What a client can write into the header: addresses, separators and anything else. */
const forged = fc.oneof(
  fc.array(anyAddress, { maxLength: 4 }).map((entries) => entries.join(',')),
  fc.string({ unit: fc.constantFrom(...',;:.[]% 0129af"=-'), maxLength: 40 }),
  fc.string({ maxLength: 20 }),
);

describe('the address of a client', () => {
  it('is the address of the socket if nobody is trusted, whatever the header says', () => {
    fc.assert(
      fc.property(anyAddress, forged, (socket, header) => {
        expect(clientOf(socket, header, trustOf(null))).toBe(address(socket).toString());
      }),
    );
  });

  it('is the one that the first of the trusted proxies saw, whatever the client wrote before it', () => {
    fc.assert(
      fc.property(fc.array(proxy, { minLength: 1, maxLength: 10 }), outside, forged, (proxies, client, before) => {
        // Each proxy adds the address from which its own connection came. The last one has the connection to the server.
        const header = [before, client, ...proxies.slice(0, -1)].join(', ');
        const socket = proxies.at(-1) ?? '';
        expect(clientOf(socket, header, trustOf(proxies.length))).toBe(address(client).toString());
        expect(clientOf(socket, header, trustOf(['10.0.0.0/8']))).toBe(address(client).toString());
      }),
    );
  });

  it('is always the socket or an entry of the header', () => {
    fc.assert(
      fc.property(anyAddress, forged, fc.integer({ min: 1, max: 10 }), (socket, header, hops) => {
        const entries = header.split(',').flatMap((entry) => parseEntry(entry.trim())?.toString() ?? []);
        expect([address(socket).toString(), ...entries]).toContain(clientOf(socket, header, trustOf(hops)));
      }),
    );
  });

  it.each([
    ['', PROXY],
    ['unknown', PROXY],
    ['198.51.100.7, _hidden', PROXY],
    ['198.51.100.7, 10.0.0.1.2', PROXY],
    ['198.51.100.7,', PROXY],
    ['garbage, 203.0.113.5', '203.0.113.5'],
    ['198.51.100.7, 203.0.113.5', '198.51.100.7'],
    ['192.0.2.1, 198.51.100.7, 203.0.113.5', '198.51.100.7'],
  ])('ends at the last trusted address before a malformed entry: with two proxies and %j it is %s', (header, client) => {
    expect(clientOf(PROXY, header, trustOf(2))).toBe(client);
  });

  it('stops at an address outside the list, also if a trusted one stands before it', () => {
    expect(clientOf(PROXY, '10.1.1.1, 203.0.113.5', trustOf(['10.0.0.0/8']))).toBe('203.0.113.5');
    expect(clientOf('203.0.113.5', '198.51.100.7', trustOf(['10.0.0.0/8']))).toBe('203.0.113.5');
  });
});

describe('an entry of the header', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is the address %s', (text, expected) => {
    expect(parseEntry(text)?.toString()).toBe(expected);
  });

  it.each([
    '',
    'unknown',
    '203.0.113',
    '203.0.113.5.6',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '203.0.113.5/8',
    '[203.0.113.5',
    '::g',
    '203.0.113.5:',
  ])('%j is not an address', (text) => {
    expect(parseEntry(text)).toBeNull();
  });

  it('is read without an exception, whatever it holds', () => {
    fc.assert(
      fc.property(fc.oneof(forged, anyAddress), (text) => {
        const parsed = parseEntry(text);
        expect(parsed === null || parseAddress(parsed.toString())?.toString() === parsed.toString()).toBe(true);
      }),
    );
  });
});

describe('what is counted as one client', () => {
  it('is the whole IPv4 address, also in its IPv4-mapped form', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(clientKey(address(text))).toBe(text);
        expect(clientKey(address(`::ffff:${text}`))).toBe(text);
      }),
    );
  });

  it('is the /64 network of an IPv6 address', () => {
    const part = fc.integer({ min: 1, max: 0xffff }).map((n) => n.toString(16));
    const half = fc.array(part, { minLength: 4, maxLength: 4 }).map((parts) => parts.join(':'));
    fc.assert(
      fc.property(half, half, half, half, (network, other, host, otherHost) => {
        const key = clientKey(address(`${network}:${host}`));
        expect(key).toBe(clientKey(address(`${network}:${otherHost}`)));
        expect(key === clientKey(address(`${other}:${host}`))).toBe(network === other);
      }),
    );
  });

  it('is also counted with its /48 network, if it has an IPv6 address', () => {
    const network = (text: string) => clientOfAddress(address(text)).network;
    expect(network('2001:db8:1:2::1')).toBe('2001:db8:1::/48');
    expect(network('2001:db8:1:ffff::1')).toBe(network('2001:db8:1:2::1'));
    expect(network('2001:db8:2:2::1')).not.toBe(network('2001:db8:1:2::1'));
    expect([network('203.0.113.5'), network('::ffff:203.0.113.5')]).toEqual([null, null]);
  });

  it('distinguishes networks of which one has zeros', () => {
    expect(clientKey(address('2001:db8::1'))).toBe('2001:db8:0:0::/64');
    expect(clientKey(address('2001:db8:0:1::1'))).toBe('2001:db8:0:1::/64');
  });
});

it.each([
  ['127.0.0.1', true, true],
  ['127.1.2.3', true, true],
  ['::1', true, true],
  ['::ffff:127.0.0.1', true, true],
  ['10.0.0.1', false, true],
  ['172.17.0.1', false, true],
  ['192.168.1.1', false, true],
  ['fd00::1', false, true],
  ['100.64.0.1', false, true],
  ['203.0.113.5', false, false],
  ['2001:4860::1', false, false],
])('%s is on this machine: %s; on it or in a private network: %s', (text, onMachine, near) => {
  expect([isLoopback(address(text)), isNear(address(text))]).toEqual([onMachine, near]);
});
