/** Reads of cards and their accounts that pages share. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from './client.ts'
import type { Card } from './types.ts'

/** A choice of cards to pay with; more are found on the page Cards. */
const CHOICE = 50

export const activeCards = queryOptions({
  queryKey: ['cards', 'active'],
  queryFn: () => answered(issuing.cards.list({ status: 'ACTIVE', limit: CHOICE })),
})

export const firstProduct = queryOptions({
  queryKey: ['card_products', 'first'],
  queryFn: async () => {
    const { data } = await answered(issuing.cardProducts.list())
    return data.find(({ status }) => status === 'ACTIVE') ?? null
  },
})

/** The most that one request reads; a program has few products. */
const MOST = 200

export const allProducts = queryOptions({
  queryKey: ['card_products', 'all'],
  queryFn: async () => {
    const query = { limit: MOST }
    const { data } = await answered(issuing.cardProducts.list(query))
    return data
  },
})

export const readCard = (id: string): Promise<Card> => answered(issuing.cards.get(id))

/** The account of a card, with what is held of it. */
export const accountsOf = (card_id: string) =>
  queryOptions({
    queryKey: ['cards', card_id, 'accounts'],
    queryFn: async () => {
      const { data } = await answered(issuing.accounts.listCardAccounts(card_id))
      return data
    },
    enabled: card_id !== '',
  })
