/** Dates of the story as dates of January 2026: the same at each run. */

/** When the story begins: on the clock of the machine, and on that of its tenant. */
export type Beginning = { real: Date; story: Date }

/** The instant that examples show as the beginning. */
export const SHOWN = new Date('2026-01-15T09:00:00.000Z')
const DAY_MS = 86_400_000
/** Longer than the story takes on a busy machine; the shortest lifetime in it is as long. */
const GRAIN_MS = 5 * 60_000
/** The largest difference between the clocks of program and database. */
const SKEW_MS = 20_000
/**
 * The clock of the tenant is two weeks ahead or more; a nearer instant is of the machine's clock.
 */
const NEAR_MS = 8 * DAY_MS

export const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?/g
const DATE = /^\d{4}-\d\d-\d\d$/
/** The whole of a text, or where it begins: "2030-01, not given". */
const MONTH = /^\d{4}-\d\d(?=$|, )/

/** The fifteenth of the month after the next one, at nine. */
export function beginAt(real: Date): Beginning {
  const story = new Date(Date.UTC(real.getUTCFullYear(), real.getUTCMonth() + 2, 15, 9))
  return { real, story }
}

/** An instant in the form that it has, `found` by INSTANT; an instant long before is unchanged. */
export function instantOf(found: readonly unknown[], { real, story }: Beginning): string {
  const [text, time, fraction, zone] = found.map((part) => String(part ?? ''))
  const instant = Date.parse(`${time}${fraction}${zone || 'Z'}`)
  if (instant < real.getTime() - NEAR_MS) return text ?? ''
  const from = Math.abs(instant - real.getTime()) < NEAR_MS ? real : story
  const passed = Math.floor((instant - from.getTime() + SKEW_MS) / GRAIN_MS) * GRAIN_MS
  const shown = new Date(SHOWN.getTime() + passed).toISOString().slice(0, 19)
  return `${shown}${fraction?.replace(/\d/g, '0')}${zone}`
}

/** A date that follows from the clock, shifted by whole days; other text is unchanged. */
export function dateOf(text: string, { real, story }: Beginning): string {
  if (!DATE.test(text)) return text
  const day = Date.parse(text)
  if (day < real.getTime() - NEAR_MS) return text
  const passed = day - Math.floor(story.getTime() / DAY_MS) * DAY_MS
  return new Date(Math.floor(SHOWN.getTime() / DAY_MS) * DAY_MS + passed).toISOString().slice(0, 10)
}

/** A month that follows from the clock, shifted by whole months; other text is unchanged. */
export function monthOf(text: string, { real, story }: Beginning): string {
  return text.replace(MONTH, (found) => {
    const month = new Date(`${found}-01`)
    if (month.getTime() < real.getTime() - 40 * DAY_MS) return found
    const shown = monthsOf(SHOWN) + monthsOf(month) - monthsOf(story)
    return `${Math.floor(shown / 12)}-${String((shown % 12) + 1).padStart(2, '0')}`
  })
}

const monthsOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
