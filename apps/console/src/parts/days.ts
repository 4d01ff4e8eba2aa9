/** Days of the reader's clock, which begin and end where the reader is. */

type Period = { from?: string; to?: string }

/** The instants from the beginning of the first day to the end of the last; either may be open. */
export const periodOf = (first: string | undefined, last: string | undefined): Period => ({
  ...startOf(first),
  ...endOf(last),
})

const startOf = (day: string | undefined): Period =>
  day ? { from: new Date(`${day}T00:00`).toISOString() } : {}

function endOf(day: string | undefined): Period {
  if (!day) return {}
  const next = new Date(`${day}T00:00`)
  next.setDate(next.getDate() + 1)
  return { to: next.toISOString() }
}
