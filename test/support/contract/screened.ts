/** People and companies as a provider of KYC or KYB receives them, of which little is known. */

import { randomUUID } from 'node:crypto'
import {
  type BusinessData,
  businessMembers,
  type CompanyData,
  type KybCase,
  type KycCase,
  type PersonData,
  personMembers,
} from '#issuing/verification/provider.ts'

/** Every member is named; each may be null but those that follow it. */
function unknownOf<Data>(names: readonly string[]): Data {
  return Object.fromEntries(names.map((name) => [name, null])) as Data
}

export const personData = (known: Partial<PersonData>): PersonData => ({
  ...unknownOf<PersonData>(personMembers),
  ...{ id: randomUUID(), user_type: 'DIRECTOR', first_name: 'Ann', last_name: 'Lee' },
  documents: [],
  ...known,
})

export const companyData = (known: Partial<CompanyData>): CompanyData => ({
  ...unknownOf<CompanyData>(businessMembers),
  ...{ id: randomUUID(), user_type: 'BUSINESS', business_legal_name: 'Acme' },
  documents: [],
  ...known,
})

export const kycCase = (
  known: Partial<PersonData>,
  purpose: KycCase['purpose'] = 'KYC',
): KycCase => {
  const request: KycCase = {
    reference: randomUUID(),
    purpose,
    kyc_policy: purpose === 'KYC' ? 'UAE_INDIVIDUAL_PRIMARY' : null,
    person: personData({ user_type: 'INDIVIDUAL', ...known }),
    ...{ consent_given: true, kept: null },
    async keep(provider_case) {
      request.kept = provider_case
    },
  }
  return request
}

export const kybCase = (people: Partial<BusinessData> = {}): KybCase => ({
  reference: randomUUID(),
  purpose: 'KYB',
  business: {
    ...companyData({}),
    ...{ directors: [], signatories: [], shareholders: [] },
    ...people,
  },
})
