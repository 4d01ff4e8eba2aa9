import type { Slice } from '#kit/slice.ts'
import { clockRoutes } from './routes.ts'

export const clockSlice: Slice = {
  name: 'clock',
  routes: clockRoutes,
  errors: { clock_backwards: { status: 409, detail: 'The clock cannot be moved backwards.' } },
}
