/** A request for every operation of clearing files. */

import { SUSPENDED } from '../clearing/suspended.ts'
import { form } from '../files.ts'
import type { SampleOf, Samples } from './sample.ts'

const ALL = '/v1/operator/clearings'
const EXPORTS = '/v1/operator/clearingexports'
const RECORDS = `${ALL}/{id}/records`
const RECORD = `${RECORDS}/{number}`
const ofFile: SampleOf = ({ ids }) => ({ params: { id: ids.clearing } })
const ofRecord =
  (body?: Record<string, unknown>): SampleOf =>
  ({ ids }) => ({
    params: { id: ids.clearing, number: String(SUSPENDED) },
    ...(body && { body }),
  })

export const ofClearings: Samples = {
  // A file of the length 0 alone: it is rejected, and has nothing to post.
  [`POST ${ALL}`]: () => ({
    form: form({ name: 'file', value: Buffer.alloc(4), file_name: 'T112.bin' }),
  }),
  [`GET ${ALL}`]: () => ({}),
  [`GET ${ALL}/{id}`]: ofFile,
  [`GET ${RECORDS}`]: ofFile,
  [`GET ${RECORD}`]: ofRecord(),
  [`POST ${ALL}:export`]: ({ ids }) => ({ body: { tenant_id: ids.exporting } }),
  [`GET ${EXPORTS}`]: ({ ids }) => ({ params: { tenant_id: ids.exporting } }),
  [`GET ${EXPORTS}/{id}:download`]: ({ ids }) => ({
    params: { id: ids.clearing_export, tenant_id: ids.exporting },
  }),
  [`POST ${RECORD}:resolve`]: ofRecord({ action: 'RETURN', note: 'The network takes it back' }),
}
