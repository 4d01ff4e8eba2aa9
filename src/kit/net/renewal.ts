/**
 * Reads the files of a certificate again while the program runs (D-145, D-550). They are read every
 * second, because a watch of the file system misses files that are replaced by links or mounts.
 */

import { readFile } from 'node:fs/promises'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'
import { lineOf } from '#kit/start_error.ts'
import {
  checkPair,
  labelOf,
  type NamedFile,
  type Pair,
  type PairContents,
  type PairFiles,
  secondOf,
  unreadable,
} from './certificates.ts'

const LOOK_MS = 1_000
const DAY_MS = 86_400_000
/** The days before its end at which a certificate is reported; 0 is its end. */
const WARNINGS = [0, 7, 30]

export type Renewal = {
  files: PairFiles
  /** The pair in use. */
  pair: Pair
  log: Log
  /** Real time. */
  time: () => Date
  /** Uses another pair for connections to come. */
  use: (pair: Pair) => void
  /** Shorter in tests only. */
  look_ms?: number
}

/**
 * Looks until the returned function is called. A pair that cannot be used is reported once, and the
 * one before stays in use: the files of a renewal may be written one after another.
 */
export function watchPair({ look_ms = LOOK_MS, ...renewal }: Renewal): () => void {
  let isStopped = false
  const look = createLook(renewal, () => isStopped)
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    if (isStopped) return
    timer = setTimeout(() => void look().finally(later), look_ms)
    timer.unref()
  }
  void look().finally(later)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

function createLook(
  { files, pair, log, time, use }: Omit<Renewal, 'look_ms'>,
  isStopped: () => boolean,
): () => Promise<void> {
  const label = labelOf(files.cert)
  let current = pair
  let [reported, warned] = ['', Number.POSITIVE_INFINITY]
  return async () => {
    try {
      const contents = await readContents(files)
      if (isStopped()) return
      if (!isSame(contents, current)) {
        const next = checkPair(files, contents, time())
        use(next)
        current = next
        warned = Number.POSITIVE_INFINITY
        log.info({ ends: current.ends }, `${label} was read again and is in use`)
      }
      reported = ''
    } catch (error) {
      const reason = lineOf(error)
      if (reason !== reported) {
        log.warn({ reason }, `${label} was not replaced: the certificate before stays in use`)
      }
      reported = reason
    }
    metrics.certificateEnd.set({ variable: files.cert.name }, current.ends.getTime() / 1000)
    const stage = stageOf(current.ends, time())
    if (stage < warned) warnOfEnd(log, label, current.ends, stage)
    warned = Math.min(warned, stage)
  }
}

/** The least of WARNINGS that has been reached; infinite if none has. */
function stageOf(ends: Date, now: Date): number {
  const days = (ends.getTime() - now.getTime()) / DAY_MS
  return WARNINGS.find((least) => days <= least) ?? Number.POSITIVE_INFINITY
}

function warnOfEnd(log: Log, label: string, ends: Date, stage: number): void {
  if (stage === 0)
    log.error({ ends }, `${label} has expired: clients reject it until it is renewed`)
  else log.warn({ ends }, `${label} expires on ${secondOf(ends)}: renew it`)
}

async function readContents({ cert, key, ca }: PairFiles): Promise<PairContents> {
  const read = (file: NamedFile) =>
    readFile(file.path).catch((error: unknown) => {
      throw unreadable(file, error)
    })
  const [cert_pem, key_pem, ca_pem] = await Promise.all([read(cert), read(key), ca && read(ca)])
  return { cert: cert_pem, key: key_pem, ca: ca_pem }
}

const isSame = (one: PairContents, other: PairContents): boolean =>
  one.cert.equals(other.cert) &&
  one.key.equals(other.key) &&
  (one.ca === null || (other.ca?.equals(one.ca) ?? false))
