import { loadConfig } from '@vitrine/collector/server';
import fc from 'fast-check';
import { parseAddress, trustOf } from './client-address.js';

function trusts(list: readonly string[], text: string): boolean {
  const address = parseAddress(text);
  return address !== null && trustOf(list)(address, 0);
}

describe('a list of trusted proxies', () => {
  it.each([
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.200.1.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['::ffff:10.0.0.0/104'], '10.0.0.1', true],
    [['::ffff:10.0.0.1'], '10.0.0.1', true],
    [['::ffff:10.0.0.1'], '10.0.0.2', false],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::/32'], '10.0.0.1', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::ffff:0:0/90'], '203.0.113.5', true],
    [['10.0.0.1', '192.168.0.0/16'], '192.168.3.4', true],
  ])('%j trusts %s: %s', (list, address, expected) => {
    expect(trusts(list, address)).toBe(expected);
  });

  it.each(['', 'proxy.example', '10.0.0.0/33', '2001:db8::/129', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.1:80', 'loopback'])(
    'rejects %j, and says what to write',
    (text) => {
      expect(() => trustOf([text])).toThrow(/^trustProxy: ".*" is not valid\. Use an address such as 10\.0\.0\.1/);
    },
  );
});

it('every list that the configuration accepts is accepted', () => {
  const written = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'::..0129fF%/[]'), maxLength: 20 }));
  const bits = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 0, max: 130 }).map((n) => `/${String(n)}`),
  );
  const isConfigured = (network: string): boolean => {
    try {
      loadConfig({ text: JSON.stringify({ approved: [], server: { trustProxy: [network] } }), file: 'vitrine.yaml', env: {} });
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(written, bits, (address, suffix) => {
      const network = address + suffix;
      if (isConfigured(network)) expect(trustOf([network])).toBeInstanceOf(Function);
      else expect(() => trustOf([network])).toThrow(RangeError);
    }),
  );
});

it.each([0, 11, 1.5, NaN, -1])('the number of trusted proxies is not %s', (hops) => {
  expect(() => trustOf(hops)).toThrow(
    new RangeError(`trustProxy: ${String(hops)} is not valid. Use a number of proxies from 1 to 10, or a list of addresses.`),
  );
});
