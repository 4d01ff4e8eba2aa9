/** IP addresses and blocks of them. */

import ipaddr from 'ipaddr.js'

/** A block of addresses: its first address and the number of leading bits that are fixed. */
type Block = { first: ipaddr.IPv4 | ipaddr.IPv6; bits: number }

/** The bits of an IPv6 address that name the network of a site. */
const SITE_BITS = 64

/** True for an address or a CIDR block: 10.0.0.0/8, 192.0.2.7, 2001:db8::/32. */
export function isNetwork(text: string): boolean {
  return blockOf(text) !== undefined
}

/** True for a block that every address of its kind is in, also in its mapped form. */
export function isEveryAddress(text: string): boolean {
  return blockOf(text)?.bits === 0
}

/**
 * A test for membership in any of `networks`, each as `isNetwork` accepts it; others are empty. An
 * IPv4 address is the same when it is written as an IPv6 one (::ffff:10.0.0.1).
 */
export function membersOf(networks: readonly string[]): (address: string) => boolean {
  const blocks = networks.flatMap((text) => blockOf(text) ?? [])
  return (text) => {
    const address = addressOf(text)
    return address !== undefined && blocks.some((block) => holds(block, address))
  }
}

/** The form that some proxies write: 192.0.2.7:4711 or [2001:db8::1]:4711. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/

/** The origin that counts as one: an IPv4 address, or the /64 block of an IPv6 address. */
export function originOf(text: string): string {
  const [, v6, v4] = WITH_PORT.exec(text) ?? []
  const address = addressOf(v6 ?? v4 ?? text)
  if (address === undefined || address.kind() === 'ipv4') return address?.toString() ?? text
  const bytes = address.toByteArray().fill(0, SITE_BITS / 8)
  return `${ipaddr.fromByteArray(bytes).toString()}/${SITE_BITS}`
}

/** The same text for an address however the system writes it; undefined if it is none. */
export function plainAddress(text: string): string | undefined {
  return addressOf(text)?.toString()
}

function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The system names the interface of a link-local address: fe80::1%eth0.
  const bare = text.replace(/%.*$/s, '')
  return isAddress(bare) ? ipaddr.process(bare) : undefined
}

/** The library also accepts 10, 0x0a000001 and, for another network, ::1.2.3.4. */
function isAddress(text: string): boolean {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text)
  return ipaddr.IPv6.isValid(text) && !text.includes('%') && !/^::[\d.]+\.\d+$/.test(text)
}

function blockOf(text: string): Block | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (!isAddress(address)) return undefined
  const written = ipaddr.parse(address)
  const first = ipaddr.process(address)
  // In a mapped block the first 96 bits mean "this is IPv4".
  const skipped = written.kind() === first.kind() ? 0 : 96
  const most = first.kind() === 'ipv4' ? 32 : 128
  const bits = length === undefined ? most : Number(length) - skipped
  return bits >= 0 && bits <= most ? { first, bits } : undefined
}

function holds({ first, bits }: Block, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (first.kind() !== address.kind()) return false
  const [mine, other] = [first.toByteArray(), address.toByteArray()]
  return mine.every((byte, index) => {
    const shared = Math.min(Math.max(bits - 8 * index, 0), 8)
    return byte >> (8 - shared) === (other[index] ?? 0) >> (8 - shared)
  })
}
