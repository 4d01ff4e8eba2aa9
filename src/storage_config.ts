/** The store of uploaded files: its part of the environment. */

import { Secret } from '#lib/secret.ts'

/** A bucket of an S3-compatible service; `url` ends with the bucket's name. */
export type BucketAddress = Readonly<{
  url: string
  region: string
  access_key: string
  secret_key: Secret
}>

export type StorageConfig = Readonly<{
  /** Null means a folder in `data_dir` (D-28). */
  bucket: BucketAddress | null
}>

type ReadVariable = (name: string) => string | undefined

const REMEDY = 'leave it out for the folder DATA_DIR/files'

/** Adds a line to `faults` for every fault; none of them repeats a key. */
export function readStorage(variable: ReadVariable, faults: string[]): StorageConfig {
  return Object.freeze({ bucket: bucketOf(variable, faults) })
}

export function describeStorage({ bucket }: StorageConfig): [string, string][] {
  return [['BLOB_STORE_URL', bucket ? bucket.url : '(DATA_DIR/files)']]
}

function bucketOf(variable: ReadVariable, faults: string[]): BucketAddress | null {
  const address = variable('BLOB_STORE_URL')
  if (address === undefined) return null
  const url = URL.parse(address)
  const plain = url && !url.username && !url.password && !url.search && !url.hash
  if (
    !plain ||
    !/^https?:$/.test(url.protocol) ||
    !/^\/[a-z0-9][a-z0-9.-]+\/?$/.test(url.pathname)
  ) {
    faults.push(
      'BLOB_STORE_URL must be https://host/bucket without user, query or fragment: ' +
        `write the keys into BLOB_STORE_ACCESS_KEY and BLOB_STORE_SECRET_KEY, or ${REMEDY}`,
    )
  }
  const [access_key, secret_key] = ['BLOB_STORE_ACCESS_KEY', 'BLOB_STORE_SECRET_KEY'].map(
    (name) => {
      const value = variable(name)
      if (value === undefined) faults.push(`${name} is missing beside BLOB_STORE_URL: set it`)
      return value ?? ''
    },
  )
  return Object.freeze({
    url: address.replace(/\/$/, ''),
    region: variable('BLOB_STORE_REGION') ?? 'us-east-1',
    access_key: access_key ?? '',
    secret_key: new Secret(secret_key ?? ''),
  })
}
