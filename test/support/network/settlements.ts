/** Settlement files of an acquirer whose one capture the issuer does not know. */

import type { Db } from '#kit/db/database.ts'
import { addDays, formatDate } from '#lib/time.ts'
import { SettlementFile } from '#src/audit/settlement/file.ts'
import { importSettlement } from '#src/audit/settlement/import.ts'

export const FIRST_DAY = new Date('2001-01-01T12:00:00.000Z')
let days = 0

/** A day that no other file of this process has. */
const nextDay = () => addDays(FIRST_DAY, ++days)

/** Imports a file, for an example that of the first day; answers its id. */
export async function importFile(db: Db, day = nextDay()): Promise<string> {
  const file = new SettlementFile({ acquirer_id: '60400000001', date: formatDate(day) })
  const message = { rrn: 'ABCDEFGH0001', stan: '000001', transmitted: '0101120000' }
  const shop = { card_acceptor_id: '123456789012345', terminal_id: '12345678' }
  const records = file.records([
    {
      type: 'CAPTURE',
      ...message,
      approval_code: 'A1B2C3',
      ...shop,
      amount: 10_050n,
      currency: 'AED',
      time: day,
    },
  ])
  const bytes = Buffer.from(file.begin() + records + file.end())
  const { row } = await importSettlement(
    db,
    () => bytesOf(bytes),
    () => {},
  )
  return row.id
}

async function* bytesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
