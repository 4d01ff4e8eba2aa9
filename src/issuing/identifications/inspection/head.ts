/** The first bytes of a file: a file of another kind is rejected before the rest has come. */

import type { Bytes } from '#kit/files/blobs.ts'
import { type Kind, kinds } from '../rules/kinds.ts'
import { beginsPdf } from '../rules/pdf/scan.ts'
import { FileFault } from './faults.ts'

/** The bytes that file-type examines; more than the first bytes of any kind. */
const HEAD_BYTES = 4100

/** The same bytes; throws FileFault where they do not begin as their kind does. */
export async function* beginning(kind: Kind, bytes: Bytes): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (!head) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD_BYTES) continue
      await assertHead(kind, head)
      yield head
      head = undefined
    }
  }
  if (head?.length === 0) throw new FileFault('is empty')
  if (head) {
    await assertHead(kind, head)
    yield head
  }
}

async function assertHead(kind: Kind, head: Buffer): Promise<void> {
  if (kind === 'pdf' && beginsPdf(head)) return
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head.subarray(0, HEAD_BYTES))
  if (kind !== 'pdf' && found && kinds[kind].first_bytes.includes(found.mime)) return
  throw new FileFault(`begins like ${found ? `.${found.ext}` : 'no known kind'}, not .${kind}`)
}
