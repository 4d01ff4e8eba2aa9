/**
 * The checks of a decision as they are stored (D-45): most of a trace is the same in most
 * transactions, so a usual finding is stored as its number. All others are stored as they are.
 */

import { NOT_CHECKED, type StoredTrace } from './rules.ts'

/** Only ever appended to: stored transactions name these by their place. */
const USUAL: StoredTrace = [
  ['format', 'complete'],
  ['reversal', 'none'],
  ['deadline', 'in time'],
  ['card', 'found'],
  ['card status', 'ACTIVE/A0'],
  ['cardholder', 'ACTIVE'],
  ['wallet', 'no token'],
  ['wallet', 'ACTIVE'],
  ['verification tries', 'allowed'],
  ['verification tries', 'not asked'],
  ['chip', 'no chip'],
  ['chip', 'not verified'],
  ['card verification', 'not given'],
  ['card verification', 'matches'],
  ['PIN tries', 'nothing to try'],
  ['PIN', 'none to check'],
  ['PIN', 'right'],
  ['transaction type', 'PURCHASE'],
  ['transaction type', 'WITHDRAWAL'],
  ['transaction type', 'REFUND'],
  ['switches', 'allowed'],
  ['account', 'ACTIVE'],
  ['purchase', 'none'],
  ['product', 'configured'],
  ['service code', 'not read'],
  ...notChecked('reversal', 'deadline', 'card', 'product', 'card status', 'cardholder', 'wallet'),
  ...notChecked('verification tries', 'expiry', 'service code', 'chip', 'card verification'),
  ...notChecked('PIN tries', 'PIN', 'transaction type', 'switches', 'currency', 'amount'),
  ...notChecked('amount bounds', 'account', 'funds'),
  ['cash terminal', 'no withdrawal'],
  ['cash terminal', 'permitted'],
  ['cardholder phone', 'not asked'],
  ['cardholder phone', 'mobile present'],
  ['countries', 'no list'],
  ['countries', 'allowed'],
  ['MCCs', 'no list'],
  ['MCCs', 'allowed'],
  ['merchants', 'no list'],
  ['merchants', 'allowed'],
  ['stop orders', 'not recurring'],
  ['stop orders', 'none'],
  ...notChecked(
    'cash terminal',
    'cardholder phone',
    'countries',
    'MCCs',
    'merchants',
    'stop orders',
  ),
  ['velocity', 'no limits'],
  ['balance limits', 'no limits'],
  ...notChecked('velocity', 'balance limits'),
  ['responder', 'none'],
  ['responder', 'not asked'],
  ...notChecked('responder'),
  ['cardholder phone', 'authenticated, mobile present'],
  ['cardholder phone', 'attempted, mobile present'],
]

function notChecked(...names: readonly string[]): StoredTrace {
  return names.map((name) => [name, NOT_CHECKED])
}

const places = new Map<string, readonly { detail: string; at: number }[]>(
  USUAL.map(([check]) => [
    check,
    USUAL.flatMap(([name, detail], at) => (name === check ? [{ detail, at }] : [])),
  ]),
)

export type PackedTrace = readonly (number | StoredTrace[number])[]

export const packTrace = (trace: StoredTrace): PackedTrace =>
  trace.map((finding) => {
    const [check, detail, code] = finding
    const usual = places.get(check)?.find((one) => one.detail === detail)
    return usual && code === undefined ? usual.at : finding
  })

/** Throws on a number that this version of the program does not know. */
export const unpackTrace = (packed: PackedTrace): StoredTrace =>
  packed.map((finding) => {
    if (typeof finding !== 'number') return finding
    const usual = USUAL[finding]
    if (!usual) throw new Error(`a stored check has the unknown number ${finding}`)
    return usual
  })
