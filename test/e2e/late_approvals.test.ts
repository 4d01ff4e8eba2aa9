/** Approvals that come once the message was reversed, of an issuer that forgets reversals (D-874). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Message } from '#iso8583/message.ts'
import { mtiClass } from '#iso8583/mti.ts'
import { transact } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import { conclude } from '#merchant/acquirer/acquirer.ts'
import { keepIn } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { answerTo, openIssuer, type Script } from './issuer.ts'
import { openShop } from './shop.ts'

const card = { card_number: '4000001234567899', expiry: '12/49', cvv2: '123' }
const FURTHER_MAX = 3

/** Knows no original of a reversal, and leaves the requests of `silent` unanswered. */
const forgetful =
  (silent: string): Script =>
  ({ mti }) => {
    if (mtiClass(mti) === '0420') return '25'
    return mtiClass(mti) === silent ? null : '00'
  }

async function openScene(silent: string) {
  await using opened = new AsyncDisposableStack()
  const issuer = keepIn(opened, await openIssuer(forgetful(silent)))
  const shop = opened.use(await openShop({ issuer: issuer.port }))
  shop.sweeper.start()
  const kept = opened.move()
  const messages = (mti: '0100' | '0200' | '0420') =>
    shop.db
      .selectFrom('acquirer_messages')
      .select(['id', 'status', 'response_code'])
      .where('mti', '=', mti)
      .orderBy('id')
      .execute()
  const cards = async () =>
    (await shop.db.selectFrom('merchant_vault.cards').select('owner_id').execute()).length
  const reversals = () => issuer.of('0420')
  return {
    issuer,
    shop,
    messages,
    cards,
    reversals,
    reversed: (mti: '0100' | '0200') =>
      until('its reversal', async () => (await messages(mti)).at(-1)?.status === 'REVERSED'),
    sent: (count: number) => until(`${count} reversals`, () => reversals().length === count),
    acknowledged: () =>
      until('all are acknowledged', async () =>
        (await messages('0420')).every(({ status }) => status === 'APPROVED'),
      ),
    /** The answer that the request did not get in time. */
    say(mti: string, code: string) {
      const request = issuer.of(mti).at(-1)
      assert.ok(request)
      issuer.say(issuer.over(request) ?? 0, answerTo(request, code))
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The fields of two messages that an issuer compares. */
const keyOf = ({ fields }: Message) => [7, 11, 32, 37].map((de) => fields[de])

describe('an approval after the reversal', { concurrency: 2 }, () => {
  test('of a payment is reversed by the same reversal, and its card is deleted again', async () => {
    await using scene = await openScene('0100')
    const { issuer, shop, reversals } = scene
    const { id } = await shop.checkout()
    await shop.submit(id, card)
    await scene.reversed('0100')
    assert.equal(await scene.cards(), 0)
    issuer.script = () => '00'
    scene.say('0100', '05')
    scene.say('0100', '00')
    await scene.sent(2)
    const [first, again] = reversals()
    assert.ok(first && again)
    assert.deepEqual([first.mti, again.mti], ['0420', '0421'])
    assert.deepEqual(keyOf(again), keyOf(first))
    const originals = [first, again].map(({ fields }) => [fields[2], fields[4], fields[90]])
    assert.deepEqual(originals[1], originals[0])
    await scene.acknowledged()
    assert.equal(await scene.cards(), 0)
    assert.match((await shop.page(id)).text, /not been charged/)
    assert.equal((await scene.messages('0420')).length, 2)
  })

  test('of a part of a payment is reversed too', async () => {
    await using scene = await openScene('0100')
    const { issuer, shop } = scene
    const { id } = await shop.checkout()
    await shop.submit(id, card)
    await scene.reversed('0100')
    issuer.script = () => '00'
    scene.say('0100', '10')
    await scene.sent(2)
    await scene.acknowledged()
  })

  test('of a refund is reversed too', async () => {
    await using scene = await openScene('0200')
    const { issuer, shop } = scene
    const { reference } = await shop.order(card)
    await shop.call('POST', `/orders/${reference}/capture/`)
    const refund = { total: '40', currency: 'AED' }
    const { body } = await shop.call('POST', `/orders/${reference}/refund/`, refund)
    assert.equal(body.status, 'FAILURE')
    issuer.script = () => '00'
    scene.say('0200', '00')
    await scene.sent(2)
    await scene.acknowledged()
    assert.deepEqual((await shop.call('GET', `/orders/${reference}/`)).body.total_refund, '0')
  })

  test('is reversed by a new reversal where the issuer answers the repeat as before', async () => {
    await using scene = await openScene('0100')
    const { issuer, shop, reversals } = scene
    const { id } = await shop.checkout()
    await shop.submit(id, card)
    await scene.reversed('0100')
    issuer.script = ({ mti }) => (mti === '0421' ? '25' : '00')
    scene.say('0100', '00')
    await scene.sent(3)
    const [first, again, anew] = reversals()
    assert.ok(first && again && anew)
    assert.deepEqual([again.mti, anew.mti], ['0421', '0420'])
    assert.notDeepEqual(keyOf(anew), keyOf(first))
    assert.equal(anew.fields[90], first.fields[90])
    await scene.acknowledged()
    const codes = (await scene.messages('0420')).map(({ response_code }) => response_code)
    assert.deepEqual(codes, ['25', '25', '00'])
  })

  test('leads to three more reversals at the most', async () => {
    await using scene = await openScene('0100')
    const { shop } = scene
    const { id } = await shop.checkout()
    await shop.submit(id, card)
    await scene.reversed('0100')
    const [message] = await scene.messages('0100')
    const again = { pan: new Secret(card.card_number), expiry: '4912' }
    const late = {
      kind: 'answered',
      approved: true,
      response_code: '00',
      approval_code: null,
    } as const
    for (let at = 0; at < FURTHER_MAX + 2; at++) {
      const conclusion = await transact(await shop.ctx(), (tx) =>
        conclude(tx, message?.id ?? '', late, again),
      )
      assert.deepEqual(conclusion, { known: true, approved: false })
      await scene.acknowledged()
    }
    assert.equal((await scene.messages('0420')).length, 1 + FURTHER_MAX)
    assert.equal(await scene.cards(), 0)
  })
})
