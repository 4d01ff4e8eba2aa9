/** The actions that an account's status allows, and the names of its entries (D-35). */

import type { StoredAuthSettings } from '#issuing/products/schema.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import type { AccountErrorCode } from './errors.ts'
import { type AccountStatus, type EntryType, entryTypes } from './schema.ts'

type AccountState = { id: string; status: AccountStatus }

/** A client moves money only while the account is ACTIVE. */
export function checkMovement({ id, status }: AccountState): Result<void, AccountErrorCode> {
  if (status === 'ACTIVE') return ok(undefined)
  return fail('account_not_active', {
    detail: `The account is ${status}.`,
    extra: { account_id: id, account_status: status },
  })
}

/** An account with the settings of its product, if the product has any. */
type Party = { id: string; auth_settings: StoredAuthSettings | null | undefined }

/**
 * Both products must allow a transfer between card accounts: the names are those of 1850 and 1849,
 * and the sender's is checked first (D-105). The switches of cards do not apply to it.
 */
export function checkTransfer(sender: Party, recipient: Party): Result<void, AccountErrorCode> {
  if (sender.auth_settings?.outgoing_transfers === false) {
    return fail('outgoing_transfers_not_allowed', { extra: { account_id: sender.id } })
  }
  if (recipient.auth_settings?.incoming_transfers === false) {
    return fail('incoming_transfers_not_allowed', { extra: { account_id: recipient.id } })
  }
  return ok(undefined)
}

/** Any status may follow any other, but not itself. */
export function checkAccountStatus(
  { status }: AccountState,
  new_status: AccountStatus,
): Result<AccountStatus, AccountErrorCode> {
  if (status !== new_status) return ok(new_status)
  return fail('account_status_move_refused', {
    detail: `The account is ${status} already.`,
    extra: { account_status: status },
  })
}

const types: ReadonlySet<string> = new Set(entryTypes)
const isEntryType = (name: string): name is EntryType => types.has(name)

/**
 * The type of an entry. The ledger names a movement LOAD, UNLOAD, TRANSFER or REVERSAL, or by the
 * type of the card transaction that was posted at once; CLEARING posts what was held for one, whose
 * type is more specific. A movement by any other name is an ADJUSTMENT.
 */
export function entryType(kind: string, transaction_type: string | null): EntryType {
  const type = kind === 'CLEARING' ? (transaction_type ?? kind) : kind
  return isEntryType(type) ? type : 'ADJUSTMENT'
}

const DAY_MS = 24 * 60 * 60 * 1000

type Drawing = { available: bigint; drawn: bigint; since: Date; now: Date }

/**
 * Whole days that the available funds last, if as much leaves it each day as since `since` (D-612).
 * Less than a day counts as one: the first loads of a program are no rate. Undefined if nothing has
 * left it.
 */
export function daysLeft({ available, drawn, since, now }: Drawing): number | undefined {
  if (drawn <= 0n) return undefined
  const period = BigInt(Math.max(DAY_MS, now.getTime() - since.getTime()))
  return Number((available * period) / (drawn * BigInt(DAY_MS)))
}
