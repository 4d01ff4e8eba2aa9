/** PIN blocks under the zone key of a network, in software and in a module (D-1032). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { NetworkKeys } from '#issuing/networks/networks.ts'
import { createLog } from '#kit/log.ts'
import { Secret } from '#lib/secret.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { sale } from '#test/support/network/messages.ts'
import { format0, format4, oneNumber, pinKeys, preparePins } from '#test/support/network/pins.ts'
import { connectLine, type Line } from '#test/support/network/scheme.ts'
import { zoneKeyText } from '#test/support/services/zone_keys.ts'
import { openWorld } from '#test/support/world.ts'
import vectors from '../../../../test/vectors/triple_length_keys.json' with { type: 'json' }
import { createNetworkPort } from './port.ts'
import { plainProfile } from './profile.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const ZMK = '404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
const ONE = '10201030104010501060107010801091'
const TWO = '20212023202520262029202A202C202F'
const AES = '000102030405060708090A0B0C0D0E0F'

const card_id = (await issuer.card(1_000, oneNumber)).card_id
const number = await preparePins(world, card_id, issuer.tenant.api_key)
const changed = await issuer.call('PUT', `/v1/cards/${card_id}:changepin`, {
  enc_pin: format0('4831', number),
})
assert.equal(changed.status, 200, changed.text)

let opened = 0
async function openNetwork(processes = 1) {
  opened += 1
  const name = `pins${opened}`
  const lines: Line[] = []
  for (let at = 0; at < processes; at += 1) {
    const keys = new NetworkKeys(world.services, name, zoneKeyText(ZMK))
    const port = createNetworkPort({
      ...{ host: '127.0.0.1', port: 0, dialect: 'bcd', header: 'binary2' },
      profile: { ...plainProfile('bcd', 'binary2'), name, keys, deadline_ms: 4_000 },
      log: createLog('silent'),
      engine: {
        tenantOfPan: async () => world.tenant.id,
        submit: (tenant_id, job) => world.engine.submit(tenant_id, job),
      },
      limits: { closing: 1_000 },
    })
    keep({ [Symbol.asyncDispose]: () => port.close() })
    const line = await connectLine((await port.listen()).port)
    lines.push(line)
    assert.equal(await ask(line, management('001')), '00')
  }
  const [one, other] = lines
  assert.ok(one)
  return { name, one, other: other ?? one, cut: () => lines.map((line) => line.cut()) }
}

async function ask(line: Line, message: Message): Promise<string | undefined> {
  line.put(encode(message, 'bcd'))
  const answer = decode(await line.next(), 'bcd')
  assert.ok(answer.ok)
  return answer.message.fields[39]
}

let stan = 0
const management = (code: string, text?: string): Message => {
  stan += 1
  const fields = { 7: '0612101530', 11: String(stan).padStart(6, '0'), 33: '9', 70: code }
  return { mti: '0800', fields: text === undefined ? fields : { ...fields, 48: text } }
}

/** A key block with a zone key for PINs. */
const blockOf = (hex: string, algorithm: 'T' | 'A' = 'T'): string =>
  wrapKeyBlock(
    {
      ...{ version: 'D', key_usage: 'P0', algorithm, mode_of_use: 'B' },
      ...{ key_version: '00', exportability: 'E' },
    },
    new Secret(Buffer.from(hex, 'hex')),
    new Secret(Buffer.from(ZMK, 'hex')),
    Buffer.alloc(40, 7),
  )

const withBlock = (block: string): Message => {
  const isLong = block.length === 32
  const field = isLong ? { 123: block, 53: '0400000000000000' } : { 52: block }
  return sale({ pan: number, amount: 100n, fields: { ...field, 22: '011' } })
}
/** Whether the PIN was right: else wrong, or the DE39. */
async function pinOf(line: Line, block: string): Promise<string | undefined> {
  const de39 = await ask(line, withBlock(block))
  return de39 === '00' ? 'right' : de39 === '55' ? 'wrong' : de39
}

test('a PIN block of a network without a key of its own is under that of the product', async () => {
  const { one, cut } = await openNetwork()
  assert.equal(await pinOf(one, format0('4831', number)), 'right')
  assert.equal(await pinOf(one, format4('4831', number)), 'right')
  assert.equal(await pinOf(one, format0('5924', number)), 'wrong')
  assert.equal(await pinOf(one, format0('4831', number)), 'right')
  cut()
})

test('a PIN block of a network with a key of its own is under that, and under no other', async () => {
  const { one, cut } = await openNetwork()
  assert.equal(await ask(one, management('161', blockOf(ONE))), '00')
  assert.equal(await pinOf(one, format0('4831', number, ONE)), 'right')
  assert.equal(await pinOf(one, format0('4831', number)), 'wrong')
  assert.equal(await pinOf(one, format0('5924', number, ONE)), 'wrong')
  assert.equal(await pinOf(one, format0('4831', number, ONE)), 'right')
  assert.equal(await pinOf(one, format4('4831', number)), 'right', 'no AES key has come')
  assert.equal(await ask(one, management('161', blockOf(AES, 'A'))), '00')
  assert.equal(await pinOf(one, format4('4831', number, AES)), 'right')
  cut()
})

test('a key of three parts is taken, and PIN blocks are under it', async () => {
  const { one, cut } = await openNetwork()
  const { block_d, key_hex } = vectors.zpk
  assert.equal(await ask(one, management('161', block_d)), '00')
  assert.equal(await pinOf(one, format0('4831', number, key_hex)), 'right')
  assert.equal(await pinOf(one, format0('4831', number, key_hex.slice(0, 32))), 'wrong')
  assert.equal(await pinOf(one, format0('4831', number, key_hex)), 'right')
  cut()
})

test('a new key is used at once at all processes, and the old one five minutes more', async () => {
  const { one, other, name, cut } = await openNetwork(2)
  assert.equal(await ask(one, management('161', blockOf(ONE))), '00')
  assert.equal(await pinOf(other, format0('4831', number, ONE)), 'right')
  assert.equal(await ask(other, management('161', blockOf(TWO))), '00')
  for (const line of [one, other]) {
    for (const key of [TWO, ONE]) {
      assert.equal(await pinOf(line, format0('4831', number, key)), 'right')
    }
    assert.equal(await pinOf(line, format0('4831', number, pinKeys.zpk)), 'wrong')
  }
  assert.equal(await pinOf(one, format0('4831', number, TWO)), 'right')
  await sql`update network_keys set created = created - interval '6 minutes'
    where network = ${name}`.execute(world.db)
  assert.equal(await pinOf(one, format0('4831', number, ONE)), 'wrong')
  assert.equal(await pinOf(one, format0('4831', number, TWO)), 'right')
  cut()
})
