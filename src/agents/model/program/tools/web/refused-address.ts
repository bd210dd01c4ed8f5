/** Which addresses a page may not be fetched from: all that lead into this machine or the networks around it. */
import { BlockList, isIP } from "node:net";

const IPV4_RANGES: readonly [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  // Shared by the customers of a provider.
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Inside of the range below. Tunnels (Teredo, 6to4) hold an IPv4 address, which could be any. */
const IPV6_RANGES: readonly [network: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** All public ones. So mapped IPv4 (::ffff:0:0/96) and NAT64 (64:ff9b::/96) are refused with the rest. */
const PUBLIC_IPV6: [network: string, prefix: number] = ["2000::", 3];

const refused = new BlockList();
for (const [network, prefix] of IPV4_RANGES) refused.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of IPV6_RANGES) refused.addSubnet(network, prefix, "ipv6");
const publicIpv6 = new BlockList();
publicIpv6.addSubnet(...PUBLIC_IPV6, "ipv6");

/** True also for what is no address. */
export function isRefusedAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return refused.check(address, "ipv4");
    case 6:
      return address.includes("%") || !publicIpv6.check(address, "ipv6") || refused.check(address, "ipv6");
    default:
      return true;
  }
}
