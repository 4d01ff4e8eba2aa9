/** Subscriptions: create, read, change, rotate the secret, delete. Spec "Webhook". */

import { DELIVERIES } from '#events/outbox.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { type EndpointPolicy, faultOfEndpoint } from '#kit/net/fetch.ts'
import { makeSecret, OVERLAP_MS } from '#kit/net/signature.ts'
import { newId } from '#lib/id.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import {
  mergeConfig,
  noCredentials,
  openCredentials,
  sealCredentials,
  sealSecret,
} from './credentials.ts'
import { deliveriesDue } from './due.ts'
import { endSome } from './left_over.ts'
import { type Config, faultsOfConfig } from './rules/config.ts'
import type { NewWebhook, WebhookChange } from './schema.ts'
import {
  countWebhooks,
  findWebhookRow,
  insertWebhook,
  listWebhookRows,
  lockWebhookRow,
  merchantOf,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

/** Every event is matched with all subscriptions of the tenant, and with those of its merchant. */
const WEBHOOKS_MAX = { of_tenant: 50, of_merchant: 10 }

/**
 * Answers the subscription with its secret, only here (D-101). An invalid endpoint or header is 400
 * `validation_failed`; an id that is taken is 409 `id_taken`; more than 50 subscriptions of the
 * tenant, or 10 of a merchant, are 409 `webhook_limit_reached`. `member` names the endpoint in the
 * request.
 */
export function createWebhook(ctx: Context | Tx, input: NewWebhook, member = 'endpoint') {
  return transact(ctx, async (tx) => {
    const config = mergeConfig({ ...noCredentials, basic_auth_username: null }, input.config)
    checkFaults({ member, endpoint: input.endpoint }, config, await policyOf(tx))
    const merchant_id = merchantOf(tx)
    const most = merchant_id === null ? WEBHOOKS_MAX.of_tenant : WEBHOOKS_MAX.of_merchant
    if ((await countWebhooks(tx)) >= most) throw new ApiError('webhook_limit_reached')

    const id = input.id?.toLowerCase() ?? newId()
    const secret = makeSecret()
    const row: WebhookRow = {
      tenant_id: tx.tenant_id,
      id,
      merchant_id,
      endpoint: input.endpoint,
      events: [...new Set(input.events)],
      status: 'ACTIVE',
      basic_auth_username: config.basic_auth_username,
      sealed_config: sealCredentials(tx, id, config),
      sealed_secret: sealSecret(tx, id, secret),
      sealed_previous_secret: null,
      previous_secret_until: null,
      failing_since: null,
      disabled_reason: null,
      created: tx.now,
      modified: tx.now,
      deleted: null,
    }
    if (!(await insertWebhook(tx, row))) throw new ApiError('id_taken')
    return { ...presentWebhook(tx, row), secret }
  })
}

export async function listWebhooks(ctx: Context, query: ListQuery) {
  const page = await listPage('webhooks', query, (range) => listWebhookRows(ctx, range))
  return { ...page, data: page.data.map((row) => presentWebhook(ctx, row)) }
}

export async function findWebhook(ctx: Context, id: string) {
  const row = await findWebhookRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return presentWebhook(ctx, row)
}

/** Only what is sent changes (D-3). Enabled again, it resumes its open deliveries. */
export function changeWebhook(
  ctx: Context | Tx,
  id: string,
  change: WebhookChange,
  member = 'endpoint',
) {
  return transact(ctx, async (tx) => {
    const before = await lockWebhook(tx, id)
    const { basic_auth_username } = before
    const config = mergeConfig(
      { ...openCredentials(tx, before), basic_auth_username },
      change.config,
    )
    const endpoint = change.endpoint ?? before.endpoint
    checkFaults({ member, endpoint }, config, await policyOf(tx))

    const after: WebhookRow = {
      ...before,
      ...stateAfter(before, change.status),
      endpoint,
      events: [...new Set(change.events ?? before.events)],
      basic_auth_username: config.basic_auth_username,
      sealed_config: sealCredentials(tx, id, config),
      modified: tx.now,
    }
    await updateWebhook(tx, after)
    await dueBy(tx, deliveriesDue, tx.now)
    tx.afterCommit(() => tx.notify(DELIVERIES, tx.tenant_id))
    return presentWebhook(tx, after)
  })
}

/** Ends the open deliveries; the past ones stay as a record. */
export function deleteWebhook(ctx: Context | Tx, id: string) {
  return transact(ctx, async (tx) => {
    const row = await lockWebhook(tx, id)
    const nothing = Buffer.alloc(0)
    await updateWebhook(tx, {
      ...row,
      status: 'DISABLED',
      basic_auth_username: null,
      sealed_config: nothing,
      sealed_secret: nothing,
      sealed_previous_secret: null,
      previous_secret_until: null,
      deleted: tx.now,
      modified: tx.now,
    })
    await endSome(tx, id)
    return { id, deleted: true }
  })
}

/** Answers the new secret, only here. For 24 hours the previous one signs as well. */
export function rotateSecret(ctx: Context | Tx, id: string) {
  return transact(ctx, async (tx) => {
    const before = await lockWebhook(tx, id)
    const secret = makeSecret()
    const after: WebhookRow = {
      ...before,
      sealed_secret: sealSecret(tx, id, secret),
      sealed_previous_secret: before.sealed_secret,
      previous_secret_until: new Date(tx.now.getTime() + OVERLAP_MS),
      modified: tx.now,
    }
    await updateWebhook(tx, after)
    return { ...presentWebhook(tx, after), secret }
  })
}

/** The subscription, locked for a change; 404 when there is none. */
export async function lockWebhook(tx: Tx, id: string): Promise<WebhookRow> {
  const row = await lockWebhookRow(tx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

function stateAfter(
  before: WebhookRow,
  status: WebhookChange['status'],
): Partial<Pick<WebhookRow, 'status' | 'disabled_reason' | 'failing_since'>> {
  if (status === undefined || status === before.status) return {}
  if (status === 'DISABLED') return { status, disabled_reason: 'CLIENT' }
  return { status, disabled_reason: null, failing_since: null }
}

/** The policy of live permits https only, and no private address (D-65, D-115). */
async function policyOf(tx: Tx): Promise<EndpointPolicy> {
  const { allow_private_endpoints } = await readSettings(tx)
  return { https_only: !tx.profile.plain_http, allow_private: allow_private_endpoints }
}

type NamedEndpoint = { member: string; endpoint: string }

function checkFaults(
  { member, endpoint }: NamedEndpoint,
  config: Config,
  policy: EndpointPolicy,
): void {
  const fault = faultOfEndpoint(endpoint, policy)
  const errors: Fault[] = faultsOfConfig(config)
  if (fault !== undefined) errors.unshift({ path: member, message: fault })
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
}

function presentWebhook(ctx: Context, row: WebhookRow) {
  const { custom_headers } = openCredentials(ctx, row)
  return {
    id: row.id,
    endpoint: row.endpoint,
    events: row.events,
    status: row.status,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since,
    config: {
      basic_auth_username: row.basic_auth_username,
      custom_headers: custom_headers.map(({ header_name }) => ({ header_name })),
      created: row.created,
      modified: row.modified,
    },
  }
}
