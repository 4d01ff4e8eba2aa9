import type { Log } from '#kit/log.ts'
import type { Slice } from '#kit/slice.ts'
import type { Mailer } from './provider.ts'
import { mailRoutes } from './routes.ts'
import { mailSweep } from './sending.ts'
import { mailBacklog } from './store.ts'

/** Without a mailer mails are kept, and deleted when they are old. */
export const mailsSlice = (parts: { mailer?: Mailer | undefined; log: Log }): Slice => ({
  name: 'mails',
  backlogs: [mailBacklog],
  sweeps: [mailSweep(parts)],
})

/** Mounted with the other operator routes (D-142). */
export const mailsOperatorSlice: Slice = { name: 'mails of the operator', routes: mailRoutes }
