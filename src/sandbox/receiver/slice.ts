import type { Slice } from '#kit/slice.ts'
import { receiverErrors } from './errors.ts'
import { receiverPages } from './pages.ts'
import { receiverRoutes } from './routes.ts'

export const webhookReceiverSlice = (publicUrl: () => string): Slice => ({
  name: 'webhook receiver',
  routes: receiverRoutes(publicUrl),
  errors: receiverErrors,
  pages: receiverPages(publicUrl),
})
