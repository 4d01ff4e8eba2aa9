/** The data that a provider of KYC or KYB receives about a user: all that a check needs (D-1080). */

import type { DocumentsOfUsers } from '#issuing/identifications/identifications.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { listMembersOf, type UserRow } from '#issuing/users/users.ts'
import type { Context } from '#kit/context.ts'
import {
  type BusinessData,
  businessMembers,
  type CompanyData,
  type KycCase,
  type PersonData,
  personMembers,
} from '../provider.ts'

/** Reads the data of a person, and of a business with its people. */
export type Subjects = {
  /** A person, and whether people of the tenant have agreed to checks. */
  asked: (ctx: Context, row: UserRow) => Promise<Pick<KycCase, 'person' | 'consent_given'>>
  business: (ctx: Context, row: UserRow) => Promise<BusinessData>
}

type Documents = PersonData['documents']

export function subjectsOf(documentsOf: DocumentsOfUsers): Subjects {
  return {
    async asked(ctx, row) {
      const documents = await documentsOf(ctx, [row.id])
      const { privacy_notices_read_consent_given: given } = await readSettings(ctx)
      return { person: personOf(row, documents.get(row.id) ?? []), consent_given: given ?? false }
    },
    async business(ctx, row) {
      const members = await listMembersOf(ctx, row.id)
      const documents = await documentsOf(ctx, [row.id, ...members.map(({ id }) => id)])
      const of = ({ id }: UserRow) => documents.get(id) ?? []
      const people = (user_type: UserRow['user_type']) =>
        members
          .filter((member) => member.user_type === user_type)
          .map((member) => personOf(member, of(member)))
      const shareholders = members.filter(({ user_type }) => user_type.startsWith('SHAREHOLDER'))
      return {
        ...companyOf(row, of(row)),
        directors: people('DIRECTOR'),
        signatories: people('SIGNATURE'),
        shareholders: shareholders.map((member) =>
          isBusiness(member) ? companyOf(member, of(member)) : personOf(member, of(member)),
        ),
      }
    },
  }
}

export const isBusiness = ({ user_type }: Pick<UserRow, 'user_type'>): boolean =>
  user_type === 'BUSINESS' || user_type === 'SHAREHOLDER_BUSINESS'

const personOf = (row: UserRow, documents: Documents): PersonData => ({
  ...pick(row, personMembers),
  documents,
})

const companyOf = (row: UserRow, documents: Documents): CompanyData => ({
  ...pick(row, businessMembers),
  documents,
})

function pick<Name extends keyof UserRow>(
  row: UserRow,
  names: readonly Name[],
): Pick<UserRow, Name> {
  // The members are exactly those that are named.
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<UserRow, Name>
}
