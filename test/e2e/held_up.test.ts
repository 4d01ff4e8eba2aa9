/** A process that is held up between the record of a message and its sending (D-795). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mtiClass } from '#iso8583/mti.ts'
import { keepIn } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { openIssuer } from './issuer.ts'
import { openShop } from './shop.ts'

const card = { card_number: '4000001234567899', expiry: '12/49', cvv2: '123' }

test('a payment that was taken back meanwhile is not sent', async () => {
  await using opened = new AsyncDisposableStack()
  const script = ({ mti }: { mti: string }) => (mtiClass(mti) === '0420' ? '25' : '00')
  const issuer = keepIn(opened, await openIssuer(script))
  const shop = opened.use(await openShop({ issuer: issuer.port }))
  shop.sweeper.start()
  const { id, reference } = await shop.checkout()
  const statusOf = () =>
    shop.db.selectFrom('acquirer_messages').select('status').where('mti', '=', '0100').execute()

  const paying = shop.submit(id, card, { slow: '1' })
  await until('the record of the payment', async () => (await statusOf()).length === 1)
  await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT20S' })
  await until('its reversal', async () => (await statusOf())[0]?.status === 'REVERSED')

  const { text } = await paying
  assert.ok(text.includes('did not answer'), text)
  assert.deepEqual(
    issuer.received.map(({ mti }) => mtiClass(mti)),
    ['0420'],
  )
  assert.equal((await shop.call('GET', `/orders/${reference}/`)).status, 404)
})
