/** Message types (docs/iso8583.md 5.1): requests, repeats and answers. */

type MessageType = { request: string; repeat: string; answer: string; advice: boolean }

const messageTypes: readonly MessageType[] = [
  { request: '0100', repeat: '0101', answer: '0110', advice: false },
  { request: '0120', repeat: '0121', answer: '0130', advice: true },
  { request: '0200', repeat: '0201', answer: '0210', advice: false },
  { request: '0220', repeat: '0221', answer: '0230', advice: true },
  { request: '0400', repeat: '0401', answer: '0410', advice: false },
  { request: '0420', repeat: '0421', answer: '0430', advice: true },
  { request: '0800', repeat: '0801', answer: '0810', advice: false },
  { request: '0820', repeat: '0821', answer: '0830', advice: true },
]

const byMti = new Map<string, MessageType>()
for (const type of messageTypes) {
  for (const mti of [type.request, type.repeat, type.answer]) byMti.set(mti, type)
}

/** The MTI that answers a request or its repeat; null for an answer and for an unknown MTI. */
export function answerMti(mti: string): string | null {
  const type = byMti.get(mti)
  return type === undefined || type.answer === mti ? null : type.answer
}

/**
 * The request's MTI, for a request, its repeat and its answer alike: it identifies duplicates
 * (D-109) and matches answers to requests. An unknown MTI is its own class.
 */
export function mtiClass(mti: string): string {
  return byMti.get(mti)?.request ?? mti
}

export const isRepeat = (mti: string): boolean => byMti.get(mti)?.repeat === mti

export const isAnswer = (mti: string): boolean => byMti.get(mti)?.answer === mti

/** An advice reports what already happened: it is acknowledged, never declined (D-108). */
export function isAdvice(mti: string): boolean {
  const type = byMti.get(mti)
  return type?.advice === true && type.answer !== mti
}
