/** The time in which an order can be captured, and the reminders before it ends (D-84, D-85). */

import { addDays } from '#lib/time.ts'

const HOUR_MS = 60 * 60 * 1000
/** How long before the deadline the shop is reminded, in hours. */
export const REMINDER_HOURS = [24, 2] as const

/** The next step: a reminder, or once all were sent the deadline itself. */
export type Stage = { reminders: number; due: Date }

export function deadlineOf(created: Date, window_days: number): Date {
  return addDays(created, window_days)
}

/** The first stage of an order; reminders that would be due already are left out. */
export function firstStage(created: Date, capture_expiration: Date): Stage {
  const stages = REMINDER_HOURS.map((_, reminders) => stageAfter(reminders, capture_expiration))
  const ahead = stages.find(({ due }) => due > created)
  return ahead ?? stageAfter(REMINDER_HOURS.length, capture_expiration)
}

/** The stage of an order of which so many reminders were sent. */
export function stageAfter(reminders: number, capture_expiration: Date): Stage {
  const hours = REMINDER_HOURS[reminders] ?? 0
  return { reminders, due: new Date(capture_expiration.getTime() - hours * HOUR_MS) }
}
