import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the network that an address belongs to: a whole IPv4 address, or the first 64 bits of an IPv6 address. The
 * owner of one IPv6 address usually has the whole /64. Other texts, which only a proxy can send, are returned
 * unchanged.
 */
export function networkOf(address: string): string {
  const bare = withoutPort(address).replace(/%.*$/, '');
  return isIPv6(bare) ? networkOfIpv6(bare) : bare;
}

/**
 * Removes the port that some proxies add to the address. It differs for every connection, so one client would count as
 * many.
 */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address)?.[1];
  if (bracketed !== undefined) return bracketed;
  const host = /^([\d.]+):\d{1,5}$/.exec(address)?.[1];
  return host !== undefined && isIPv4(host) ? host : address;
}

function networkOfIpv6(address: string): string {
  // The URL parser writes every spelling of an IPv6 address in the same form: hexadecimal groups without leading zeros.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped) return dotted(mapped[1] ?? '', mapped[2] ?? '');
  return `${groups(canonical).slice(0, 4).join(':')}::/64`;
}

function dotted(high: string, low: string): string {
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

function groups(canonical: string): readonly string[] {
  const [before = '', after] = canonical.split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}
