/** Reads that several regions of the page of a transaction share. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'

export const traceOf = (id: string) =>
  queryOptions({
    queryKey: ['transactions', id, 'trace'],
    queryFn: () => answered(issuing.transactions.getTrace(id)),
  })

export const entriesOf = ({ id, modified }: Transaction) =>
  queryOptions({
    queryKey: ['transactions', id, 'entries', modified],
    queryFn: () => answered(issuing.transactions.listEntries(id)),
  })
