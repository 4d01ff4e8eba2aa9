import type { Slice } from '#kit/slice.ts'
import { wireMessageRoutes } from './routes.ts'
import type { WireLog } from './wire_log.ts'

export const wireMessagesSlice = (log: WireLog | null): Slice => ({
  name: 'wire messages',
  routes: wireMessageRoutes(log),
})
