/** The finding of each proof, in words. */

import type { Check } from '../../api/types.ts'
import type { payment } from '../../i18n/en/payment.ts'

export type Group = keyof typeof payment.groups
export type Word = keyof typeof payment.words

export type Result = {
  group: Group
  word: Word
  tone: 'good' | 'bad' | 'calm'
  /** The finding as the trace has it, where no word stands for it. */
  detail?: string
}

const UNCHECKED = 'not checked'
const UNVERIFIED = 'not verified'

/** Each group, in the order in which the engine checks it. */
export function resultsOf(checks: readonly Check[]): Result[] {
  const found = new Map(checks.map((check) => [check.check, check]))
  const groups: readonly (readonly [Group, Result | undefined])[] = [
    ['card', cardResult(found)],
    ['cvv', proofResult('cvv', found.get('card verification'))],
    ['three_ds', secureResult(found)],
    ['pin', pinResult(found)],
    ['chip', proofResult('chip', found.get('chip'))],
  ]
  return groups.flatMap(([, result]) => result ?? [])
}

type Found = ReadonlyMap<string, Check>

const OF_CARD: readonly (readonly [check: string, word: Word])[] = [
  ['card', 'unknown_card'],
  ['card status', 'inactive_card'],
  ['cardholder', 'inactive_user'],
]

function cardResult(found: Found): Result | undefined {
  const group = 'card'
  for (const [name, word] of OF_CARD) {
    const check = found.get(name)
    if (check?.verdict === 'refused') return { group, word, tone: 'bad', ...detailOf(check) }
  }
  const expiry = found.get('expiry')
  if (expiry?.verdict === 'refused') {
    const isWrong = expiry.detail === 'does not match'
    return { group, word: isWrong ? 'wrong_expiry' : 'expired', tone: 'bad' }
  }
  const status = found.get('card status')
  if (status === undefined) return undefined
  if (isSkipped(status)) return { group, word: 'unchecked', tone: 'calm' }
  return { group, word: 'active', tone: 'good' }
}

/** A value over the card, its stripe or its chip. */
function proofResult(group: Group, check: Check | undefined): Result | undefined {
  if (check === undefined) return undefined
  const { detail = '', verdict } = check
  if (isSkipped(check)) return { group, word: 'unchecked', tone: 'calm' }
  if (verdict === 'refused') {
    const word = /wrong/.test(detail) ? 'wrong' : 'refused'
    return { group, word, tone: 'bad', ...detailOf(check) }
  }
  if (ABSENT.has(detail)) return { group, word: 'absent', tone: 'calm' }
  if (/\bright\b|^matches$/.test(detail)) return { group, word: 'right', tone: 'good' }
  return { group, word: 'unverified', tone: 'calm' }
}

const ABSENT: ReadonlySet<string> = new Set(['not given', 'no chip', 'none to check', ''])

function pinResult(found: Found): Result | undefined {
  const [tries, pin] = [found.get('PIN tries'), found.get('PIN')]
  const group = 'pin'
  if (tries?.verdict === 'refused') return { group, word: 'locked', tone: 'bad' }
  if (pin?.verdict === 'refused' && pin.detail === 'the card has none') {
    return { group, word: 'no_pin', tone: 'bad' }
  }
  return proofResult(group, pin)
}

/** The proof of a payment online, and the level that the shop claims. */
function secureResult(found: Found): Result | undefined {
  const group = 'three_ds'
  const [values, phone] = [found.get('card verification'), found.get('cardholder phone')]
  if (phone === undefined) return undefined
  if (/AAV is right/.test(values?.detail ?? '')) return { group, word: 'right', tone: 'good' }
  if (/^AAV is /.test(values?.detail ?? '')) return { group, word: 'wrong', tone: 'bad' }
  if (phone.verdict === 'refused') return { group, word: 'no_mobile', tone: 'bad' }
  if (isSkipped(phone)) return { group, word: 'unchecked', tone: 'calm' }
  const [level = ''] = (phone.detail ?? '').split(',')
  if (level === 'authenticated') return { group, word: 'authenticated', tone: 'good' }
  return { group, word: level === 'attempted' ? 'attempted' : 'not_asked', tone: 'calm' }
}

const isSkipped = ({ verdict, detail }: Check): boolean =>
  verdict === 'skipped' || detail === UNCHECKED

const detailOf = ({ detail }: Check) =>
  detail === undefined || detail === UNVERIFIED ? {} : { detail }
