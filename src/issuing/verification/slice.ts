import type { DocumentsOf, DocumentsOfUsers } from '#issuing/identifications/identifications.ts'
import type { Slice } from '#kit/slice.ts'
import { checkDone, identityCalls } from './calls.ts'
import { verificationErrors } from './errors.ts'
import { verificationEvents } from './events.ts'
import { documentExpiry } from './expiry.ts'
import { kycCalls } from './kyc/calls.ts'
import { KYC_REQUESTS } from './kyc/kyc.ts'
import { measured } from './metrics.ts'
import type { IdentityProvider, KybProvider, KycProvider } from './provider.ts'
import { identityReactions } from './reactions.ts'
import { verificationRoutes } from './routes.ts'
import { businessesToCheck, SCREENINGS, screeningCalls, screeningDone } from './screening/calls.ts'
import { type Ongoing, roundStarts, screeningRounds } from './screening/rounds.ts'
import { screeningRoutes } from './screening/routes.ts'
import { subjectsOf } from './screening/subjects.ts'

type Parts = {
  /** Absent: operations that need it fail with not_configured. */
  identity?: IdentityProvider
  /** Absent: the operator decides every KYC request. */
  kyc?: KycProvider
  /** Absent: nothing is asked about businesses. */
  kyb?: KybProvider
  documentsOf: DocumentsOf
  documentsOfUsers: DocumentsOfUsers
  ongoing: Ongoing
}

/** Calls of a remote service. */
const IDENTITY_CALLED = [
  'createApplicant',
  'updateApplicant',
  'issueToken',
  'uploadDocuments',
  'startCheck',
  'fetchReport',
] as const

export function verificationSlice(parts: Parts): Slice {
  const { documentsOf } = parts
  const identity = parts.identity && measured(parts.identity, IDENTITY_CALLED)
  const kyc = parts.kyc && measured(parts.kyc, ['decide'])
  const kyb = parts.kyb && measured(parts.kyb, ['check'])
  const subjects = subjectsOf(parts.documentsOfUsers)
  const screening = { kyc, kyb, subjects }
  return {
    name: 'verification',
    routes: [...verificationRoutes(kyc), ...screeningRoutes],
    errors: verificationErrors,
    events: verificationEvents,
    reactions: identityReactions(identity),
    sweeps: [
      documentExpiry,
      ...(identity?.outside ? [identityCalls({ provider: identity, documentsOf })] : []),
      ...(kyc ? [kycCalls({ provider: kyc, subjects })] : []),
      ...(kyb ? [businessesToCheck] : []),
      screeningCalls(screening),
      ...(kyc || kyb ? [roundStarts(parts.ongoing)] : []),
      screeningRounds(screening, parts.ongoing),
    ],
    pages: (app, services) => {
      if (identity) identity.listen?.(app, services, checkDone(identity.name))
      const done = screeningDone([KYC_REQUESTS, SCREENINGS])
      kyc?.listen?.(app, services, done)
      kyb?.listen?.(app, services, done)
    },
  }
}
