/** The sandbox's own KYC provider (D-22): the last name of the user decides. */

import type { KycProvider } from '#issuing/verification/provider.ts'
import { kycAnswerFor } from './rules.ts'

export const sandboxKyc: KycProvider = {
  name: 'sandbox',
  outside: false,
  decide: async (_ctx, { person }) => kycAnswerFor(person.last_name),
}
