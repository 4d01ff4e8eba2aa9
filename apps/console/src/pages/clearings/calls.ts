/** Reads of clearing files that the pages share. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { Clearing, ClearingRecord, ListPage } from '../../api/types.ts'
import { clearings } from '../../i18n/en/clearings.ts'

export type RecordState = ClearingRecord['state']
export const STATES: readonly RecordState[] = [
  ...(['WAITING', 'POSTED', 'BOOKED', 'SUSPENDED', 'SHOWN', 'RESOLVED'] as const),
]

/** How often a file is read while the program works on it. */
const POLL_MS = 2000

/** Until every record is decided. */
export const pollOf = ({ state }: Clearing): number | false =>
  state === 'CHECKING' || state === 'POSTING' ? POLL_MS : false

export function readFiles(after: string | undefined): Promise<ListPage<Clearing>> {
  const query = after === undefined ? {} : { after }
  return answered(issuing.operator.listClearings(query))
}

export const readFile = (id: string): Promise<Clearing> =>
  answered(issuing.operator.getClearing(id))

/** A record with the name of its row and of its file. */
export type RecordRow = ClearingRecord & { id: string; file_id: string; file: string | undefined }

type Range = { state: RecordState | undefined; after: string | undefined; limit?: number }

/** The number of the last record is the cursor. */
export async function readRecords(
  { id: file_id, file }: Pick<Clearing, 'id' | 'file'>,
  { state, after, limit }: Range,
): Promise<ListPage<RecordRow>> {
  const query = {
    ...(state && { state }),
    ...(after !== undefined && { after: Number(after) }),
    ...(limit !== undefined && { limit }),
  }
  const { data, has_more } = await answered(issuing.operator.listClearingRecords(file_id, query))
  const last = data.at(-1)
  return {
    data: data.map((record) => ({ ...record, id: `${file_id}/${record.number}`, file_id, file })),
    has_more,
    ...(last && { after: String(last.number) }),
  }
}

export const readRecord = (id: string, number: string): Promise<ClearingRecord> =>
  answered(issuing.operator.getClearingRecord(id, number))

export const countIn = ({ sums = [] }: Clearing, state: RecordState): number =>
  sums.filter((sum) => sum.state === state).reduce((all, { count }) => all + count, 0)

/** Files and records of a file in which the queue looks for what is in suspense. */
export const QUEUE_FILES = 50
export const QUEUE_RECORDS = 200

/** The records that wait for a person, the newest file first. */
export const queue = queryOptions({
  queryKey: ['clearings', 'queue'],
  queryFn: async () => {
    const query = { limit: QUEUE_FILES }
    const { data } = await answered(issuing.operator.listClearings(query))
    const files = data.filter((file) => countIn(file, 'SUSPENDED') > 0)
    const range = { state: 'SUSPENDED', after: undefined, limit: QUEUE_RECORDS } as const
    const pages = await Promise.all(files.map((file) => readRecords(file, range)))
    return {
      rows: pages.flatMap((page) => page.data),
      isCut: pages.some(({ has_more }) => has_more),
    }
  },
})

export type Reason = keyof typeof clearings.reasons
export const isReason = (name: string): name is Reason => Object.hasOwn(clearings.reasons, name)
export type Element = keyof typeof clearings.elements
export const isElement = (name: string): name is Element => Object.hasOwn(clearings.elements, name)
