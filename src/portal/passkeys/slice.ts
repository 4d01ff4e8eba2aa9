import type { Slice } from '#kit/slice.ts'
import type { Outbox } from '#portal/mails/mails.ts'
import { passkeyErrors } from './errors.ts'
import type { Site } from './passkeys.ts'
import { passkeyRoutes } from './routes.ts'

/** `site` is called when it is needed: the port may be known only once the program listens. */
export const passkeysSlice = (site: () => Site, outbox: Outbox): Slice => ({
  name: 'passkeys',
  routes: passkeyRoutes(site, outbox),
  errors: passkeyErrors,
})
