/** Limits made and linked through the API, for tests of what they decline. */

import assert from 'node:assert/strict'
import type { Issuer } from './issuer.ts'

type Kind = 'balancelimits' | 'velocitylimits'

/** Creates a limit in AED and links it to `owner` (`cards/<id>` and the like); answers its id. */
export async function linkLimit(
  { call }: Pick<Issuer, 'call'>,
  kind: Kind,
  owner: string,
  fields: object,
): Promise<string> {
  const limit = await call('POST', `/v1/${kind}`, { currency: 'AED', ...fields })
  assert.equal(limit.status, 200, limit.text)
  const { id } = limit.body
  const linked = await call('POST', `/v1/${owner}/${kind}:link`, { ids: [id] })
  assert.equal(linked.status, 200, linked.text)
  return id
}
