/** An S3-compatible service of its own for a test: a real server (s3rver) on the loopback. */

import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The used part of the package, which has no types. */
type Server = {
  run: () => Promise<{ port: number }>
  close: () => Promise<void>
}
type ServerClass = new (options: object) => Server

const NAME = 'bezant-files'
/** The one account that s3rver knows. */
const KEY = 'S3RVER'

export type TestBucket = {
  url: string
  access_key: string
  secret_key: string
  /** The folder of its objects, to see what is left. */
  folder: string
  close: () => Promise<void>
}

export async function openBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'bezant-bucket-'))
  const S3rver: ServerClass = createRequire(import.meta.url)('s3rver')
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: NAME }],
  })
  const { port } = await server.run()
  return {
    url: `http://127.0.0.1:${port}/${NAME}`,
    access_key: KEY,
    secret_key: KEY,
    folder: join(directory, NAME),
    async close() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
