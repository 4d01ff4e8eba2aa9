/** Values as every page shows them. */

import i18next from 'i18next'
import styles from './parts.module.css'

/** Digits are the same in both languages, so that amounts and codes are compared at a glance. */
export const localeOf = (language: string): string => (language === 'ar' ? 'ar-u-nu-latn' : 'en-GB')

/** An amount in major units with its currency: `AED 1,250.00`, `−AED 40.00`. */
export function moneyText(amount: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const
  const text = new Intl.NumberFormat('en-GB', style).format(amount)
  return text.replace(/\s/g, '\u00a0').replace('-', '\u2212')
}

/** The month by its name and the hours from 0 to 23, so that no language leaves them in doubt. */
export const INSTANT: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

export function dateText(instant: string): string {
  return new Intl.DateTimeFormat(localeOf(i18next.language), INSTANT).format(new Date(instant))
}

export function Money({ amount, currency }: { amount: number; currency: string }) {
  return (
    <span dir="ltr" className={styles['figure']}>
      {moneyText(amount, currency)}
    </span>
  )
}

/** The same instant as the API and the logs have it: `2026-11-25 04:47:43 UTC`. */
export const utcText = (instant: string): string =>
  `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** An instant in the reader's zone; its title has it in UTC. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utcText(at)}>
      {dateText(at)}
    </time>
  )
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const

/** A day in no zone, as a document or a book has it: `2026-11-28` is `28 Nov 2026`. */
export function Day({ at }: { at: string }) {
  const day = at.slice(0, 'YYYY-MM-DD'.length)
  const text = new Intl.DateTimeFormat(localeOf(i18next.language), DAY).format(new Date(day))
  return (
    <time dateTime={day} title={day} className={styles['figure']}>
      {text}
    </time>
  )
}

/** Ids, codes and numbers, which are read from left to right in every language. */
type CodeProps = {
  children: string
  /** An address: it is broken where it is wider than its column. */
  isLong?: boolean
}

export function Code({ children, isLong }: CodeProps) {
  return (
    <code dir="ltr" className={styles['code']} data-long={isLong}>
      {children}
    </code>
  )
}

type Tone = 'good' | 'warn' | 'bad' | 'calm'

const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  AGREES: 'good',
  OK: 'good',
  UP: 'good',
  SIGNED_ON: 'good',
  CONNECTED: 'warn',
  SET: 'good',
  STALE: 'warn',
  DEGRADED: 'warn',
  OVERDUE: 'warn',
  'NOT SET': 'warn',
  DOWN: 'bad',
  FAILING: 'bad',
  SETTLED: 'good',
  SUCCESS: 'good',
  PAID: 'good',
  FAILURE: 'bad',
  DELIVERED: 'good',
  APPROVED: 'good',
  APPLIED: 'good',
  COMPLETED: 'good',
  ENFORCED: 'good',
  SHADOW: 'warn',
  RUNNING: 'warn',
  OPENED: 'warn',
  EXPIRED: 'bad',
  PENDING: 'warn',
  SUSPENDED: 'warn',
  RETRYING: 'warn',
  SUBMITTED: 'warn',
  PROCESSING: 'warn',
  DECLINED: 'bad',
  DIFFERS: 'bad',
  DISABLED: 'bad',
  REJECTED: 'bad',
  FAILED: 'bad',
  NEEDS_RESPONSE: 'warn',
  REPRESENTED: 'warn',
  WON: 'good',
  LOST: 'bad',
}

/** A status of the specification, which is not translated: the API and webhooks have the same word. */
export function Status({ children }: { children: string }) {
  const tone = TONES[children] ?? (children.startsWith('PENDING') ? 'warn' : 'calm')
  return (
    <span dir="ltr" data-tone={tone} className={styles['status']}>
      {children}
    </span>
  )
}

/** A number of things, with its thousands apart. */
export const countText = (number: number): string => new Intl.NumberFormat('en-GB').format(number)

/** A part of a whole as percent, with one decimal: `96.4%`. */
export function percentText(part: number): string {
  const style = { style: 'percent', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat('en-GB', style).format(part)
}

/** An hour of the day: `14:00`. */
export function hourText(instant: string | Date): string {
  const shape = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', shape).format(new Date(instant))
}
