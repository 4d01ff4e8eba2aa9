/** A key of a tenant of the sandbox, for the time of a run. */

import { unreachable } from '../unreachable.ts'
import { ListenFault, type Options } from './options.ts'

export type OwnKey = { key: string; remove: () => Promise<void> }

/** The key of the options, or one that is made with the operator's key and deleted at the end. */
export async function keyOf(options: Options): Promise<OwnKey> {
  const { url, key, tenant, operator_key, responder_to } = options
  if (key !== undefined) return { key, remove: async () => {} }
  const headers = { apikey: operator_key ?? '', 'content-type': 'application/json' }
  const path = `${url}/v1/operator/tenants/${tenant}/keys`
  const body = JSON.stringify({ permissions: responder_to ? ['read', 'write'] : ['read'] })
  const answer = await fetch(path, { method: 'POST', headers, body }).catch((error: unknown) => {
    throw new ListenFault(unreachable(url, error))
  })
  const text = await answer.text()
  if (!answer.ok)
    throw new ListenFault(`tenant ${tenant}: ${url} answered ${answer.status}: ${text}`)
  const made: { id: string; key: string } = JSON.parse(text)
  return {
    key: made.key,
    async remove() {
      const { apikey } = headers
      await fetch(`${path}/${made.id}`, { method: 'DELETE', headers: { apikey } }).catch(() => {})
    },
  }
}
