/** What an account's status allows, and what its entries are called (D-35). */

import type { StoredAuthSettings } from '#issuing/products/schema.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import type { AccountErrorCode } from './errors.ts'
import { type AccountStatus, type EntryType, entryTypes } from './schema.ts'

type AccountStanding = { id: string; status: AccountStatus }

/** Money comes and goes at a client's word only while the account is ACTIVE. */
export function ruleOnMovement({ id, status }: AccountStanding): Result<void, AccountErrorCode> {
  if (status === 'ACTIVE') return ok(undefined)
  return fail('account_not_active', {
    detail: `The account is ${status}.`,
    extra: { account_id: id, account_status: status },
  })
}

/** An account with what its product lets be done; undefined where the product says nothing. */
type Party = { id: string; auth_settings: StoredAuthSettings | undefined }

/**
 * Between card accounts money goes where both products let it: the names are those of 1850 and
 * 1849, and the sender's is asked first (D-105). Of a transfer no card says anything.
 */
export function ruleOnTransfer(sender: Party, recipient: Party): Result<void, AccountErrorCode> {
  if (sender.auth_settings?.outgoing_transfers === false) {
    return fail('outgoing_transfers_not_allowed', { extra: { account_id: sender.id } })
  }
  if (recipient.auth_settings?.incoming_transfers === false) {
    return fail('incoming_transfers_not_allowed', { extra: { account_id: recipient.id } })
  }
  return ok(undefined)
}

/** Any status may follow any other, but not itself. */
export function ruleOnAccountStatus(
  { status }: AccountStanding,
  wanted: AccountStatus,
): Result<AccountStatus, AccountErrorCode> {
  if (status !== wanted) return ok(wanted)
  return fail('account_status_move_refused', {
    detail: `The account is ${status} already.`,
    extra: { account_status: status },
  })
}

const words: ReadonlySet<string> = new Set(entryTypes)
const isEntryType = (word: string): word is EntryType => words.has(word)

/**
 * The word for what moved the money. The ledger names a movement LOAD, UNLOAD, TRANSFER or
 * REVERSAL, or by the type of the card transaction that was booked at once; CLEARING posts what was
 * held for one, whose type says more. A movement by any other name is an ADJUSTMENT.
 */
export function entryType(kind: string, transaction_type: string | null): EntryType {
  const word = kind === 'CLEARING' ? (transaction_type ?? kind) : kind
  return isEntryType(word) ? word : 'ADJUSTMENT'
}
