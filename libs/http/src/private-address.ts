import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Not globally reachable by IANA's special-purpose registry (RFC 6890 and its successors), and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Of IPv6 only 2000::/3 is public (RFC 4291, 2.4), except for these blocks. Addresses that embed an IPv4 address count as
 * private whatever it is: mapped, NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380).
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = blocksOf(SPECIAL_IPV4, 'ipv4');
const specialGlobal = blocksOf(SPECIAL_IPV6, 'ipv6');
const global = blocksOf(['2000::/3'], 'ipv6');

/** Whether an IP address, without brackets, is not globally reachable. What is no address counts as private. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return special.check(address, 'ipv4');
  return !isIPv6(address) || !global.check(address, 'ipv6') || specialGlobal.check(address, 'ipv6');
}

function blocksOf(blocks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network, bits] = block.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
