/**
 * A user as the API returns it: fields that were never set are left out, lists are present (D-3).
 */

import { fieldNames, fields, type ListName, listNames, listOf, type UserType } from './fields.ts'

type Member = { id: string; user_type: UserType; list_place: number }
type Lists = Record<ListName, string[]>

/** The lists of a business from its members, each in the order of its places. */
export function listsOf(members: readonly Member[]): Lists {
  const lists: Lists = { director_list: [], signature_list: [], shareholder_list: [] }
  for (const { id, user_type } of members.toSorted((a, b) => a.list_place - b.list_place)) {
    const list = listOf(user_type)
    if (list) lists[list].push(id)
  }
  return lists
}

const ALWAYS = ['id', 'user_type', 'status', 'status_reason_code', 'default_user'] as const
const WHEN_SET = ['parent_user_id', 'kyc_policy_passed'] as const

/** The members of the answer, in the order of the schema. Money becomes a number. */
export function answerOf(row: Readonly<Record<string, unknown>>, lists: Lists): object {
  const answer: Record<string, unknown> = {}
  for (const name of ALWAYS) answer[name] = row[name]
  for (const name of WHEN_SET) if (row[name] !== null) answer[name] = row[name]
  for (const name of fieldNames) {
    const value = row[name]
    if (value === null || value === undefined) continue
    answer[name] = fields[name] === 'money' ? Number(value) : value
  }
  for (const name of listNames) answer[name] = lists[name]
  answer['created'] = row['created']
  answer['modified'] = row['modified']
  return answer
}
