import type { Slice } from '#kit/slice.ts'
import { responderErrors } from './errors.ts'
import type { ResponderListener } from './listener.ts'
import { responderRoutes } from './routes.ts'

export const responderListenerSlice = (listener: ResponderListener): Slice => ({
  name: 'responder listener',
  routes: responderRoutes(listener),
  errors: responderErrors,
  sweeps: [listener.sweep],
})
