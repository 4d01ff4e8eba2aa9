import type { DocumentsOf } from '#issuing/identifications/identifications.ts'
import type { Slice } from '#kit/slice.ts'
import { checkDone, identityCalls } from './calls.ts'
import { verificationErrors } from './errors.ts'
import { verificationEvents } from './events.ts'
import { documentExpiry } from './expiry.ts'
import { kycCalls } from './kyc/calls.ts'
import type { IdentityProvider, KycProvider } from './provider.ts'
import { identityReactions } from './reactions.ts'
import { verificationRoutes } from './routes.ts'

type Parts = {
  /** Absent: operations that need it fail with not_configured. */
  identity?: IdentityProvider
  /** Absent: the operator decides every KYC request. */
  kyc?: KycProvider
  documentsOf: DocumentsOf
}

export function verificationSlice({ identity, kyc, documentsOf }: Parts): Slice {
  return {
    name: 'verification',
    routes: verificationRoutes(kyc),
    errors: verificationErrors,
    events: verificationEvents,
    reactions: identityReactions(identity),
    sweeps: [
      documentExpiry,
      ...(identity?.outside ? [identityCalls({ provider: identity, documentsOf })] : []),
      ...(kyc ? [kycCalls(kyc)] : []),
    ],
    pages: (app, services) => {
      if (identity) identity.listen?.(app, services, checkDone(identity.name))
    },
  }
}
