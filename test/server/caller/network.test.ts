import { expect, test } from 'vitest';
import { networkOf } from '../../../server/caller/network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::99]:51234', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::99]', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['2001:db8::1:0:0:1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])(
  'networkOf counts the client address %s as the network %s (IPv6 by its first 64 bits)',
  (address, network) => {
    expect(networkOf(address)).toBe(network);
  },
);

test('networkOf puts IPv6 addresses that differ in the 64th bit into two networks', () => {
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
});

test.each(['', 'unknown', '1.2.3.4.5', '1.2.3.4:x', ':::', '[', 'a:b', '1.2.3.4:5:6'])(
  'networkOf returns the invalid address "%s" unchanged',
  (text) => {
    expect(networkOf(text)).toBe(text);
  },
);
