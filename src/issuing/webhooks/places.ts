/**
 * How many deliveries one process holds at a time: in all, of one tenant, to one endpoint (D-352,
 * D-490). However many endpoints hang, the next one still finds a place. Endpoints of merchants
 * have fewer, and leave half of the places of their tenant to its own (D-753).
 *
 * Deliveries that are held ahead of the calls of a quick endpoint are counted apart (D-1420): they
 * open no connection, and their endpoint answers.
 */

/** The places of all tenants. */
const PLACES = 2_048
/** The places of one tenant among those, and never more than half of the free ones. */
const PLACES_OF_TENANT = 512
/** The places of a tenant's merchants together, among those of the tenant. */
const PLACES_OF_MERCHANTS = PLACES_OF_TENANT / 2
/** So many are left for tenants that have fewer than FEW. */
const PLACES_KEPT = 128
const FEW = 8
/**
 * Calls to one subscription at one time: enough for 3,000 a second if each takes 10 ms, and not
 * more than a small server can take. One that answers this quickly may have twice as many.
 */
const CALLS_OF_WEBHOOK = 32
const CALLS_OF_QUICK = 64
const QUICK_CALL_MS = 20
/** An endpoint that fails occupies at most this many. */
const CALLS_OF_FAILING = 4
/** The same to one endpoint of a merchant, of which there may be thousands: the orders of a shop. */
const CALLS_OF_MERCHANT = 8
const CALLS_OF_FAILING_MERCHANT = 1
/**
 * An endpoint whose last call took no longer is given deliveries ahead, which wait here until a
 * call ends: the next claim runs beside the calls, and half of what it costs is the same for one
 * delivery and for a hundred (D-520). They are as many as it can be sent in AHEAD_MS by its last
 * call: the quickest endpoint gets the most, and no new event waits for long behind them (D-957).
 */
const QUICK_MS = 100
const AHEAD_MS = 300
const AHEAD_MOST = 2_048
/** Those of all tenants; one has at most half of the rest, so that the next ones find some too. */
const AHEAD_OF_ALL = 8_192
/** More are claimed once half of a subscription's share is left, or so many of a tenant. */
const REFILL_OF_TENANT = 3 * (PLACES_OF_TENANT / 4)

/** `call_ms`: how long the last call took; infinite before the first one has ended. */
type Endpoint = { held: number; calls: number; waiting: (() => void)[]; call_ms: number }

/** A subscription as its places depend on it. */
export type Subscription = {
  id: string
  merchant_id: string | null
  failing_since: Date | null
}

function mostHeld({ merchant_id, failing_since }: Subscription, call_ms: number): number {
  const isFailing = failing_since !== null
  if (merchant_id !== null) return isFailing ? CALLS_OF_FAILING_MERCHANT : CALLS_OF_MERCHANT
  return isFailing ? CALLS_OF_FAILING : CALLS_OF_WEBHOOK + aheadAfter(call_ms)
}

const callsAfter = (call_ms: number): number =>
  call_ms > QUICK_CALL_MS ? CALLS_OF_WEBHOOK : CALLS_OF_QUICK

function aheadAfter(call_ms: number): number {
  if (call_ms > QUICK_MS) return 0
  return Math.min(AHEAD_MOST, Math.floor((callsAfter(call_ms) * AHEAD_MS) / call_ms))
}

const NOTHING_HELD = { held: 0, call_ms: Number.POSITIVE_INFINITY }

/** So many calls, and so many ahead of them. */
export type Most = { calls: number; ahead: number }

export type Places = ReturnType<typeof createPlaces>

/** Places that are taken and what is held ahead, by tenant and in all. */
function createTaken() {
  const tenants = new Map<string, number>()
  const ahead = new Map<string, number>()
  let [all, allAhead] = [0, 0]
  const ofTenant = (tenant_id: string): number => tenants.get(tenant_id) ?? 0
  return {
    ofTenant,
    roomOf(tenant_id: string): number {
      const own = ofTenant(tenant_id)
      const free = PLACES - all - (own < FEW ? 0 : PLACES_KEPT)
      return Math.max(0, Math.min(PLACES_OF_TENANT - own, Math.ceil(free / 2)))
    },
    roomAheadOf(tenant_id: string): number {
      const half = Math.floor((AHEAD_OF_ALL - allAhead) / 2)
      return Math.max(0, Math.min(AHEAD_MOST - (ahead.get(tenant_id) ?? 0), half))
    },
    change(tenant_id: string, isAhead: boolean, more: number): void {
      if (isAhead) allAhead += more
      else all += more
      count(isAhead ? ahead : tenants, tenant_id, more)
    },
  }
}

export function createPlaces() {
  const taken = createTaken()
  const merchants = new Map<string, number>()
  const endpoints = new Map<string, Endpoint>()
  /** Tenants and subscriptions of which more is due than there were places for. */
  const awaited = new Set<string>()
  const { roomOf, roomAheadOf } = taken
  const ofMerchants = (tenant_id: string) => merchants.get(tenant_id) ?? 0
  const roomOfMerchants = (tenant_id: string): number =>
    Math.min(roomOf(tenant_id), PLACES_OF_MERCHANTS - ofMerchants(tenant_id))

  return {
    /** The number that a tenant may still take, the part of it for its merchants, and ahead. */
    roomOf,
    roomOfMerchants,
    roomAheadOf,
    heldOf: (webhook_id: string): number => endpoints.get(webhook_id)?.held ?? 0,
    /** The numbers that a subscription may still take of `room`, and ahead of `roomAhead`. */
    mostOf(webhook: Subscription, room: number, roomAhead: number): Most {
      const { held, call_ms } = endpoints.get(webhook.id) ?? NOTHING_HELD
      const most = mostHeld(webhook, call_ms)
      const left = Math.min(most, CALLS_OF_WEBHOOK) - held
      return {
        calls: Math.max(0, Math.min(room, left)),
        ahead: Math.max(0, Math.min(roomAhead, most - Math.max(held, CALLS_OF_WEBHOOK))),
      }
    },
    /** Notes whether a subscription has more than it was given. */
    await(tenant_id: string, { id, merchant_id }: Subscription, hasMore: boolean): void {
      if (hasMore) awaited.add(id)
      else awaited.delete(id)
      const room = merchant_id === null ? roomOf(tenant_id) : roomOfMerchants(tenant_id)
      if (hasMore && room === 0) awaited.add(tenant_id)
    },
    /** Takes a place; resolves when the call may begin. */
    take(tenant_id: string, { id, merchant_id }: Subscription): Promise<void> {
      if (merchant_id !== null) count(merchants, tenant_id, 1)
      const { begun, isAhead } = takeCall(endpoints, id)
      taken.change(tenant_id, isAhead, 1)
      return begun
    },
    /** A call has ended: the next one begins. Its place is kept until its result is written. */
    endCall: (webhook_id: string, call_ms: number) => passCall(endpoints.get(webhook_id), call_ms),
    /**
     * Gives the place of an ended call back. Returns whether it is time to ask for more: not for
     * each place, so that the busier a subscription is, the larger is what one statement takes.
     */
    leave(tenant_id: string, webhook: Subscription): boolean {
      if (webhook.merchant_id !== null) count(merchants, tenant_id, -1)
      const { held, call_ms } = release(endpoints, webhook.id)
      taken.change(tenant_id, held >= CALLS_OF_WEBHOOK, -1)
      const left = taken.ofTenant(tenant_id)
      const isDue =
        (awaited.has(webhook.id) && held <= mostHeld(webhook, call_ms) / 2) ||
        (awaited.has(tenant_id) && left <= REFILL_OF_TENANT)
      if (isDue) for (const id of [tenant_id, webhook.id]) awaited.delete(id)
      return isDue
    },
  }
}

/** Returns the new count. */
function count(counts: Map<string, number>, id: string, more: number): number {
  const sum = (counts.get(id) ?? 0) + more
  if (sum > 0) counts.set(id, sum)
  else counts.delete(id)
  return sum
}

type Place = { begun: Promise<void>; isAhead: boolean }

function takeCall(endpoints: Map<string, Endpoint>, webhook_id: string): Place {
  const known = endpoints.get(webhook_id)
  const endpoint = known ?? { ...NOTHING_HELD, calls: 0, waiting: [] }
  endpoints.set(webhook_id, endpoint)
  endpoint.held += 1
  const isAhead = endpoint.held > CALLS_OF_WEBHOOK
  if (endpoint.calls < callsAfter(endpoint.call_ms)) {
    endpoint.calls += 1
    return { begun: Promise.resolve(), isAhead }
  }
  return { begun: new Promise((resolve) => endpoint.waiting.push(resolve)), isAhead }
}

/** As many calls begin as the endpoint may have by the last one: none, one, or several. */
function passCall(endpoint: Endpoint | undefined, call_ms: number): void {
  if (!endpoint) return
  endpoint.call_ms = call_ms
  endpoint.calls -= 1
  while (endpoint.calls < callsAfter(call_ms)) {
    const next = endpoint.waiting.shift()
    if (!next) return
    endpoint.calls += 1
    next()
  }
}

/** Gives back one place; returns the endpoint as it is afterwards. */
function release(endpoints: Map<string, Endpoint>, webhook_id: string) {
  const endpoint = endpoints.get(webhook_id)
  if (!endpoint) return NOTHING_HELD
  endpoint.held -= 1
  if (endpoint.held === 0) endpoints.delete(webhook_id)
  return endpoint
}
