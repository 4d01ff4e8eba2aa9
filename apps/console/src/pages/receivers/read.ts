/** Receivers of the sandbox, what they received, and the webhooks that send to them. */

import { useQuery } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { ReceivedRequest } from '../../api/types.ts'

const POLL_MS = 1000
/** A tenant has at most 50 webhooks and 10 receivers; a receiver keeps 100 requests. */
const ALL = { limit: 100 }

export const readReceiver = (id: string) => answered(issuing.simulation.getWebhookReceiver(id))

export const useReceivers = (isWanted: boolean) =>
  useQuery({
    queryKey: ['receivers', 'list'],
    enabled: isWanted,
    queryFn: () => answered(issuing.simulation.listWebhookReceivers(ALL)),
  })

/** The webhook that has the address of a receiver; null if none has. */
export function useWebhookTo(url: string) {
  return useQuery({
    queryKey: ['receivers', 'webhook', url],
    refetchInterval: POLL_MS * 2,
    queryFn: async () => {
      const { data } = await answered(issuing.webhooks.list(ALL))
      return data.find(({ endpoint }) => endpoint === url) ?? null
    },
  })
}

/** Newest first, read again and again: it is the page of what arrives. */
export function useRequests(id: string) {
  return useQuery({
    queryKey: ['receivers', id, 'requests'],
    refetchInterval: POLL_MS,
    queryFn: () => answered(issuing.simulation.listReceivedRequests(id, ALL)),
  })
}

const headerOf = ({ headers }: ReceivedRequest, name: string): string | undefined =>
  headers.find((header) => header.name === name)?.value

/** The number of each request among the attempts of its event: these have the same `webhook-id`. */
export function attemptsOf(requests: readonly ReceivedRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const attempts = new Map<string, number>()
  for (const request of requests.toReversed()) {
    const event = headerOf(request, 'webhook-id') ?? request.id
    const count = (counts.get(event) ?? 0) + 1
    counts.set(event, count)
    attempts.set(request.id, count)
  }
  return attempts
}

/** The kind of the event in a body, and the body laid out for a reader. */
export function readBody(body: string): { kind: string | undefined; text: string } {
  try {
    const value: unknown = JSON.parse(body)
    const { event } = Object(value)
    return {
      kind: typeof event === 'string' ? event : undefined,
      text: JSON.stringify(value, null, 2),
    }
  } catch {
    // A long body is cut.
    return { kind: /"event":"(\w+)"/.exec(body)?.[1], text: body }
  }
}
