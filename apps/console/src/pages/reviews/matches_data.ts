/** Matches of a user with watchlists, and of the people of a business. */

import { queryOptions } from '@tanstack/react-query'
import { forTenant } from '../../api/acting.ts'
import { answered, issuing } from '../../api/client.ts'
import type { ScreeningMatch, User } from '../../api/types.ts'
import type { Person } from '../../parts/person/person.ts'

/** The newest of one user. */
const MOST = 100

type MatchOf = { match: ScreeningMatch; subject: User }

export const matchesOf = (person: Person & { tenant_id: string }) =>
  queryOptions({
    queryKey: ['matches', person.tenant_id, person.user.id],
    queryFn: async (): Promise<MatchOf[]> => {
      const { user, tenant_id } = person
      const subjects = user.user_type === 'BUSINESS' ? [user, ...(await peopleOf(person))] : [user]
      const found = await Promise.all(subjects.map((one) => matchesOfOne(tenant_id, one)))
      const isDone = ({ match }: MatchOf) => Number(match.status !== 'OPEN')
      return found.flat().sort((one, other) => isDone(one) - isDone(other))
    },
  })

async function matchesOfOne(tenant_id: string, subject: User): Promise<MatchOf[]> {
  const query = { tenant_id, user_id: subject.id, limit: MOST }
  const { data } = await answered(issuing.operator.listMatches(query))
  return data.map((match) => ({ match, subject }))
}

async function peopleOf({ user, tenant_id }: Person): Promise<User[]> {
  const { data } = await answered(
    issuing.users.listLinkedUsers(user.id, {}, { headers: forTenant(tenant_id) }),
  )
  return data
}
