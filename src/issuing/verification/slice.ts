import type { DocumentsOf } from '#issuing/identifications/identifications.ts'
import type { Slice } from '#kit/slice.ts'
import { checkDone, identityCalls } from './calls.ts'
import { verificationErrors } from './errors.ts'
import { documentExpiry } from './expiry.ts'
import type { IdentityProvider } from './provider.ts'
import { identityReactions } from './reactions.ts'
import { verificationRoutes } from './routes.ts'

/** Without a provider, what needs one fails with not_configured. */
export function verificationSlice(
  provider: IdentityProvider | undefined,
  documentsOf: DocumentsOf,
): Slice {
  return {
    name: 'verification',
    routes: verificationRoutes,
    errors: verificationErrors,
    reactions: identityReactions(provider),
    sweeps: [
      documentExpiry,
      ...(provider?.outside ? [identityCalls({ provider, documentsOf })] : []),
    ],
    pages: (app, services) => {
      if (provider) provider.listen?.(app, services, checkDone(provider.name))
    },
  }
}
