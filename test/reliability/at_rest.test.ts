/**
 * Card numbers at rest: changed or moved bytes do not open, no nonce is used twice, digests are
 * keyed, and a copy of the database without its key reveals no number.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { masterKeyWrapper, openKeyring } from '#kit/keys/keyring.ts'
import { newId } from '#lib/id.ts'
import { searchFor } from '#test/support/inspection/canary.ts'
import { nameOf, type SealedRow, sealedRows } from '#test/support/inspection/sealed_rows.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { dumpTables } from '#test/support/processes/stage.ts'
import { openWorld, type World } from '#test/support/world.ts'

const deep = process.env['TEST_DEEP'] === '1'
const CARDS = deep ? 1_000 : 40
const ENCRYPTIONS = deep ? 1_000_000 : 5_000
const AT_ONCE = 20

let world: World
let numbers: string[]
let pans: SealedRow[]
before(async () => {
  world = await openWorld()
  const [issuer, other] = [
    await openIssuer(world),
    await openIssuer(world, await world.otherTenant({ pci_compliant: true })),
  ]
  numbers = await issue(issuer, CARDS)
  numbers.push(...(await issue(other, 2)))
  pans = (await sealedRows(world.db)).filter(({ column }) => nameOf(column) === 'vault.pans.sealed')
})
after(() => world[Symbol.asyncDispose]())

async function issue(issuer: Awaited<ReturnType<typeof openIssuer>>, count: number) {
  const first = await issuer.card()
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${first.card_id}`)).body
  const card_body = { user_id: first.user_id, card_product_id, card_type: 'VIRTUAL' }
  const ids = [first.card_id]
  while (ids.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, () =>
      issuer.call('POST', '/v1/cards', card_body),
    )
    for (const { body } of await Promise.all(batch)) ids.push(body.id)
  }
  const shown: string[] = []
  while (shown.length < count) {
    const some = ids.slice(shown.length, shown.length + AT_ONCE)
    const batch = some.map((id) => issuer.call('GET', `/v1/cards/${id}:reveal`))
    for (const { body } of await Promise.all(batch)) shown.push(String(body.card_number))
  }
  return shown
}

const open = ({ column, row }: SealedRow, sealed: Buffer) =>
  world.services.keys.open(column.purpose, sealed, column.bind(row)).toString()

describe('a sealed number', () => {
  test(`opens as it is, and with no byte changed: ${CARDS} of them`, () => {
    assert.deepEqual(pans.map((one) => open(one, one.sealed)).toSorted(), numbers.toSorted())
    let rejected = 0
    for (const one of pans) {
      for (let at = 0; at < one.sealed.length; at++) {
        const changed = Buffer.from(one.sealed)
        changed.writeUInt8(changed.readUInt8(at) ^ (1 + Math.floor(Math.random() * 255)), at)
        assert.throws(() => open(one, changed), `byte ${at}`)
        rejected += 1
      }
    }
    assert.equal(
      rejected,
      pans.reduce((sum, { sealed }) => sum + sealed.length, 0),
    )
  })

  test('opens in no other row, of the same tenant or another', async () => {
    const isOwn = ({ row }: SealedRow) => row['tenant_id'] === world.tenant.id
    const [one, two] = pans.filter(isOwn)
    const foreign = pans.find((each) => !isOwn(each))
    assert.ok(one && two && foreign)
    for (const [left, right] of [
      [one, two],
      [one, foreign],
      [foreign, one],
    ] as const) {
      assert.throws(() => open(left, right.sealed))
    }
    const put = ({ row }: SealedRow, sealed: Buffer) =>
      sql`
      update vault.pans set sealed = ${sealed}
      where tenant_id = ${row['tenant_id']} and card_id = ${row['card_id']}`.execute(world.db)
    await put(one, two.sealed)
    await put(two, one.sealed)
    const { status, text } = await world.request('GET', `/v1/cards/${one.row['card_id']}:reveal`)
    assert.equal(status, 500)
    assert.ok(!numbers.some((number) => text.includes(number)))
    await put(one, one.sealed)
    await put(two, two.sealed)
  })

  test(`is sealed under a nonce of its own: ${ENCRYPTIONS} times`, () => {
    const clear = Buffer.from(numbers[0] ?? '')
    const nonces = new Set<string>()
    for (let count = 0; count < ENCRYPTIONS; count++) {
      const sealed = world.services.keys.seal('cards', clear, 'a')
      nonces.add(sealed.toString('latin1', 17, 29))
    }
    assert.equal(nonces.size, ENCRYPTIONS)
  })
})

describe('a copy of the database without its key', () => {
  test('has no number in any form, and opens under no other key', async () => {
    const client = new pg.Client({ connectionString: world.url })
    await client.connect()
    const dump = await dumpTables(client).finally(() => client.end())
    const search = searchFor(numbers.map((value, at) => ({ name: `number ${at}`, value })))
    assert.deepEqual(search.inText(dump), [])
    assert.deepEqual(search.inText(`${dump}${numbers[0]}`), ['number 0 (plain)'], 'control')
    await assert.rejects(openKeyring(world.db, masterKeyWrapper(randomBytes(32)), new Date()))
  })

  test('has digests that depend on their key', async () => {
    await using other = await openWorld()
    const id = newId()
    for (const number of numbers) {
      const data = `${id}:${number}`
      const [here, there] = [world, other].map(({ services }) =>
        services.keys.digest('lookup', data),
      )
      assert.ok(here && there && !here.equals(there))
    }
  })
})
