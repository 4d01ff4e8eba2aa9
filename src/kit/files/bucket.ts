/** Blobs in a bucket of an S3-compatible service (D-28). */

import { S3mini } from 's3mini'
import { type BlobStore, BlobStoreUnavailable, type Bytes } from './blobs.ts'

/** The memory of one upload; S3 accepts no smaller part except the last. */
const PART_BYTES = 8 * 1024 * 1024
/** No call may outlive the request that it serves. */
const CALL_TIMEOUT_MS = 120_000

type Bucket = { url: string; region: string; access_key: string; secret_key: string }

/** Small blobs are put in one call, larger ones in parts that the service joins at the end. */
export function bucketStore({ url, region, access_key, secret_key }: Bucket): BlobStore {
  const s3 = new S3mini({
    endpoint: url,
    region,
    accessKeyId: access_key,
    secretAccessKey: secret_key,
    requestAbortTimeout: CALL_TIMEOUT_MS,
  })
  return {
    async put(key, bytes) {
      const parts = inParts(bytes)
      const first = await parts.next()
      const second = await parts.next()
      if (second.done) {
        await asStore(s3.putObject(key, first.done ? Buffer.alloc(0) : first.value))
        return
      }
      if (first.done) return
      await putInParts(s3, key, [first.value, second.value], parts)
    },
    async *get(key, { start, end }) {
      if (end <= start) return
      const { body } = await asStore(s3.getObjectRaw(key, false, start, end))
      if (!body) throw new BlobStoreUnavailable(new Error('the answer has no body'))
      try {
        for await (const chunk of body) yield Buffer.from(chunk)
      } catch (error) {
        throw new BlobStoreUnavailable(error)
      }
    },
    async remove(key) {
      await asStore(s3.deleteObject(key))
    },
  }
}

async function putInParts(
  s3: S3mini,
  key: string,
  begun: Buffer[],
  rest: AsyncGenerator<Buffer>,
): Promise<void> {
  const upload = await asStore(s3.getMultipartUploadId(key))
  const sent: { partNumber: number; etag: string }[] = []
  const send = async (part: Buffer) => {
    sent.push(await asStore(s3.uploadPart(key, upload, part, sent.length + 1)))
  }
  try {
    // Each part is released once it is sent.
    for (let part = begun.shift(); part; part = begun.shift()) await send(part)
    for await (const part of rest) await send(part)
    await asStore(s3.completeMultipartUpload(key, upload, sent))
  } catch (error) {
    // If this fails too, a lifecycle rule of the bucket removes the parts.
    await s3.abortMultipartUpload(key, upload).catch(() => {})
    throw error
  }
}

async function* inParts(bytes: Bytes): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(chunks)
}

async function asStore<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw new BlobStoreUnavailable(error)
  }
}
