/**
 * The keys of stored messages: those of duplicates (D-109), of reversals that came early (D-311),
 * of the answers that an approval got beside the first (D-528), and of used values (D-1216).
 */

import { sha256Hex } from '#lib/digest.ts'
import type { Secret } from '#lib/secret.ts'

/** `class|DE11|DE7|DE32`, as DE90 has it, and the DE37 behind it. */
const NAMEABLE = /^((?:[^|]*\|){3}[^|]*)\|(.*)$/s

export type MessageName = {
  /** How DE90 names the message. */
  message_key: string
  /** The message's own retrieval reference (DE37); empty if it has none. */
  rrn: string
}

/** The parts of a duplicate key; undefined for a key that DE90 cannot name. */
export function nameOfMessage(duplicate_key: string): MessageName | undefined {
  const [, message_key, rrn] = NAMEABLE.exec(duplicate_key) ?? []
  return message_key === undefined || rrn === undefined ? undefined : { message_key, rrn }
}

/**
 * The key under which a reversal waits for its original: only a message of the same card and the
 * same retrieval reference is meant (D-311). A reversal without the one or the other leaves that
 * part empty.
 */
export const earlyReversalKey = (
  message_key: string,
  rrn: string | undefined,
  card_id: string | undefined,
): string => `R|${message_key}|${rrn ?? ''}|${card_id ?? ''}`

/** Such a key: no transaction is made under it. */
export const isOfEarlyReversal = (key: string): boolean => key.startsWith('R|')

/**
 * Whether DE90 names the message so. Zeros in its acquirer part, which leave that part of the name
 * empty, match any acquirer (D-1035).
 */
export const isNamedBy = (message_key: string, name: string | undefined): boolean =>
  name !== undefined && (message_key === name || (isOfAny(name) && message_key.startsWith(name)))

/** The name says nothing of the acquirer. */
export const isOfAny = (name: string): boolean => name.endsWith('|')

/** The name without its acquirer. */
export const withoutAcquirer = (message_key: string): string =>
  message_key.slice(0, message_key.lastIndexOf('|') + 1)

/** The keys of all reversals that a message of this card may find waiting for it. */
export function earlyReversalsOf(duplicate_key: string, card_id: string | undefined): string[] {
  const name = nameOfMessage(duplicate_key)
  if (!name) return []
  const { message_key, rrn } = name
  const names = new Set([message_key, withoutAcquirer(message_key)])
  const rrns = new Set([rrn, ''])
  return [...names].flatMap((one) => [...rrns].map((of) => earlyReversalKey(one, of, card_id)))
}

/** The key of an answer of an approval beside the first: one that a repeat got. Counted from 2. */
export const repeatedAnswerKey = (duplicate_key: string, answer_number: number): string =>
  `A|${duplicate_key}|${answer_number}`

/** The key of the message by which the platform takes an answer as not sent (D-301). */
export const unsentKey = (duplicate_key: string, answer_number: number): string =>
  answer_number === 1 ? `UNSENT|${duplicate_key}` : `UNSENT|${duplicate_key}|${answer_number}`

/**
 * The key under which a value that has proved a payment is stored with its transaction (D-1216): it
 * proves no other. The value itself is in no row.
 */
export const usedAavKey = (aav: Secret): string => `V|${sha256Hex(aav.reveal())}`

export const isOwnReversal = (key: string | undefined): boolean =>
  key?.startsWith('UNSENT|') === true

/** So many answers of an approval are counted. A network gives up repeating long before. */
export const ANSWERS_MAX = 100

/**
 * Around the keys of the answers of an approval beside the first, and of those that were not sent.
 * `}` follows the bar, so keys of other messages may lie between too.
 */
export const answerKeysOf = (duplicate_key: string): { first: string; last: string }[] =>
  [`A|${duplicate_key}`, `UNSENT|${duplicate_key}`].map((first) => ({ first, last: `${first}}` }))

/** How often an approval was answered, and how many of these answers certainly never left. */
export type Answered = { answers: number; unsent: number }

/** Counts by the stored keys, among them those of other messages. */
export function countAnswers(duplicate_key: string, isStored: (key: string) => boolean): Answered {
  let answers = 1
  while (isStored(repeatedAnswerKey(duplicate_key, answers + 1))) answers += 1
  const numbers = Array.from({ length: answers }, (_, at) => at + 1)
  const unsent = numbers.filter((number) => isStored(unsentKey(duplicate_key, number)))
  return { answers, unsent: unsent.length }
}

const DAY_MS = 86_400_000
/** DE7 contains no year, so a key must be forgotten long before it can come again. */
export const LOOKED_UP_DAYS = 31

/**
 * Whether a message of this instant is not looked up by its key any more; milliseconds since 1970.
 */
export const isBeforeLookUp = (at: number, now: number): boolean =>
  at < now - LOOKED_UP_DAYS * DAY_MS

/** Month, day, hour, minute and second of DE7, in `class|DE11|DE7|DE32`. */
const TRANSMITTED = /^[^|]*\|[^|]*\|(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\|/

/**
 * Whether the message of this key was sent longer ago than messages are looked up. `now` is real
 * time, milliseconds since 1970; DE7 means the last such instant before tomorrow.
 */
export function isForgotten(message_key: string, now: number): boolean {
  const parts = TRANSMITTED.exec(message_key)?.slice(1).map(Number)
  if (!parts) return false
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
  const year = new Date(now).getUTCFullYear()
  const sent = [year + 1, year, year - 1]
    .map((one) => Date.UTC(one, month - 1, day, hour, minute, second))
    .find((at) => at <= now + DAY_MS)
  return sent !== undefined && isBeforeLookUp(sent, now)
}
