/** Reads a transaction of a sandbox or a live platform, and turns it into a scenario. */

import type { Api } from '../../kit/api.ts'
import { make } from '../platform/calls.ts'
import { type Recorded, recordedScenario } from './recorded.ts'

/** `key` reads the transactions of its tenant. Throws RequestFault if one is not there. */
export async function recordTransaction(api: Api, key: string, id: string): Promise<string> {
  const last = await read(api, key, id)
  const before = last.transaction.reference_transaction_id
  const first = before === undefined ? [] : [await read(api, key, before)]
  return recordedScenario([...first, last])
}

async function read(api: Api, key: string, id: string): Promise<Recorded> {
  const asked = { method: 'GET', credentials: { apikey: key } }
  const path = `/v1/transactions/${encodeURIComponent(id)}`
  const transaction = await make(api, { ...asked, path })
  const { data: messages } = await make(api, { ...asked, path: `${path}/messages` })
  return { transaction, messages }
}
