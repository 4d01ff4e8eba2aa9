/**
 * Batches of cards on their way to OpenSSH's server and back, while the program, a process of its
 * own, is killed at each step: each card is in one file, and each answer has its effect once.
 */

import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { chances, SEED } from '#test/support/chances.ts'
import { closeGate } from '#test/support/gate.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { namesIn, openBureau } from '#test/support/services/bureau.ts'
import { type Moment, openCutLine } from '#test/support/services/cut_line.ts'
import { until } from '#test/support/services/receiver.ts'
import { missingSshd, openSshd } from '#test/support/services/sshd.ts'

const deep = process.env['TEST_DEEP'] === '1'
const CARDS = 2
/** So many that their file is sent in several parts. */
const MANY_CARDS = 120
const EVERY = { card_type: 'PHYSICAL', name_on_card: 'Aisha Khan' }

describe(`killed on the way to the bureau (SEED=${SEED})`, { skip: missingSshd }, async () => {
  const keep = keeper()
  const place = keep(openBureau())
  const sshd = keep(await openSshd())
  const line = keep(await openCutLine(sshd.port))
  const platform = keep(await openKillable())
  const { BUREAU_FOLDER: _folder, ...keys } = place.env
  Object.assign(platform.env, keys, {
    BUREAU_SFTP: `sftp://${sshd.user}@127.0.0.1:${line.port}${place.folder}`,
    BUREAU_SFTP_HOST_KEY: sshd.host_key,
    BUREAU_SFTP_KEY: sshd.key,
  })
  const { operator_key, tenant } = platform.sandbox
  const chance = chances(SEED)

  async function ask(method: string, path: string, given?: object, apikey = tenant.api_key) {
    const key = { 'x-bezant-idempotency-key': randomUUID() }
    const headers = { apikey, ...(method === 'POST' && key) }
    const url = `/v1/${path}`
    const message = { method, url, headers, body: given && JSON.stringify(given) }
    const { status, text } = await platform.insist(message)
    assert.equal(status, 200, text)
    return JSON.parse(text)
  }
  const operate = (method: string, path: string, body: object) =>
    ask(method, `operator/${path}`, body, operator_key)
  const unlimited = { rate_limit_per_second: 1e5, rate_limit_burst: 1e5 }
  await operate('PUT', `tenants/${tenant.id}/settings`, unlimited)
  const product = await ask('POST', 'cardproducts', {
    name: 'Travel',
    currency: tenant.currency,
    bin: '541334',
    production: { pin_mailer: true },
  })
  const user = await ask('POST', 'users', { first_name: 'Aisha', last_name: 'Khan' })

  const made: string[] = []
  const answered: string[] = []
  async function issue(count: number): Promise<string[]> {
    const body = { user_id: user.id, card_product_id: product.id, ...EVERY }
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) ids.push((await ask('POST', 'cards', body)).id)
    made.push(...ids)
    return ids
  }
  const send = () => operate('POST', 'cardorders:send', { tenant_id: tenant.id })
  const isIn = async (ids: readonly string[], status: string) => {
    const states = await Promise.all(ids.map((id) => ask('GET', `cards/${id}`)))
    return states.every(({ fulfillment_status }) => fulfillment_status === status)
  }
  const untilIn = (ids: readonly string[], status: string) =>
    until(`the cards are ${status}`, () => isIn(ids, status))

  const wholeFiles = () => namesIn(place.folder).filter((name) => /^cards-.*\.pgp$/.test(name))
  const begunFile = () => namesIn(place.folder).find((name) => name.startsWith('.cards-'))
  const sizeOf = (name: string) =>
    statSync(join(place.folder, name), { throwIfNoEntry: false })?.size ?? 0

  async function restart() {
    await platform.kill()
    line.mend()
    await platform.start()
  }

  /** The cards are sent, while the process is killed at that moment, and by the next one. */
  async function sendKilledAt(ids: readonly string[], moment: Moment): Promise<void> {
    const cut = line.cutAt(moment)
    await send()
    // The last moment of chance may be behind the last byte.
    const isOver = new AbortController()
    const sent = until('the file is sent', () => isOver.signal.aborted || isIn(ids, 'ORDERED'))
    await Promise.race([cut, sent])
    isOver.abort()
    await restart()
    await send()
    await untilIn(ids, 'ORDERED')
  }

  const recordsOf = (name: string) => place.recordsIn(place.decrypt(join(place.folder, name)))
  const statusOf = (ids: readonly string[], status: string) =>
    ids.map((id) => `${id},${status},,FX-1,2026-11-28,Falcon\n`).join('')

  /** Answers to the cards of a batch appear under their name, as the bureau writes them. */
  async function answerTo(card: string, status = 'SHIPPED'): Promise<string> {
    const { card_order_id } = await ask('GET', `cards/${card}`)
    const { file_name } = await ask('GET', `cardorders/${card_order_id}`)
    const orders = recordsOf(file_name).map(({ order_id = '' }) => order_id)
    const name = `${card_order_id}.rsp`
    writeFileSync(join(place.folder, '.writing'), statusOf(orders, status))
    renameSync(join(place.folder, '.writing'), join(place.folder, name))
    return name
  }
  const shippedAfter = async (ids: readonly string[], name: string) => {
    await untilIn(ids, 'SHIPPED')
    await until('the answers are put away', () => namesIn(place.folder).includes(`${name}.done`))
    answered.push(...ids)
  }

  // The sandbox begins with its simulated bureau; from here on it has the other.
  await restart()
  let usual = 0
  test('a batch is sent and answered where nothing ends', async () => {
    const ids = await issue(CARDS)
    void line.cutAt(() => false)
    await send()
    await untilIn(ids, 'ORDERED')
    usual = line.bytes()
    const name = await answerTo(ids[0] ?? '')
    await restart()
    await shippedAfter(ids, name)
  })

  const known = new Set<string>()
  const isNew = () => wholeFiles().some((name) => !known.has(name))
  const moments: [name: string, moment: Moment, count?: number][] = [
    ['before it connects', () => true],
    ['before the file', ({ from, bytes }) => from === 'client' && bytes > usual / 3],
    [
      'while the file is sent',
      ({ from }) => from === 'client' && sizeOf(begunFile() ?? 'none') > 0,
      MANY_CARDS,
    ],
    ['between rename and row', ({ from }) => from === 'server' && isNew()],
  ]
  for (const [name, moment, count = CARDS] of moments) {
    test(`${name}: the batch is sent once`, async (t) => {
      for (const file of wholeFiles()) known.add(file)
      const ids = await issue(count)
      let cut_at = 0
      await sendKilledAt(ids, (part) => {
        const is = moment(part)
        if (is) cut_at = sizeOf(begunFile() ?? 'none')
        return is
      })
      const files = wholeFiles().filter((file) => !known.has(file))
      assert.equal(files.length, 1)
      const whole = sizeOf(files[0] ?? '')
      t.diagnostic(`killed with ${cut_at} of ${whole} bytes under the temporary name`)
      if (count === MANY_CARDS) assert.ok(cut_at > 0 && cut_at < whole)
    })
  }

  const gateAt = (card: string) =>
    closeGate(platform.url, { tenant_id: tenant.id, id: card }, { table: 'cards', key: 'id' })

  test('before the cards are ORDERED: they become it once', async () => {
    // Cards of a product with mailers are locked before the file is made.
    await ask('PUT', `cardproducts/${product.id}`, { production: { pin_mailer: false } })
    const ids = await issue(CARDS)
    const cut = line.cutAt(() => true)
    await send()
    await cut
    await restart()
    const { card_order_id } = await ask('GET', `cards/${ids[0]}`)
    const gate = await gateAt(ids[1] ?? '')
    await send()
    await until('the batch is SENT', async () => {
      return (await ask('GET', `cardorders/${card_order_id}`)).state === 'SENT'
    })
    await platform.kill()
    await gate.open()
    await platform.start()
    await untilIn(ids, 'ORDERED')
    await ask('PUT', `cardproducts/${product.id}`, { production: { pin_mailer: true } })
  })

  /** The process is killed where it waits for the row of this card. */
  async function answersKilledAtCard(ids: readonly string[], card: string): Promise<void> {
    const name = await answerTo(ids[0] ?? '')
    await platform.kill()
    const gate = await gateAt(card)
    line.mend()
    await platform.start()
    await gate.untilBlocked()
    await platform.kill()
    await gate.endWaiting()
    await gate.open()
    line.mend()
    await platform.start()
    await shippedAfter(ids, name)
  }
  async function answersKilledAt(ids: readonly string[], moment: Moment): Promise<void> {
    const name = await answerTo(ids[0] ?? '')
    await platform.kill()
    line.mend()
    const cut = line.cutAt(moment)
    await platform.start()
    await cut
    await restart()
    await shippedAfter(ids, name)
  }
  const sentCards = async () => {
    const ids = await issue(CARDS)
    await send()
    await untilIn(ids, 'ORDERED')
    return ids
  }
  const putAway = () => namesIn(place.folder).filter((name) => name.endsWith('.done')).length

  test('while answers are applied: each has its effect once', async () => {
    const ids = await sentCards()
    await answersKilledAtCard(ids, ids[1] ?? '')
  })

  test('after answers are put away: each has its effect once', async () => {
    const before = putAway()
    await answersKilledAt(await sentCards(), ({ from }) => from === 'server' && putAway() > before)
  })

  /** A batch that is killed at any byte of its conversation, and its answers at any of theirs. */
  async function killedByChance(): Promise<void> {
    const ids = await issue(CARDS)
    const at = chance() * usual * 1.02
    await sendKilledAt(ids, ({ bytes }) => bytes >= at)
    const kind = chance()
    if (kind < 1 / 4) await answersKilledAtCard(ids, ids[Math.floor(chance() * CARDS)] ?? '')
    else if (kind < 1 / 2) {
      const bytes_at = (chance() * usual) / 2
      await answersKilledAt(ids, ({ bytes }) => bytes >= bytes_at)
    }
  }
  const rounds = deep ? 192 : 2
  test(`at any byte of ${rounds} conversations: none is lost or doubled`, async () => {
    for (let round = 0; round < rounds; round += 1) await killedByChance()
  })

  test('each card was in one file, and each change of it has one event', async (t) => {
    const rest = await platform.db
      .selectFrom('card_orders')
      .select(['file_name', 'digest', 'state'])
      .where('tenant_id', '=', tenant.id)
      .execute()
    assert.deepEqual(wholeFiles(), rest.map(({ file_name }) => file_name).sort())
    assert.equal(begunFile(), undefined)
    const orders = new Map<string, number>()
    for (const { file_name, digest } of rest) {
      const text = place.decrypt(join(place.folder, file_name))
      assert.equal(createHash('sha256').update(text).digest('hex'), digest)
      for (const { pan = '' } of place.recordsIn(text)) orders.set(pan, (orders.get(pan) ?? 0) + 1)
    }
    assert.equal(orders.size, made.length)
    assert.deepEqual(new Set(orders.values()), new Set([1]))
    const rows = await platform.db
      .selectFrom('events')
      .select(['object_id', 'payload'])
      .where('tenant_id', '=', tenant.id)
      .where('event', '=', 'CARD_DELIVERY_STATUS_CHANGED')
      .execute()
    const sent = rows.map(({ object_id, payload }) => {
      const { new_status } = Object(payload)
      return `${object_id} ${new_status}`
    })
    const expected = [
      ...made.map((id) => `${id} ORDERED`),
      ...answered.map((id) => `${id} SHIPPED`),
    ]
    assert.deepEqual(sent.sort(), expected.sort())
    t.diagnostic(`${rest.length} batches, ${made.length} cards, ${answered.length} answers`)
    await assertSound(platform.db)
  })

  test('it ends well, and none of its processes met an error that it did not expect', async () => {
    await platform.stop()
    assert.deepEqual(faultsOfLog(platform.lines()), [])
  })
})
