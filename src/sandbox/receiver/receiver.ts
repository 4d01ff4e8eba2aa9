/** Receivers that a tenant of a sandbox subscribes to its own events, to see them (D-640). */

import { findSigner } from '#issuing/webhooks/webhooks.ts'
import { readClock } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { keptBody, placeIn, shownHeaders, tokenOf } from './rules.ts'
import type { ReceiverChange, Verification, WebhookReceiver } from './schema.ts'
import {
  countReceivers,
  deleteReceiverRow,
  findReceiverRow,
  insertReceiver,
  insertRequest,
  listReceiverRows,
  listRequestRows,
  type ReceiverRow,
  updateReceived,
  updateReceiver,
} from './store.ts'

export const RECEIVERS_PATH = '/sandbox/receivers'

const RECEIVERS_MAX = 10

/** How far the time of a signature may be from the real one (Standard Webhooks). */
const TOLERANCE_MS = 5 * 60_000

/** A further receiver fails with `receiver_limit_reached`. */
export function createReceiver(ctx: Context | Tx, public_url: string, input: ReceiverChange) {
  return transact(ctx, async (tx) => {
    if ((await countReceivers(tx)) >= RECEIVERS_MAX) throw new ApiError('receiver_limit_reached')
    const row: ReceiverRow = {
      tenant_id: tx.tenant_id,
      id: newId(),
      received: 0,
      answer_status: 200,
      delay_ms: 0,
      ...input,
      created: tx.now,
      modified: tx.now,
    }
    await insertReceiver(tx, row)
    return presentReceiver(row, public_url)
  })
}

export async function listReceivers(ctx: Context, public_url: string, query: ListQuery) {
  const page = await listPage('receivers', query, (range) => listReceiverRows(ctx, range))
  return { ...page, data: page.data.map((row) => presentReceiver(row, public_url)) }
}

export async function findReceiver(ctx: Context, public_url: string, id: string) {
  return presentReceiver(found(await findReceiverRow(ctx, id)), public_url)
}

export function changeReceiver(
  ctx: Context | Tx,
  public_url: string,
  id: string,
  change: ReceiverChange,
) {
  return transact(ctx, async (tx) =>
    presentReceiver(found(await updateReceiver(tx, id, change)), public_url),
  )
}

export function deleteReceiver(ctx: Context | Tx, id: string) {
  return transact(ctx, async (tx) => {
    if (!(await deleteReceiverRow(tx, id))) throw new ApiError('not_found')
    return { id, deleted: true }
  })
}

/** Newest first. */
export async function listRequests(ctx: Context, id: string, query: ListQuery) {
  found(await findReceiverRow(ctx, id))
  return listPage('receiver_requests', query, (range) => listRequestRows(ctx, id, range))
}

export type Arrived = {
  token: string
  raw_headers: readonly string[]
  header: (name: string) => string | undefined
  body: Buffer
}

/** Stores a request and returns how to answer it. Fails with not_found for every other address. */
export async function receive(
  services: Services,
  public_url: string,
  { token, raw_headers, header, body }: Arrived,
): Promise<Pick<ReceiverRow, 'answer_status' | 'delay_ms'>> {
  const { ctx, id } = await openReceiver(services, token)
  const endpoint = urlOf({ tenant_id: ctx.tenant_id, id }, public_url)
  const { verification, webhook_id } = await verify(ctx, endpoint, header, body)
  // A body from another sender is not stored: it may hold anything.
  const kept = verification === 'VALID' ? keptBody(body) : null
  return transact(ctx, async (tx) => {
    const receiver = found(await updateReceived(tx, id))
    await insertRequest(tx, receiver, {
      id: newId(),
      headers: shownHeaders(raw_headers),
      body: kept,
      size: body.length,
      verification,
      webhook_id,
    })
    return receiver
  })
}

async function openReceiver(services: Services, token: string) {
  const place = placeIn(token)
  if (!place) throw new ApiError('not_found')
  const actor = { kind: 'system', id: 'webhook receiver' } as const
  const ctx = await tenantContext(services, place.tenant_id, actor).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? error : new ApiError('not_found')
  })
  return { ctx, id: found(await findReceiverRow(ctx, place.id)).id }
}

async function verify(
  ctx: Context,
  endpoint: string,
  header: Arrived['header'],
  body: Buffer,
): Promise<{ verification: Verification; webhook_id: string | null }> {
  const [id, timestamp, signature] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ]
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return { verification: 'MISSING', webhook_id: null }
  }
  const signed = { id, timestamp, signature, body: body.toString('utf8') }
  const { subscriptions, signer } = await findSigner(ctx, endpoint, signed)
  if (subscriptions === 0) return { verification: 'UNKNOWN', webhook_id: null }
  const age = (await readClock(ctx.db)).getTime() - Number(timestamp) * 1000
  const isValid = signer !== undefined && Math.abs(age) <= TOLERANCE_MS
  return isValid
    ? { verification: 'VALID', webhook_id: signer }
    : { verification: 'INVALID', webhook_id: null }
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('not_found')
  return row
}

const urlOf = (place: Pick<ReceiverRow, 'tenant_id' | 'id'>, public_url: string): string =>
  `${public_url}${RECEIVERS_PATH}/${tokenOf(place)}`

function presentReceiver(row: ReceiverRow, public_url: string): WebhookReceiver {
  const { id, answer_status, delay_ms, received, created, modified } = row
  const url = urlOf(row, public_url)
  return { id, url, answer_status, delay_ms, received, created, modified }
}
