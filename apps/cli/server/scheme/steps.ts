/** The words of a command line of `scheme` as steps. */

import { parseAmount } from '#lib/money.ts'
import { WORDS, type Word } from '#sandbox/network_peer/peer.ts'
import { UsageFault } from '../../kit/faults.ts'
import { type Settings, secondsOf } from './settings.ts'

/** Minor units, or seconds to wait; 0 where the word takes neither. */
export type Step = { word: Word; amount: bigint }

/** The value that has to follow each word. */
const following = new Map(
  Object.keys(WORDS).map((words) => {
    const [word = '', follows] = words.split(' ')
    return [word, follows] as const
  }),
)
const isWord = (word: string): word is Word => following.has(word)

/** Words for keys, which need a zone master key. */
const OF_KEYS: ReadonlySet<Word> = new Set(['zak', 'zpk', 'wrong-key', 'await-key-request'])
/** Words after which the platform may have a key for PIN blocks. */
const OF_PIN_KEYS: ReadonlySet<Word> = new Set(['zpk', 'await-key-request'])
/** Words about a payment before them. */
const OF_PAYMENT: ReadonlySet<Word> = new Set(['present', 'reversal'])
const WITH_PIN: ReadonlySet<Word> = new Set(['withdrawal', 'wrong-pin'])
const PAYMENTS: ReadonlySet<Word> = new Set(['purchase', 'advice', 'withdrawal', 'wrong-pin'])

/** Throws a UsageFault for a line that cannot be done. */
export function stepsOf(words: readonly string[], settings: Settings): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!isWord(word)) {
      throw new UsageFault(`${word} is no word of scheme: bezant scheme --help lists them`)
    }
    const follows = following.get(word)
    if (follows !== undefined) at += 1
    refuseWithout(word, settings)
    steps.push({
      word,
      amount: follows === undefined ? 0n : amountAfter(word, words[at], settings),
    })
    if (PAYMENTS.has(word)) settings.hasPayment = true
    if (OF_PIN_KEYS.has(word)) settings.hasPinKey = true
  }
  return steps
}

function refuseWithout(word: Word, settings: Settings): void {
  const { zmk_file, line, scheme, hasPayment, hasPinKey } = settings
  if (OF_KEYS.has(word) && zmk_file === undefined) throw new UsageFault(`${word} needs --zmk`)
  if (word === 'wrong-mac' && line.method === null) throw new UsageFault(`${word} needs --mac`)
  if (OF_PAYMENT.has(word) && !hasPayment) {
    throw new UsageFault(`${word} needs a purchase or an advice before it`)
  }
  if (WITH_PIN.has(word) && !scheme.pin) throw new UsageFault(`${word} needs --pin`)
  if (WITH_PIN.has(word) && !hasPinKey) throw new UsageFault(`${word} needs zpk before it`)
  const pays = PAYMENTS.has(word) || word === 'wrong-mac'
  if (pays && scheme.sale.pan === '') throw new UsageFault(`${word} needs --card`)
}

function amountAfter(word: Word, text = '', { currency }: Settings): bigint {
  if (word === 'wait') return BigInt(secondsOf(word, text))
  const amount = parseAmount(text, currency)
  if (!amount.ok) throw new UsageFault(`${word} needs an amount such as 25.00`)
  return amount.minor
}
