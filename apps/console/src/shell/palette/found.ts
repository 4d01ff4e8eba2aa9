/** Reads of the palette while a person types. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answered, issuing, merchant } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useHasTenant, useMay } from '../../api/session.ts'
import { type Choice, choiceOf, orderChoice } from './choices.ts'

const LEAST_LENGTH = 2
/** A reference of an order has no spaces, and a digit; shorter ones are rarely whole. */
const REFERENCE = /^(?=.*[0-9])\S{4,100}$/

type PaletteResult = { objects: Choice[]; isFetching: boolean; error: unknown }

/** Objects of the issuing API, and the order with the reference. */
export function useFound(sought: string): PaletteResult {
  const may = useMay()
  const hasTenant = useHasTenant()
  const text = sought.trim()
  const isSought = text.length >= LEAST_LENGTH
  const objects = useQuery({
    queryKey: ['search', text],
    queryFn: () => answered(issuing.search.objects({ q: text })),
    enabled: isSought && hasTenant && may('searchObjects'),
    placeholderData: keepPreviousData,
  })
  const order = useQuery({
    queryKey: ['search', 'order', text],
    queryFn: () => findOrder(text),
    enabled: REFERENCE.test(text) && hasTenant && may('getOrder'),
  })
  if (!isSought) return { objects: [], isFetching: false, error: null }
  return {
    objects: [...(order.data ?? []), ...(objects.data?.data ?? []).map(choiceOf)],
    isFetching: objects.isFetching || order.isFetching,
    error: objects.error,
  }
}

/** None if no order has the reference, or the tenant has no shop. */
async function findOrder(reference: string): Promise<Choice[]> {
  try {
    const { status } = await answered(merchant.orders.get(reference))
    return [orderChoice(reference, status)]
  } catch (error) {
    if (error instanceof Problem && error.status > 0) return []
    throw error
  }
}
