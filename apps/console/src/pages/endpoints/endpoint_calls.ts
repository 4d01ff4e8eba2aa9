/** The endpoints of a shop as parts of webhooks show them; the merchant API names members otherwise. */

import { sameVersion } from '#client/core/versions.ts'
import { answered, merchant } from '../../api/client.ts'
import type { EndpointDelivery, EndpointEvent, ListPage, WebhookEndpoint } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'
import type { DeliveryFilters } from '../../parts/hooks/deliveries.tsx'
import type { DeliveryInFull, Hook, HookDelivery } from '../../parts/hooks/hook.ts'
import { KINDS } from '../../parts/issuing/event_kinds.ts'

export type Endpoint = Hook & { created: string; modified: string }

const isEndpointKind = (kind: string): kind is EndpointEvent =>
  kind.startsWith('ORDER_') || kind.startsWith('PAYOUT_')

/** A shop receives events of its own orders and payouts (D-750). */
export const ENDPOINT_KINDS: readonly EndpointEvent[] = KINDS.filter(isEndpointKind)

function endpointOf(endpoint: WebhookEndpoint): Endpoint {
  const { webhook_id: id, url, enabled, created_at: created, updated_at: modified } = endpoint
  const { events, failing_since, disabled_reason } = endpoint
  const status = enabled ? 'ACTIVE' : 'DISABLED'
  const facts = { failing_since, disabled_reason, created, modified }
  return sameVersion(endpoint, { id, endpoint: url, events, status, ...facts })
}

export async function readEndpoints(after: string | undefined): Promise<ListPage<Endpoint>> {
  const query = after === undefined ? {} : { after }
  const page = await answered(merchant.webhooks.listEndpoints(query))
  return { ...page, data: page.data.map(endpointOf) }
}

export async function readEndpoint(id: string): Promise<Endpoint> {
  return endpointOf(await answered(merchant.webhooks.getEndpoint(id)))
}

/** Changes the members of `body`. */
export const updateEndpoint = (id: string, body: object, match: Match) =>
  answered(merchant.webhooks.updateEndpoint(id, body, match))

const deliveryOf = <One extends EndpointDelivery>(delivery: One) => ({
  ...delivery,
  id: delivery.delivery_id,
  created: delivery.created_at,
})

export async function readDeliveries(
  id: string,
  filters: DeliveryFilters,
  after: string | undefined,
): Promise<ListPage<HookDelivery>> {
  // A filter in the address may have an unknown kind: the API says so.
  const query = { ...filters, ...(after !== undefined && { after }) } as object
  const page = await answered(merchant.webhooks.listEndpointDeliveries(id, query))
  return { ...page, data: page.data.map(deliveryOf) }
}

export async function readDelivery(
  id: string,
  delivery_id: string,
): Promise<DeliveryInFull & { webhook_id: string }> {
  const found = await answered(merchant.webhooks.getEndpointDelivery(id, delivery_id))
  const history = found.history.map(({ sent_at, ...rest }) => ({ ...rest, sent: sent_at }))
  return { ...deliveryOf(found), due: found.next_attempt_at, history }
}
