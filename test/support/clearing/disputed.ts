/** Payments that a clearing file has settled, with disputes about them. */

import assert from 'node:assert/strict'
import type { Issuer } from '#test/support/issuer.ts'
import type { Clearer } from './clearer.ts'
import { clearingFile, type Members, presentment } from './clearing_file.ts'

const MINOR = 100

export function openDisputed({ call, card, tenant }: Issuer, clearer: Clearer) {
  const submit = async (transaction_id: string, fields: object = {}) => {
    const input = { transaction_id, reason: 'NOT_RECEIVED', explanation: 'It never came.' }
    const opened = await call('POST', '/v1/disputes', { ...input, ...fields })
    assert.equal(opened.status, 200, opened.text)
    const id = String(opened.body.id)
    const { status, text } = await call('POST', `/v1/disputes/${id}:submit`, {})
    assert.equal(status, 200, text)
    return { id, transaction_id }
  }
  return {
    submit,
    /** A payment of so much in AED that a file has posted, and its SUBMITTED dispute. */
    async submitted(amount: number, fields: object = {}) {
      const made = await card(amount)
      const { body } = await call('GET', `/v1/cards/${made.card_id}:reveal`)
      const record: Members = presentment(String(body.card_number), BigInt(amount * MINOR))
      const { records } = await clearer.clear(await clearingFile([record]), [tenant.id])
      assert.equal(records[1].state, 'POSTED')
      return {
        ...made,
        pan: record['DE2'] ?? '',
        record,
        ...(await submit(records[1].transaction_id, fields)),
      }
    },
  }
}
