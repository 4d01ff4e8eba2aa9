/** Disputes of both sides, made through the API. */

import assert from 'node:assert/strict'
import { form, pdf } from '../files.ts'
import type { World } from '../world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the caller names the members of the answer.
type Ask = (method: string, path: string, body?: object) => Promise<any>

/** A settled payment of 20.00 AED, of which three disputes take 1.00 each. */
export async function createDisputes(world: World, api_key: string, card_id: string) {
  const ask: Ask = async (method, path, body) =>
    (await world.request(method, path, body, { key: api_key })).body
  const paid = await ask('POST', '/v1/simulate/authorizations', {
    ...{ card_id, amount: 20, currency: 'AED' },
  })
  await ask('POST', `/v1/simulate/authorizations/${paid.id}:clear`, {})
  const contested = { reason: 'DUPLICATE', explanation: 'Paid twice', amount: 1 }
  const open = async (...verbs: string[]) => {
    const { id } = await ask('POST', '/v1/disputes', { transaction_id: paid.id, ...contested })
    for (const verb of verbs) await ask('POST', `/v1/${verb.replace('{id}', id)}`, {})
    return String(id)
  }
  const submit = 'disputes/{id}:submit'
  const dispute = await open()
  return {
    settled: String(paid.id),
    dispute,
    dispute_file: await uploadEvidence(world, api_key, dispute),
    submitted_dispute: await open(submit),
    represented_dispute: await open(submit, 'simulate/disputes/{id}:represent'),
  }
}

async function uploadEvidence(world: World, key: string, id: string): Promise<string> {
  const { payload, headers } = form({ name: 'file', value: pdf(), file_name: 'a.pdf' })
  const path = `/v1/disputes/${id}/files`
  const { body, text } = await world.request('POST', path, payload, { key, headers })
  assert.ok(body.id, text)
  return String(body.id)
}

/** A file of a shop's evidence. */
export async function uploadShopEvidence(
  world: World,
  { token }: { token: string },
  id: string,
): Promise<string> {
  const { payload, headers } = form({ name: 'file', value: pdf(), file_name: 'a.pdf' })
  const { body, text } = await world.request('POST', `/api/v1.0/disputes/${id}/files/`, payload, {
    key: null,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  assert.ok(body.id, text)
  return String(body.id)
}

/** A chargeback of 1.00 of an order, recorded by the operator. */
export async function createChargeback(
  world: World,
  merchant_id: string,
  reference: string,
): Promise<string> {
  const body = { merchant_id, reference, amount: 1, reason: 'NOT_RECEIVED' }
  const key = world.operator_key
  const answer = await world.request('POST', '/v1/operator/chargebacks', body, { key })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.body.dispute_id)
}
