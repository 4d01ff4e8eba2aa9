/** Public functions of wallet tokens: one for each action on a token. */

import { emit } from '#events/outbox.ts'
import { countDetails, findCard, lockCardRow } from '#issuing/cards/cards.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { revealNumber } from '#issuing/vault/vault.ts'
import { raiseVersions } from '#issuing/versions/versions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { tokenNotification } from './events.ts'
import { checkMove } from './rules.ts'
import type { TokenChange, TokenQuery } from './schema.ts'
import {
  findTokenRow,
  listTokenRows,
  listUndeletedTokens,
  type TokenRow,
  updateTokenStatus,
} from './store.ts'

export { auditTokens } from './audit.ts'
export { type ProvisioningRequest, provisionCard } from './provision.ts'
export type { TokenRow } from './store.ts'

/** A token of the tenant. */
export async function findToken(ctx: Context | Tx, id: string): Promise<TokenRow> {
  const token = await findTokenRow(ctx, id)
  if (!token) throw new ApiError('not_found')
  return token
}

/** The tokens of a card, deleted ones too, newest first. */
export function listTokens(
  ctx: Context,
  card_id: string,
  query: TokenQuery,
): Promise<Page<TokenRow>> {
  return listPage('tokens', query, async (range) => {
    const { id } = await findCard(ctx, card_id)
    return listTokenRows(ctx, id, range)
  })
}

/**
 * Suspends, resumes or deletes a token and reports it. The status of the card is independent of it.
 */
export function changeTokenStatus(
  ctx: Context | Tx,
  id: string,
  { status: target }: TokenChange,
): Promise<TokenRow> {
  return transact(ctx, async (tx) => {
    // The lock of the card keeps the events of card and tokens in one order.
    await lockToken(tx, id)
    const before = await findToken(tx, id)
    const { card_id } = before
    const status = unwrap(checkMove(before.status, target))

    await Promise.all([
      updateTokenStatus(tx, [before.id], status),
      raiseVersions(tx, { card_ids: [card_id] }),
    ])
    const after = { ...before, status, modified: tx.now }
    await emit(tx, tokenNotification(before.status, after))
    return after
  })
}

/** Locks a token by its card, as every change of it does. */
export async function lockToken(tx: Tx, id: string): Promise<void> {
  await lockCardRow(tx, (await findToken(tx, id)).card_id)
}

/** Deletes all tokens of a terminated card. */
export async function deleteTokensOf(tx: Tx, card_id: string): Promise<void> {
  const tokens = await listUndeletedTokens(tx, card_id)
  if (tokens.length === 0) return
  await Promise.all([
    updateTokenStatus(
      tx,
      tokens.map(({ id }) => id),
      'DELETED',
    ),
    raiseVersions(tx, { card_ids: [card_id] }),
  ])
  const events = tokens.map((token) =>
    tokenNotification(token.status, { ...token, status: 'DELETED' }),
  )
  await emit(tx, ...events)
}

export type RevealedToken = { id: string; token_number: Secret; expiry_date: string }

/** The number of a token, for tenants that are PCI compliant only, as that of a card (D-30). */
export function revealToken(ctx: Context | Tx, id: string): Promise<RevealedToken> {
  return transact(ctx, async (tx) => {
    const settings = await readSettings(tx)
    if (!settings.pci_compliant) throw new ApiError('pci_compliance_required')
    const { id: token_id, expiry_date } = await findToken(tx, id)
    const [token_number] = await Promise.all([
      revealNumber(tx, token_id),
      countDetails(tx, settings),
    ])
    return { id: token_id, token_number, expiry_date }
  })
}
