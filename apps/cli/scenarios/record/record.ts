/** Reads a transaction of a sandbox or a live platform, and turns it into a scenario. */

import type { Api } from '../platform/api.ts'
import { type Recorded, recordedScenario } from './recorded.ts'

/** `key` reads the transactions of its tenant. Throws StepFault where one is not there. */
export async function recordTransaction(api: Api, key: string, id: string): Promise<string> {
  const last = await read(api, key, id)
  const before = last.transaction.reference_transaction_id
  const first = before === undefined ? [] : [await read(api, key, before)]
  return recordedScenario([...first, last])
}

async function read(api: Api, key: string, id: string): Promise<Recorded> {
  const headers = { apikey: key }
  const path = `/v1/transactions/${encodeURIComponent(id)}`
  const transaction = await api.made('GET', path, headers)
  const { data: messages } = await api.made('GET', `${path}/messages`, headers)
  return { transaction, messages }
}
