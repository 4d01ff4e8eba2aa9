/** Answers to steps in sentences, for the person who tries a network. */

import type { Came } from './line.ts'

export type Verdict = {
  /** Whether the step came about. A payment that is declined did: the network was understood. */
  ok: boolean
  de39?: string | undefined
  says: string
}

export type Asked = {
  /** `forged`: its code is under another key, on purpose. */
  kind: 'management' | 'key' | 'payment' | 'forged'
  /** The sentence for the answer 00. */
  done: string
  /** Whether the message had a code (MAC). */
  isSealed: boolean
}

/** DE39, as section 6 of docs/iso8583.md has it. */
const MEANINGS: Readonly<Record<string, string>> = {
  '05': 'not honoured',
  '08': 'approved with identification',
  '10': 'approved in part',
  '11': 'approved',
  '12': 'an invalid transaction',
  '13': 'an invalid amount',
  '14': 'no card of the platform, or none of the bins of this network',
  '21': 'nothing was done',
  '25': 'the original is not found',
  '30': 'the format is wrong, or the code (MAC) wrong or missing',
  '40': 'not supported: NETWORKS_FILE has no keys for this network',
  '41': 'the card is lost',
  '43': 'the card is stolen',
  '46': 'the card is closed',
  '51': 'there are not enough funds',
  '54': 'the card has expired, or not this expiry',
  '55': 'the PIN is wrong',
  '57': 'not permitted to this card',
  '58': 'not permitted to this terminal',
  '59': 'refused as fraud',
  '61': 'an amount limit is reached',
  '62': 'the card or its holder is restricted, or the country is',
  '63': 'a security violation',
  '65': 'a limit of numbers is reached, or the shop has to ask for 3-D Secure',
  '70': 'a PIN is needed',
  '75': 'the PIN was wrong too often',
  '78': 'the card or its account is not active',
  '81': 'the key is none, or not of its check value: compare the zone master keys',
  '82': 'a check of CVV or cryptogram failed',
  '85': 'nothing speaks against the card',
  '88': 'a check of the cryptogram failed',
  '91': 'the line is not signed on, or the platform cannot decide now',
  '96': 'a malfunction: the log of the platform has it',
  '1A': 'the shop has to ask for 3-D Secure',
  N7: 'CVV2 is wrong or missing',
  R0: 'recurring payments of this shop are stopped',
}

const APPROVED: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85'])
const FORMAT = '30'
/** The platform did not look at the payment. */
const UNDECIDED: ReadonlySet<string> = new Set([FORMAT, '91', '96'])

const meaningOf = (de39: string): string => MEANINGS[de39] ?? 'an answer of its own'

/** No answer came. `isClosed`: the platform has ended the line. */
export const silence = (mti: string, isClosed: boolean): Verdict => ({
  ok: false,
  says:
    `${isClosed ? 'the platform has closed the line' : 'no answer came'} after ${mti}: ` +
    'look for "a network sent no message" in its log',
})

export function verdictOf(asked: Asked, { message, mac }: Came): Verdict {
  const { 39: de39 = '' } = message.fields
  const wrong = faultOfCode(mac, asked.isSealed)
  if (wrong !== undefined) return { ok: false, de39, says: `${de39}, but ${wrong}` }
  const says = (ok: boolean, text: string): Verdict => ({ ok, de39, says: `${de39}: ${text}` })
  if (asked.kind === 'forged') {
    if (de39 === FORMAT) return says(true, 'refused for its wrong code, as it has to be')
    return says(false, 'a wrong code was not refused: mac of this network has no required')
  }
  if (!APPROVED.has(de39)) {
    return says(asked.kind === 'payment' && !UNDECIDED.has(de39), meaningOf(de39))
  }
  return says(true, de39 === '00' ? asked.done : `${asked.done}, ${meaningOf(de39)}`)
}

function faultOfCode(mac: Came['mac'], isSealed: boolean): string | undefined {
  if (mac === 'wrong') {
    return 'the code of the answer is wrong: compare algorithm, padding and key'
  }
  if (mac === 'unknown') {
    return 'it has a code, and no key is here to check it: --zak names the file of an earlier run'
  }
  if (isSealed && mac === 'none') return 'the answer has no code: NETWORKS_FILE has no mac'
  return undefined
}
