/** A name server with names of a test's own (RFC 1035): no answer may be kept, and CNAMEs lead on. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** The addresses of a name, or another name that it stands for. */
export type Records = readonly string[] | { cname: string }
/** Asked anew for each query; undefined if there is no such name. */
export type Zone = (name: string, kind: 'A' | 'AAAA') => Records | undefined

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const
const HEADER_BYTES = 12
const CHAIN_MAX = 8
/** A response, recursion available, without or with the error that there is no such name. */
const [FOUND, NO_NAME] = [0x8580, 0x8583]

/** Answers on port 53 of 127.0.0.1, which a namespace of one's own has free. */
export async function openNameServer(zone: Zone): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) =>
    socket.send(answer(query, zone), port, address),
  )
  socket.bind(53, '127.0.0.1')
  await once(socket, 'listening')
}

function answer(query: Buffer, zone: Zone): Buffer {
  const { name, end } = questionOf(query)
  const kind = query.readUInt16BE(end) === TYPES.AAAA ? 'AAAA' : 'A'
  const question = query.subarray(HEADER_BYTES, end + 4)
  const { isKnown, records } = lookUp(zone, name, kind)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(isKnown ? FOUND : NO_NAME, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records])
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function lookUp(zone: Zone, asked: string, kind: 'A' | 'AAAA') {
  const records: Buffer[] = []
  let name = asked
  for (let links = 0; links < CHAIN_MAX; links += 1) {
    const found = zone(name, kind)
    if (!found) return { isKnown: false, records }
    if ('cname' in found) {
      records.push(record(name, TYPES.CNAME, encodeName(found.cname)))
      name = found.cname
      continue
    }
    const addresses = found
      .map((address) => ipaddr.parse(address))
      .filter((address) => address.kind() === (kind === 'A' ? 'ipv4' : 'ipv6'))
    for (const address of addresses) {
      records.push(record(name, TYPES[kind], Buffer.from(address.toByteArray())))
    }
    break
  }
  return { isKnown: true, records }
}

/** A record with a time to live of zero. */
function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodeName(name), fixed, data])
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
