/**
 * The operations on an account, as pure arithmetic (D-35). Every function answers the state
 * afterwards. The constraint accounts_funds checks the same again: balance - held >= floor.
 *
 * Always true of a state: `held` is not negative, and `floor` is zero or, if less is available than
 * nothing, exactly that. So a floor sinks only by a forced posting, and rises with every credit and
 * release until it is zero again. Amounts are minor units, never negative.
 */

import { sha256Hex } from '#lib/digest.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import type { LedgerErrorCode } from './errors.ts'
import type { AccountState, ProgramKind } from './schema.ts'

/** No credit that may fail takes a balance past 15 digits: JSON carries no more exactly (D-6). */
export const BALANCE_MAX = 999_999_999_999_999n

export const available = ({ balance, held }: AccountState): bigint => balance - held

/** Whether `amount` can be taken or held without going below the floor of an honest movement. */
export const covers = (state: AccountState, amount: bigint): boolean => available(state) >= amount

/** Holds what is available; the caller has checked `covers`. */
export function placeHold<State extends AccountState>(state: State, amount: bigint): State {
  assertCovered(state, amount)
  return { ...state, held: state.held + amount }
}

/** Holds what the network has already promised, whether it is there or not. */
export function forceHold<State extends AccountState>(state: State, amount: bigint): State {
  assertAmount(amount)
  return sunk({ ...state, held: state.held + amount })
}

/** Gives back a part of the hold: for a reversal, an expiry, or a clearing about to be debited. */
export function releaseHold<State extends AccountState>(state: State, amount: bigint): State {
  assertAmount(amount)
  if (amount > state.held) throw new RangeError(`account ${state.id} holds less than is released`)
  return risen({ ...state, held: state.held - amount })
}

/** Takes what is available; the caller has checked `covers`. */
export function debit<State extends AccountState>(state: State, amount: bigint): State {
  assertCovered(state, amount)
  return { ...state, balance: state.balance - amount }
}

/** Takes what the scheme obliges the issuer to pay, whether it is available or not. */
export function forceDebit<State extends AccountState>(state: State, amount: bigint): State {
  assertAmount(amount)
  return sunk({ ...state, balance: state.balance - amount })
}

/** Adds what may not fail, such as a refund; a client's credit checks `checkCredit` first. */
export function credit<State extends AccountState>(state: State, amount: bigint): State {
  assertAmount(amount)
  return risen({ ...state, balance: state.balance + amount })
}

/** Takes `amount` if it is available: 409 insufficient_funds, naming the account. */
export function checkDebit<State extends AccountState>(
  state: State,
  amount: bigint,
): Result<State, LedgerErrorCode> {
  if (covers(state, amount)) return ok(debit(state, amount))
  return fail('insufficient_funds', { extra: { account_id: state.id } })
}

/** Adds `amount` unless the balance would pass 15 digits: 409 balance_too_large. */
export function checkCredit<State extends AccountState>(
  state: State,
  amount: bigint,
): Result<State, LedgerErrorCode> {
  if (state.balance + amount <= BALANCE_MAX) return ok(credit(state, amount))
  return fail('balance_too_large', { extra: { account_id: state.id } })
}

function assertCovered(state: AccountState, amount: bigint): void {
  assertAmount(amount)
  if (!covers(state, amount)) throw new RangeError(`account ${state.id} does not cover it`)
}

function assertAmount(amount: bigint): void {
  if (amount < 0n) throw new RangeError('an amount is not negative')
}

/** The floor follows a forced posting down … */
function sunk<State extends AccountState>(state: State): State {
  const left = available(state)
  return left < state.floor ? { ...state, floor: left } : state
}

/** … and comes up again with the money, never above zero. */
function risen<State extends AccountState>(state: State): State {
  const left = available(state)
  if (left <= state.floor) return state
  return { ...state, floor: left < 0n ? left : 0n }
}

/** The program accounts whose balance is the sum of their entries. */
export const summedKinds: readonly ProgramKind[] = [
  ...(['EXTERNAL', 'SETTLEMENT', 'FEES', 'FX', 'DISPUTES', 'SUSPENSE'] as const),
]

const PROGRAM_IDS_REMEMBERED = 10_000
const programIds = new Map<string, string>()

/**
 * The id of a program account follows from its kind and currency, so that no batch has to look for
 * it. It is above those of card accounts, so that locks in the order of ids take the funding last
 * (D-932).
 */
export function programAccountId(tenant_id: string, kind: ProgramKind, currency: string): string {
  const name = `${tenant_id}|${kind}|${currency}`
  const remembered = programIds.get(name)
  if (remembered !== undefined) return remembered
  const hex = sha256Hex(name)
  // Version 8 of RFC 9562: made from a name by an own rule.
  const tail = `8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  // A UUID of version 7 begins with f from the year 10,331, by 48 bits of milliseconds.
  const id = `f${hex.slice(1, 8)}-${hex.slice(8, 12)}-${tail}`
  if (programIds.size < PROGRAM_IDS_REMEMBERED) programIds.set(name, id)
  return id
}
