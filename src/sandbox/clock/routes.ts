import { type Route, route } from '#kit/route.ts'
import { moveClock } from './clock.ts'
import { Clock, ClockMove } from './schema.ts'

export const clockRoutes: readonly Route[] = [
  route({
    id: 'getSimulateClock',
    tag: 'Simulation',
    description: '',
    method: 'GET',
    path: '/simulate/clock',
    permission: 'read',
    summary: 'What the clock of the tenant shows',
    sandbox: true,
    answer: Clock,
    run: async ({ now }) => ({ now }),
  }),
  route({
    id: 'putSimulateClock',
    tag: 'Simulation',
    description: '',
    method: 'PUT',
    path: '/simulate/clock',
    permission: 'write',
    summary: 'Move the clock forward; what becomes due is done before the answer',
    sandbox: true,
    body: ClockMove,
    answer: Clock,
    errors: ['clock_backwards'],
    commitsItself: true,
    run: (ctx, { body }) => moveClock(ctx, body),
  }),
]
