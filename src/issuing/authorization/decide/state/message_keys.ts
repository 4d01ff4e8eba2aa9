/** The keys of stored messages: of duplicates (D-109), and of reversals that came early (D-311). */

/** `class|DE11|DE7|DE32`, as DE90 has it, and the DE37 behind it. */
const NAMEABLE = /^((?:[^|]*\|){3}[^|]*)\|(.*)$/s

export type MessageName = {
  /** How DE90 names the message. */
  message_key: string
  /** The message's own retrieval reference (DE37); empty where it has none. */
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

/** The keys of all reversals that a message of this card may find waiting for it. */
export function earlyReversalsOf(duplicate_key: string, card_id: string | undefined): string[] {
  const name = nameOfMessage(duplicate_key)
  if (!name) return []
  const exact = earlyReversalKey(name.message_key, name.rrn, card_id)
  return name.rrn === '' ? [exact] : [exact, earlyReversalKey(name.message_key, '', card_id)]
}
