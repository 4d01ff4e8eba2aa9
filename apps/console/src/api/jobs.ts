/** The jobs of every process, for the pages that show them. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from './client.ts'

export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: () => answered(issuing.operator.listJobs()),
})
