import { useMay } from '../../api/session.ts'
import { Awaiting } from './awaiting.tsx'
import { Queue } from './queue.tsx'

/** The queue of all tenants for compliance of the operator, of one for its own members. */
export function Reviews() {
  const may = useMay()
  return may('listReviews') ? <Queue /> : <Awaiting />
}
