/** Requests that exclude each other, sent to two processes at one time, each at another node. */

import { sale } from '#test/support/network/messages.ts'
import { DrillFault } from '../fault.ts'
import { Network } from '../stage/network.ts'
import { made, numberOf, type Ports, type Tenant } from '../stage/platform.ts'
import type { Transcript } from '../transcript.ts'

const ROUNDS = 200
/** Authorizations of one card at one time, and how many of them its limit lets pass. */
const RACERS = 12
const PASS = 4
const FUNDS = { currency: 'AED', amount: 1_000 }
/** Six digits that no other product of the drill has. */
const FIRST_BIN = 600_000

type Stage = { transcript: Transcript; places: readonly [Ports, Ports] }

/** A new card each round, with a limit of four transactions in its life. */
export async function raceForLimits({ transcript, places }: Stage, tenant: Tenant): Promise<void> {
  const [at] = places
  const network = new Network()
  await network.go(places.map((place) => place.network))
  const ask = (path: string, body: object) => made(at, tenant.api_key, ['POST', path], body)
  const passed: number[] = []
  try {
    const limit = await ask('/velocitylimits', {
      currency: 'AED',
      type: 'PER_TRANSACTION',
      period: 'LIFETIME',
      max_amount: 10,
      frequency: PASS,
    })
    for (let round = 0; round < ROUNDS; round++) {
      const { id, account_id } = await ask('/cards', tenant.card)
      await ask(`/accounts/${account_id}:loadfunds`, FUNDS)
      await ask(`/cards/${id}/velocitylimits:link`, { ids: [limit.id] })
      const pan = await numberOf(at, tenant.api_key, id)
      const codes = await Promise.all(
        Array.from({ length: RACERS }, () => network.ask(sale({ pan, amount: 100n }))),
      )
      passed.push(codes.filter((code) => code === '00').length)
    }
  } finally {
    await network.close()
  }
  const broken = passed.filter((count) => count !== PASS)
  transcript.print(
    `limits    ${PASS} of ${RACERS} authorizations may pass: other counts in ` +
      `${broken.length} of ${ROUNDS} rounds`,
  )
  if (broken.length > 0) throw new DrillFault(`so many passed: ${broken.join(', ')}`)
}

/** Two tenants want one BIN; only one may have it. */
export async function raceForBins(
  { transcript, places }: Stage,
  tenants: readonly [Tenant, Tenant],
): Promise<void> {
  const won: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const bin = String(FIRST_BIN + round)
    const product = { name: 'Race', currency: 'AED', bin, link_account_to_card: true }
    const statuses = await Promise.all(
      tenants.map(({ api_key }, at) => statusOf(places[at] ?? places[0], api_key, product)),
    )
    won.push(statuses.filter((status) => status === 200).length)
  }
  const broken = won.filter((count) => count !== 1)
  transcript.print(
    `BINs      one of two tenants gets it: another number does in ` +
      `${broken.length} of ${ROUNDS} rounds`,
  )
  if (broken.length > 0) throw new DrillFault(`so many got the BIN: ${broken.join(', ')}`)
}

async function statusOf({ http }: Ports, apikey: string, product: object): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${http}/v1/cardproducts`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify(product),
  })
  await reply.text()
  if (reply.status >= 500) throw new DrillFault(`POST /cardproducts answered ${reply.status}`)
  return reply.status
}
