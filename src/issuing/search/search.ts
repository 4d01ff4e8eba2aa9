/** Public functions of the search for any object of a tenant (D-611). */

import type { User } from '#issuing/users/schema.ts'
import { searchUsers } from '#issuing/users/users.ts'
import type { Context } from '#kit/context.ts'
import { isCurrency } from '#lib/currency.ts'
import { formatDecimal } from '#lib/money.ts'
import { type Sought, soughtOf } from './rules.ts'
import { FOUND_MAX, type FoundObject, type SearchQuery } from './schema.ts'
import {
  type FoundRow,
  listCardsByLastFour,
  listNamedObjects,
  listObjectsWithId,
  listTransactionsByRrn,
} from './store.ts'

/** At most 20 objects; exact matches come first. */
export async function searchObjects(
  ctx: Context,
  { q }: SearchQuery,
): Promise<{ data: FoundObject[] }> {
  const sought = soughtOf(q)
  // Queries that are made together are sent together.
  const found = await ctx.db.runSession((db) => ask({ ...ctx, db }, sought))
  return { data: found.flat().slice(0, FOUND_MAX) }
}

function ask(ctx: Context, sought: Sought): Promise<FoundObject[][]> {
  const { id, last_four, rrn, mobile, email, name } = sought
  const asked: Promise<FoundObject[]>[] = []
  if (id !== undefined) asked.push(presented(listObjectsWithId(ctx, id)))
  if (last_four !== undefined) asked.push(presented(listCardsByLastFour(ctx, last_four)))
  if (rrn !== undefined) asked.push(presented(listTransactionsByRrn(ctx, rrn)))
  if (email !== undefined) asked.push(usersFound(ctx, { email }))
  if (mobile !== undefined) asked.push(usersFound(ctx, { mobile }))
  if (name !== undefined) {
    asked.push(presented(listNamedObjects(ctx, name)), usersFound(ctx, { name }))
  }
  return Promise.all(asked)
}

type Criterion = { email: string } | { mobile: string } | { name: string }

async function usersFound(ctx: Context, by: Criterion): Promise<FoundObject[]> {
  const { data } = await searchUsers(ctx, { ...by, limit: FOUND_MAX })
  return data.map((user) => ({
    kind: 'USER',
    id: user.id,
    title: nameOf(user),
    status: user.status,
    ...(user.email && { subtitle: user.email }),
  }))
}

const nameOf = (user: User): string =>
  [user.first_name, user.last_name].filter(Boolean).join(' ') ||
  (user.business_legal_name ?? user.native_name ?? user.id)

async function presented(asked: Promise<FoundRow[]>): Promise<FoundObject[]> {
  return (await asked).map(({ kind, id, title, subtitle, status, amount = null }) => {
    const figure = amount === null || subtitle === null ? subtitle : moneyText(amount, subtitle)
    return {
      kind,
      id,
      title: title ?? id,
      ...(figure !== null && { subtitle: figure }),
      ...(status !== null && { status }),
    }
  })
}

/** A message may name a currency that there is not. */
const moneyText = (amount: bigint, currency: string): string =>
  isCurrency(currency) ? `${currency} ${formatDecimal(amount, currency)}` : currency
