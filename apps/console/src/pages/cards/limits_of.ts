/** The velocity limits that bound a card: its own, and those of its product, user and account. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { Card, VelocityLimit } from '../../api/types.ts'

/** The object that a limit is linked to. */
export type Linked = 'card' | 'product' | 'user' | 'account'

export type Bounding = { limit: VelocityLimit; of: Linked; id: string }

/** An object has fewer. */
const query = { limit: 200 }

const READERS: Readonly<Record<Linked, (id: string) => Promise<{ data: VelocityLimit[] }>>> = {
  card: (id) => answered(issuing.limits.listCardVelocityLimits(id, query)),
  product: (id) => answered(issuing.limits.listCardProductVelocityLimits(id, query)),
  user: (id) => answered(issuing.limits.listUserVelocityLimits(id, query)),
  account: (id) => answered(issuing.limits.listAccountVelocityLimits(id, query)),
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
