import { type Static, Type } from 'typebox'
import { Field, Instant, Strict } from '#kit/http/schema.ts'

const TEXT_LENGTH = 40

/** Either member alone. */
export const ClockMove = Strict({
  now: Type.Optional(
    Type.String({
      maxLength: TEXT_LENGTH,
      description: 'New time of the clock, an ISO 8601 timestamp; excludes `advance`.',
    }),
  ),
  advance: Type.Optional(
    Type.String({
      maxLength: TEXT_LENGTH,
      description: 'ISO 8601 duration to add, such as P5D or PT36H; excludes `now`.',
    }),
  ),
})
export type ClockMove = Static<typeof ClockMove>

export const Clock = Type.Object(
  { now: Field('Time on the clock of the tenant.', Instant) },
  { title: 'Clock' },
)

export const ClockMoved = Type.Object(
  {
    now: Field('Time on the clock of the tenant.', Instant),
    running: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Names of the jobs that became due and are still running, such as deliveries to an ' +
          'endpoint that does not answer. Absent as a rule: all has happened.',
      }),
    ),
  },
  { title: 'ClockMoved' },
)
export type ClockMoved = { now: Date; running?: readonly string[] }
