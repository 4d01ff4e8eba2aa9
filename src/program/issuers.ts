/**
 * The issuers that merchants are sent to: the default one, and those of ISSUERS_FILE. The file and
 * its certificates are read again while the program runs, as certificates that are renewed (D-790).
 */

import { readFileSync, type Stats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Log } from '#kit/log.ts'
import type { OwnSockets } from '#kit/net/own_sockets.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import { IssuerLink, type IssuerOptions } from '#merchant/acquirer/acquirer.ts'
import { type Config, isOwnAddress } from '#src/config/config.ts'
import { type NamedIssuer, readIssuers } from '#src/config/issuers.ts'
import { type Dial, namedDial, usualDial } from '#src/config/tls.ts'

const LOOK_MS = 1_000

export type Issuers = {
  link: IssuerLink
  /** The issuers that a merchant may name now. */
  names: () => readonly string[]
  /** Uses the file if it, or a certificate of it, has changed; a faulty one stays unused. */
  look: () => Promise<void>
  /** Looks every second, if there is a file, until the stop. */
  start: () => void
  stop: () => void
}

type Parts = {
  /** Called when it is needed: ports may be known only once the program listens. */
  config: () => Config
  own: OwnSockets
  log: Log
  /** Real time. */
  time: () => Date
}

/** `stamp` changes with the entry and with its certificates. */
type Known = { stamp: string; options: IssuerOptions }

/** Throws a StartError of one line if a certificate cannot be used. */
export function openIssuers(parts: Parts): Issuers {
  const { config, own, log, time } = parts
  const { issuers, issuers_file: file } = config()
  const stamps = new Map(pathsOf(file, issuers).map((path) => [path, stampNow(path)]))
  const known = knownOf(issuers, stamps, parts)
  const usual = usualIssuer(config, usualDial(config(), own, time()), log)
  const link = new IssuerLink({ usual, named: optionsOf(known), log })
  const look = createLook({ ...parts, link, known })
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    timer = setTimeout(() => void look().finally(() => timer && later()), LOOK_MS)
    timer.unref()
  }
  return {
    link,
    names: () => link.names,
    look,
    start: () => file !== null && later(),
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** The default issuer. */
export function usualIssuer(config: () => Config, dial: Dial, log: Log): IssuerOptions {
  const { issuer_connections: connections, issuer_clearing: clearing, network } = config()
  const { dialect, header } = network
  const acs = config().issuer_acs ?? undefined
  const isOwn = () => isOwnAddress(config())
  const address = () => config().issuer_address
  return { address, dial, dialect, header, log, connections, acs, clearing, isOwn }
}

type Looking = Parts & {
  link: IssuerLink
  /** The issuers that were read at the start. */
  known: ReadonlyMap<string, Known>
}

function createLook({ link, ...parts }: Looking): () => Promise<void> {
  const { config, log } = parts
  let { known } = parts
  let [read, reported] = [config().issuers, '']
  // The first look reads: much time may have passed since the configuration was read.
  let stamps: ReadonlyMap<string, string> = new Map()
  return async () => {
    const { issuers_file: file } = config()
    const present = await stampsOf(pathsOf(file, read))
    // A file that cannot be used may become usable with time alone.
    if (reported === '' && isSame(stamps, present)) return
    try {
      read = readAgain(config())
      stamps = await stampsOf(pathsOf(file, read))
      const next = knownOf(read, stamps, parts, known)
      const changes = changesBetween(known, next)
      known = next
      reported = ''
      if (Object.values(changes).every((names) => names.length === 0)) return
      link.use(optionsOf(next))
      log.info(changes, 'ISSUERS_FILE was read again and is in use')
    } catch (error) {
      const reason = lineOf(error)
      if (reason !== reported) {
        log.warn({ reason }, 'ISSUERS_FILE was not replaced: the issuers before stay in use')
      }
      reported = reason
    }
  }
}

/** Throws a StartError that names every fault. */
function readAgain(config: Config): ReadonlyMap<string, NamedIssuer> {
  const faults: string[] = []
  const issuers = readIssuers(config, faults)
  if (faults.length > 0) throw new StartError(faults.join('; '))
  return issuers
}

/** An unchanged issuer keeps its options, and so its connections. */
function knownOf(
  issuers: ReadonlyMap<string, NamedIssuer>,
  stamps: ReadonlyMap<string, string>,
  { time, log }: Pick<Parts, 'time' | 'log'>,
  before: ReadonlyMap<string, Known> = new Map(),
): Map<string, Known> {
  return new Map(
    [...issuers].map(([name, issuer]) => {
      const files = filesOf(issuer).map((path) => stamps.get(path))
      const stamp = JSON.stringify([issuer, files])
      const same = before.get(name)
      if (same?.stamp === stamp) return [name, same]
      const { address, tls: _tls, name: _name, ...form } = issuer
      const dial = namedDial(issuer, time())
      const acs = acsOf(issuer)
      const options = { ...form, address: () => address, dial, log, acs }
      return [name, { stamp, options }]
    }),
  )
}

/** Throws a StartError of one line if the file of the key cannot be used. */
function acsOf({ name, acs }: NamedIssuer): IssuerOptions['acs'] {
  if (acs === null) return undefined
  const key = new Secret(textOf(name, acs.key_file).trim())
  if (key.reveal() !== '') return { url: acs.url, key }
  throw new StartError(`ISSUERS_FILE ${name} key_file is empty: write the key of its server there`)
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = codeOf(error) ?? lineOf(error)
    throw new StartError(`ISSUERS_FILE ${name} key_file (${path}) cannot be read (${reason})`)
  }
}

const optionsOf = (known: ReadonlyMap<string, Known>): Map<string, IssuerOptions> =>
  new Map([...known].map(([name, { options }]) => [name, options]))

/** Names, as the log has them. */
function changesBetween(before: ReadonlyMap<string, Known>, next: ReadonlyMap<string, Known>) {
  const names = [...next.keys()]
  return {
    added: names.filter((name) => !before.has(name)),
    changed: names.filter((name) => before.has(name) && before.get(name) !== next.get(name)),
    removed: [...before.keys()].filter((name) => !next.has(name)),
  }
}

const pathsOf = (file: string | null, issuers: ReadonlyMap<string, NamedIssuer>): string[] =>
  file === null ? [] : [file, ...[...issuers.values()].flatMap(filesOf)]

const filesOf = ({ tls, acs }: NamedIssuer): string[] => [
  ...(tls ? [tls.ca, ...(tls.own ? [tls.own.cert, tls.own.key] : [])] : []),
  ...(acs ? [acs.key_file] : []),
]

/** Differs once a file was written, replaced or removed. */
const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`

const NO_FILE = 'none'

function stampNow(path: string): string {
  try {
    return stampOf(statSync(path))
  } catch {
    return NO_FILE
  }
}

async function stampsOf(paths: readonly string[]): Promise<Map<string, string>> {
  const stamps = paths.map(
    async (path) => [path, await stat(path).then(stampOf, () => NO_FILE)] as const,
  )
  return new Map(await Promise.all(stamps))
}

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, stamp]) => other.get(path) === stamp)
