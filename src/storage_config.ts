/** The store of uploaded files and the virus scanner: their part of the environment. */

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
  /** The virus scanner (clamd) that every file must pass; null means that there is none. */
  scanner: Readonly<{ host: string; port: number }> | null
}>

type ReadVariable = (name: string) => string | undefined

const REMEDY = 'leave it out for the folder DATA_DIR/files'

/** Adds a line to `faults` for every fault; none of them repeats a key. */
export function readStorage(variable: ReadVariable, faults: string[]): StorageConfig {
  return Object.freeze({ bucket: bucketOf(variable, faults), scanner: scannerOf(variable, faults) })
}

export function describeStorage({ bucket, scanner }: StorageConfig): [string, string][] {
  return [
    ['BLOB_STORE_URL', bucket ? bucket.url : '(DATA_DIR/files)'],
    ['CLAMD_ADDRESS', scanner ? `${scanner.host}:${scanner.port}` : '(none)'],
  ]
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

/** With CLAMD_REQUIRED the program does not start without a scanner. */
function scannerOf(variable: ReadVariable, faults: string[]): StorageConfig['scanner'] {
  const required = variable('CLAMD_REQUIRED') ?? 'false'
  if (required !== 'true' && required !== 'false') {
    faults.push('CLAMD_REQUIRED must be true or false: change it or leave it out for false')
  }
  const address = variable('CLAMD_ADDRESS')
  if (address === undefined) {
    if (required === 'true') {
      faults.push(
        'CLAMD_ADDRESS is missing and CLAMD_REQUIRED is true: name the virus scanner, as ' +
          '127.0.0.1:3310, or leave CLAMD_REQUIRED out',
      )
    }
    return null
  }
  const [, v6, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]{1,253})):(\d{1,5})$/i.exec(address) ?? []
  const host = v6 ?? name
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    faults.push('CLAMD_ADDRESS must be host:port, as 127.0.0.1:3310: change it or leave it out')
  }
  return Object.freeze({ host: host ?? '', port: Number(port) })
}
