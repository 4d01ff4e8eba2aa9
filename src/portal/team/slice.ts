import type { Slice } from '#kit/slice.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { teamErrors } from './errors.ts'
import { teamRoutes } from './routes.ts'

export const teamSlice = (mailing: Mailing): Slice => ({
  name: 'team',
  routes: teamRoutes(mailing),
  errors: teamErrors,
})
