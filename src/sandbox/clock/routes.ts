import { type Route, route } from '#kit/http/route.ts'
import { moveClock } from './clock.ts'
import { Clock, ClockMove, ClockMoved } from './schema.ts'

export const clockRoutes: readonly Route[] = [
  route({
    id: 'getClock',
    tag: 'Simulation',
    description: 'Returns the present time on the clock of the tenant. Exists in sandbox only.',
    method: 'GET',
    path: '/simulate/clock',
    permission: 'read',
    summary: 'Get the clock of the tenant',
    sandbox: true,
    answer: Clock,
    run: async ({ now }) => ({ now }),
  }),
  route({
    id: 'moveClock',
    tag: 'Simulation',
    description:
      'Moves the clock of the tenant forward, to an instant or by a duration. Jobs that become ' +
      'due run before the answer, which waits up to 10 seconds for them, and 2 for calls of ' +
      'other systems. Jobs that still run then are named in `running`. The clock cannot move ' +
      'backwards (`clock_backwards`) or more than 100 years ahead of real time. Exists in ' +
      'sandbox only.',
    method: 'PUT',
    path: '/simulate/clock',
    permission: 'write',
    summary: 'Move the clock of the tenant',
    sandbox: true,
    body: ClockMove,
    answer: ClockMoved,
    errors: ['clock_backwards'],
    commitsItself: true,
    run: (ctx, { body }) => moveClock(ctx, body),
  }),
]
