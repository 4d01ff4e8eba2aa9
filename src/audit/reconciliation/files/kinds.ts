/** How a clearing file can differ from what was posted and booked of it (D-1044). */

export const fileKinds = {
  other_sum: 'The records of a file are not those of its trailer.',
  missing_posting: 'A record is posted, and its transaction has no presentment of a file.',
  missing_record: 'A transaction has a presentment of a file more than records.',
  other_posting: 'A record is posted with another amount.',
  missing_booking: 'A record is in suspense, resolved or a fee, and a booking of it is missing.',
  doubled_booking: 'A record is booked, or resolved, once more than it says.',
  other_booking: 'A record is booked with another amount than the network settles of it.',
  other_settlement:
    'The account SETTLEMENT moved another amount for a transaction of a file than it has cleared.',
  other_suspense: 'The account SUSPENSE has another amount than the records that wait there.',
} as const satisfies Record<string, string>
export type FileKind = keyof typeof fileKinds

/** Minor units of the currency. `tenant_id` is of the record, or the first one of the file. */
export type FileDifference = {
  kind: FileKind
  tenant_id: string
  file_id: string | undefined
  number: number | undefined
  transaction_id: string | undefined
  detail: string
}

/** The fates of records; `SHOWN` moves no money, and `WAITING` is not posted yet. */
export const fileParts = ['POSTED', 'FEES', 'SUSPENSE', 'RESOLVED', 'SHOWN', 'WAITING'] as const
export type FilePart = (typeof fileParts)[number]
export type PartSum = { count: number; amount: bigint }

/** The records of a file in one currency (DE49), of one tenant: their sum is that of its parts. */
export type FileSums = {
  tenant_id: string
  file_id: string
  file: string | undefined
  currency: string
  count: number
  amount: bigint
  parts: Record<FilePart, PartSum>
}
