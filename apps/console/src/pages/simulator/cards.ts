/** The cards that the terminal offers: active ones, or those that are searched for. */

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { activeCards } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import type { Card } from '../../api/types.ts'
import { useFilters } from '../../parts/filters.tsx'

export const STATUSES = ['ACTIVE', 'INACTIVE', 'SUSPENDED', 'TERMINATED'] as const
/** Stands in the address for every status. */
export const ALL = 'ALL'
const CHOICE = 50
/** A number of the address that has other than four digits finds nothing. */
const LAST_FOUR = /^\d{4}$/

const found = (status: string | undefined, last_four: string | undefined) =>
  queryOptions({
    queryKey: ['cards', 'found', status, last_four],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const known = STATUSES.find((one) => one === status)
      const digits = last_four !== undefined && LAST_FOUR.test(last_four) ? { last_four } : {}
      const query = { ...digits, ...(known && { status: known }), limit: CHOICE }
      return answered(issuing.cards.list(query))
    },
  })

const named = (id: string | undefined) =>
  queryOptions({
    queryKey: ['cards', id],
    queryFn: () => answered(issuing.cards.get(id ?? '')),
    enabled: id !== undefined,
  })

type CardSearch = { card_status?: string | undefined; last_four?: string | undefined }

/** The choice is in the address, so that a card's page can link to its terminal. */
export function useCards() {
  const { values } = useFilters(['card_id', 'card_status', 'last_four'])
  const navigate = useNavigate()
  const { card_id, card_status, last_four } = values
  const isSearch = card_status !== undefined || last_four !== undefined
  const all = useQuery({ ...activeCards, enabled: !isSearch })
  const some = useQuery({ ...found(card_status, last_four), enabled: isSearch })
  const one = useQuery(named(isSearch ? undefined : card_id))
  const { error, refetch } = isSearch ? some : all
  // The earlier cards stay until the answer comes.
  const data = isSearch ? (some.data ?? all.data) : all.data
  const isPending = isSearch
    ? some.isPlaceholderData || some.isLoading
    : data === undefined && error === null
  const first: Card | undefined = isSearch ? undefined : one.data
  const others = data?.data.filter(({ id }) => id !== first?.id) ?? []
  return {
    cards: first ? [first, ...others] : others,
    isSearch,
    isPending: isPending || one.isLoading,
    error,
    refetch,
    status: card_status,
    last_four,
    /** Resolves once the address has it. */
    search: (next: CardSearch) => navigate({ to: '.', search: next, replace: true }),
  }
}

export type CardChoice = ReturnType<typeof useCards>
