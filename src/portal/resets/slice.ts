import type { Slice } from '#kit/slice.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { resetRoutes } from './routes.ts'

export const resetsSlice = (mailing: Mailing): Slice => ({
  name: 'resets',
  routes: resetRoutes(mailing),
})
