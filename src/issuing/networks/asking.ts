/** A request of the operator for a new key of a card network. */

import type { Static } from 'typebox'
import type { Context } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import type { Exchange, ExchangeKeys } from './schema.ts'
import { insertExchange } from './store.ts'

/** The members of a network's settings that are shown. */
export type KnownNetwork = {
  name: string
  role: 'listen' | 'connect'
  addresses: readonly { host: string; port: number }[]
  dialect: string
  header: string
  envelope: string
  sign_on: 'us' | 'peer'
  echo_s: number
  deadline_ms: number
  codes: string
  billing: 'scheme' | 'own'
  bins: readonly string[] | null
  mac: { required: boolean; method: { algorithm: string; padding: number } } | null
  zmk_file: string | null
}

type Wanted = Static<typeof ExchangeKeys> & { name: string }

/** Noted for the process that is connected, which sends it. */
export async function askForKey(
  { db }: Context,
  known: readonly KnownNetwork[],
  { name, use }: Wanted,
): Promise<Static<typeof Exchange>> {
  const network = known.find((one) => one.name === name)
  if (!network) throw new ApiError('not_found')
  if (network.zmk_file === null) throw new ApiError('network_without_keys')
  const exchange = await insertExchange(db, { id: newId(), network: name, use })
  const { id, state, created } = exchange
  return { id, use: exchange.use, state, created }
}
