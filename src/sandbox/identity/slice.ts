import { sql } from 'kysely'
import { decideDueKyc, KYC_REQUESTS } from '#issuing/verification/verification.ts'
import { type Sweep, tenantsWithDue } from '#kit/jobs/sweeper.ts'
import type { Slice } from '#kit/slice.ts'
import { applicantPages } from './pages.ts'
import { simulatedIdentityRoutes } from './routes.ts'
import { kycResultFor } from './rules.ts'

const kycService: Sweep = {
  name: 'sandbox kyc service',
  channel: KYC_REQUESTS,
  dueTenants: tenantsWithDue('kyc_requests', 'due', sql`d.due is not null`),
  run: (ctx) => decideDueKyc(ctx, kycResultFor),
}

/** In sandbox only: a live deployment has neither its pages nor its KYC service (D-14). */
export const simulatedIdentitySlice: Slice = {
  name: 'identity',
  routes: simulatedIdentityRoutes,
  sweeps: [kycService],
  pages: applicantPages,
}
