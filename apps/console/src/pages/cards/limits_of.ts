/** The velocity limits that bound a card: its own, and those of its product, user and account. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { Card, VelocityLimit } from '../../api/types.ts'

/** The object that a limit is linked to. */
export type Linked = 'card' | 'product' | 'user' | 'account'

export type Bounding = { limit: VelocityLimit; of: Linked; id: string }

/** An object has fewer. */
const query = { limit: 200 }

const paramsOf = (id: string) => ({ params: { path: { id }, query } })

const READERS: Readonly<Record<Linked, (id: string) => Promise<{ data: VelocityLimit[] }>>> = {
  card: (id) => answered(issuing.GET('/cards/{id}/velocitylimits', paramsOf(id))),
  product: (id) => answered(issuing.GET('/cardproducts/{id}/velocitylimits', paramsOf(id))),
  user: (id) => answered(issuing.GET('/users/{id}/velocitylimits', paramsOf(id))),
  account: (id) => answered(issuing.GET('/accounts/{id}/velocitylimits', paramsOf(id))),
}

/** Each limit once, at the nearest object that it is linked to. */
export const boundingLimits = ({ id, card_product_id, user_id, account_id }: Card) =>
  queryOptions({
    queryKey: ['limits', 'bounding', id, user_id, account_id],
    queryFn: async (): Promise<Bounding[]> => {
      const objects: [Linked, string | undefined][] = [
        ['card', id],
        ['account', account_id],
        ['user', user_id],
        ['product', card_product_id],
      ]
      const found = await Promise.all(objects.map(([of, one]) => read(of, one)))
      const nearest = new Map<string, Bounding>()
      for (const bounding of found.flat().toReversed()) nearest.set(bounding.limit.id, bounding)
      return [...nearest.values()].toReversed()
    },
  })

async function read(of: Linked, id: string | undefined): Promise<Bounding[]> {
  if (id === undefined) return []
  const { data } = await READERS[of](id)
  return data.map((limit) => ({ limit, of, id }))
}
