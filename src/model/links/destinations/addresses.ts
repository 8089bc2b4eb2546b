import { ipv4Of } from '../../ipv4.ts';

/** An IP address as eight groups of 16 bits. IPv4 addresses are mapped to IPv6. */
type Groups = readonly number[];

interface Network {
  readonly groups: Groups;
  /** Prefix length in bits. */
  readonly bits: number;
}

/** Returns true if a numeric address is loopback, private, link-local, shared, multicast or unspecified. */
export function isPrivateAddress(address: string): boolean {
  const v4 = ipv4Of(address);
  if (v4 < 0) return isIn(address, privateNetworks, holdersOfV4);
  // Fast path, because this function runs for each visit.
  for (const { first, last } of privateRanges) if (v4 >= first && v4 <= last) return true;
  return false;
}

/** Returns true if a numeric address, or the IPv4 address that it embeds, is not globally reachable. */
export function isSpecialAddress(address: string): boolean {
  return isIn(address, specialNetworks, [...holdersOfV4, ...moreHoldersOfV4]);
}

function isIn(address: string, networks: readonly Network[], holders: readonly Holder[]): boolean {
  const groups = groupsOf(address);
  if (groups === undefined) return false;
  const held = holders.find(({ network }) => covers(network, groups));
  const inner = held === undefined ? groups : mapped(groups.slice(held.at, held.at + 2));
  return networks.some((network) => covers(network, inner));
}

/** @returns undefined if the string is not a numeric address */
function groupsOf(address: string): Groups | undefined {
  const v4 = /^(?:(.*:))?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address);
  if (v4 === null) return address.includes(':') ? expanded(address) : undefined;
  const [a = 0, b = 0, c = 0, d = 0] = v4.slice(2).map(Number);
  const low = [a * 256 + b, c * 256 + d];
  const [, before] = v4;
  return before === undefined
    ? mapped(low)
    : expanded(`${before}${low.map((group) => group.toString(16)).join(':')}`);
}

function expanded(v6: string): Groups {
  const [left = [], right = []] = v6
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0), ...right];
}

function mapped(low: Groups): Groups {
  return [0, 0, 0, 0, 0, 0xffff, ...low];
}

function covers({ groups, bits }: Network, address: Groups): boolean {
  for (let at = 0; 16 * at < bits; at += 1) {
    const ignored = Math.max(0, 16 * (at + 1) - bits);
    if ((groups[at] ?? 0) >>> ignored !== (address[at] ?? 0) >>> ignored) return false;
  }
  return true;
}

function networkOf(text: string): Network {
  const [address = '', prefix = ''] = text.split('/');
  const bits = Number(prefix) + (address.includes(':') ? 0 : 96);
  return { groups: groupsOf(address) ?? [], bits };
}

/** An IPv6 network that embeds IPv4 addresses. `at` is the index of the group at which the IPv4 address starts. */
interface Holder {
  readonly network: Network;
  readonly at: number;
}
function holder(network: string, at: number): Holder {
  return { network: networkOf(network), at };
}

/** IPv4-compatible (including :: and ::1), IPv4-mapped and NAT64 networks. */
const holdersOfV4 = [holder('::/96', 6), holder('::ffff:0:0/96', 6), holder('64:ff9b::/96', 6)];
/** IPv4-translated and 6to4 networks. */
const moreHoldersOfV4 = [holder('::ffff:0:0:0/96', 6), holder('2002::/16', 1)];

const privateNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  // Unique local, link-local, former site-local and multicast addresses.
  'fc00::/6',
].map(networkOf);

/** Private IPv4 networks as numeric ranges, inclusive. */
const privateRanges = privateNetworks
  .filter(({ bits }) => bits >= 96)
  .map(({ groups: [, , , , , , high = 0, low = 0], bits }) => {
    const first = high * 65_536 + low;
    return { first, last: first + 2 ** (128 - bits) - 1 };
  });

/** Networks that IANA's special-purpose registries list as deprecated or not globally reachable. */
const specialNetworks = [
  ...privateNetworks,
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    // IPv6 networks for local-use NAT64, discard, IETF protocols (Teredo, ORCHID), documentation and segment routing.
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
  ].map(networkOf),
];
