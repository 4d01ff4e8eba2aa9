/** Reads of the card networks that the pages share. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import type { Network } from '../../api/types.ts'

/** The processes report their connections as often. */
export const POLL_MS = 5_000

export const networksQuery = queryOptions({
  queryKey: ['networks'],
  queryFn: () => answered(issuing.operator.listNetworks()),
  refetchInterval: POLL_MS,
})

/** One of the list, which is short: there is no call for one. */
export async function readNetwork(name: string): Promise<Network> {
  const { data } = await answered(issuing.operator.listNetworks())
  const network = data.find((one) => one.name === name)
  if (!network) throw new Problem(404)
  return network
}

export type Standing = 'SIGNED_ON' | 'CONNECTED' | 'DOWN'

export function standingOf({ connections }: Network): Standing {
  if (connections.some(({ signed_on }) => signed_on)) return 'SIGNED_ON'
  return connections.length > 0 ? 'CONNECTED' : 'DOWN'
}

/** When a message came last, over any connection. */
export function lastMessageOf({ connections }: Network): string | undefined {
  const times = connections.flatMap(({ last_message }) => last_message ?? [])
  return times.sort().at(-1)
}

/** The requests whose key has not come yet. */
export const pendingOf = ({ exchanges }: Network) =>
  exchanges.filter(({ state }) => state === 'REQUESTED' || state === 'SENT')
