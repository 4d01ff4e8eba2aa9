/** Writes the file of each day, and gives it to this program where that is its issuer (D-1047). */

import { type Context, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { IssuerLink } from '../link.ts'
import {
  claimDueFile,
  type FileRow,
  filesDue,
  hasEarlierFile,
  presentmentsDue,
  updateFileDue,
} from './store.ts'
import { bytesOf, writeDueFile } from './writing.ts'

/** How an issuer in this program takes a file in: true once all of it is posted. */
export type TakeIn = (
  ctx: Context,
  file: Pick<FileRow, 'file' | 'digest'>,
  bytes: AsyncIterable<Buffer>,
) => Promise<boolean>

/** A process that has a file in hand is given up after so long; an import of it changes nothing. */
const CLAIM_MS = 60_000
/** Between two looks whether all of a file is posted. */
const LOOK_MS = 1_000

export const fileSweeps = (link: IssuerLink, takeIn: TakeIn): Sweep[] => [
  {
    ...presentmentsDue,
    run: async (ctx) => ({ more: await writeDueFile(ctx, link) }),
  },
  { ...filesDue, run: (ctx) => importDueFile(ctx, takeIn) },
]

async function importDueFile(ctx: Context, takeIn: TakeIn): Promise<{ more: boolean }> {
  const held_until = new Date(ctx.now.getTime() + CLAIM_MS)
  const claimed = await transact(ctx, async (tx) => {
    const row = await claimDueFile(tx, held_until)
    return row && { row, isEarly: await hasEarlierFile(tx, row) }
  })
  if (!claimed) return { more: false }
  const { row, isEarly } = claimed
  const later = new Date(ctx.now.getTime() + LOOK_MS)
  // A refund may be in it whose capture is in one before (D-1252).
  if (isEarly) {
    await transact(ctx, (tx) => updateFileDue(tx, row.id, later))
    return { more: true }
  }
  const isPosted = await takeIn(ctx, row, bytesOf(ctx, row))
  const again = isPosted ? null : later
  await transact(ctx, (tx) => updateFileDue(tx, row.id, again))
  return { more: true }
}
