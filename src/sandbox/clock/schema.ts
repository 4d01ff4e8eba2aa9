import { type Static, Type } from 'typebox'
import { Instant, Strict } from '#kit/schema.ts'

const TEXT_LENGTH = 40

/** Either the instant that the clock is to show, or how far to go on. */
export const ClockMove = Strict({
  now: Type.Optional(Type.String({ maxLength: TEXT_LENGTH })),
  advance: Type.Optional(Type.String({ maxLength: TEXT_LENGTH })),
})
export type ClockMove = Static<typeof ClockMove>

export const Clock = Type.Object({ now: Instant }, { title: 'Clock' })
