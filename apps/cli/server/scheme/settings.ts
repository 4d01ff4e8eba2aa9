/**
 * The settings of `scheme`: those of the other end of a network of NETWORKS_FILE, and of its
 * options, which come first.
 */

import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { DialectName } from '#iso8583/dialects.ts'
import type { EnvelopeName } from '#iso8583/envelope.ts'
import type { Header } from '#iso8583/framing.ts'
import { type Address, addressOf } from '#kit/settings/shapes.ts'
import { type BlockKey, checkValueOf } from '#lib/ciphers.ts'
import { isCurrency, numericOf } from '#lib/currency.ts'
import { Secret } from '#lib/secret.ts'
import type { MacAlgorithm, MacMethod } from '#mac/mac.ts'
import { blockKeyOf, newKeyBytes, type SchemeKey } from '#sandbox/network_peer/keys.ts'
import type { LineSettings } from '#sandbox/network_peer/line.ts'
import { SchemeMessages } from '#sandbox/network_peer/messages.ts'
import type { SchemeOptions } from '#sandbox/network_peer/peer.ts'
import { type NamedNetwork, readNetworks } from '#src/config/networks.ts'
import { Fault, UsageFault } from '../../kit/faults.ts'
import { note } from '../../kit/print.ts'
import type { Json } from '../command.ts'

export type Given = Json & {
  networks?: string
  network?: string
  connect?: string
  listen?: string
  dialect?: DialectName
  header?: Header
  envelope?: EnvelopeName
  mac?: MacAlgorithm
  padding?: '1' | '2'
  zmk?: string
  zak?: string
  keyBlock?: boolean
  aes?: boolean
  card?: string
  pin?: string
  currency: string
  mcc: string
  wait: string
}

export type Settings = {
  /** Undefined: it listens. */
  connect: Address | undefined
  listen: number
  line: LineSettings
  zak: BlockKey | undefined
  zmk_file: string | undefined
  currency: string
  scheme: Omit<SchemeOptions, 'line'>
  /** Whether there is a payment that can be presented or reversed. */
  hasPayment: boolean
  /** Whether a key for PIN blocks may have been exchanged. */
  hasPinKey: boolean
}

const WAIT_MAX_S = 3_600
const PORT_MAX = 65_535
const ONLY_OWNER = 0o600
/** The longest number of a card, and the shortest. */
const CARD = /^[0-9]{12,19}$/
const PIN = /^[0-9]{4,12}$/

/** Throws a UsageFault for options that do not fit, a Fault for a file that cannot be used. */
export function settingsOf(given: Given): Settings {
  const network = networkOf(given)
  const { currency, mcc, card: pan = '' } = given
  if (!isCurrency(currency)) throw new UsageFault(`${currency} is no currency of ISO 4217`)
  if (pan !== '' && !CARD.test(pan)) {
    throw new UsageFault('--card has the 12 to 19 digits of a card number')
  }
  const { pin } = given
  if (pin !== undefined && !PIN.test(pin)) throw new UsageFault('--pin has 4 to 12 digits')
  if (!/^[0-9]{4}$/.test(mcc)) throw new UsageFault('--mcc has four digits')
  const wait_ms = secondsOf('--wait', given.wait) * 1_000
  const zmk_file = given.zmk ?? network?.zmk_file ?? undefined
  const method = methodOf(given, network)
  const ends = endsOf(given, network)
  const { dialect = network?.dialect ?? 'ascii', header = network?.header ?? 'binary2' } = given
  const { envelope = network?.envelope ?? 'none' } = given
  const sent = { zmk: zoneMasterKey(zmk_file), isBlock: given.keyBlock === true }
  return {
    ...ends,
    line: { dialect, header, envelope, method },
    zak:
      given.zak !== undefined && existsSync(given.zak) ? blockKeyOf(keyIn(given.zak)) : undefined,
    zmk_file,
    currency,
    scheme: {
      messages: new SchemeMessages(() => new Date(), randomInt(1_000_000)),
      ...{ sent, isAes: given.aes === true, wait_ms },
      sale: { pan, currency: numericOf(currency), mcc },
      pin: pin === undefined ? undefined : new Secret(pin),
      keep: (key) => keep(key, given),
    },
    hasPayment: false,
    hasPinKey: false,
  }
}

export function secondsOf(what: string, text: string): number {
  const seconds = Number(text)
  if (/^[0-9]+$/.test(text) && seconds <= WAIT_MAX_S) return seconds
  throw new UsageFault(`${what} needs a number of seconds from 0 to ${WAIT_MAX_S}`)
}

/** The network of the file; undefined without a file. */
function networkOf({ networks: file, network: name }: Given): NamedNetwork | undefined {
  if (file === undefined) return undefined
  const faults: string[] = []
  const usual = { dialect: 'ascii', header: 'binary2', port: 0, allow: null } as const
  const limits = { connections: 1, connections_per_address: 1 }
  const networks = readNetworks({ networks_file: file, network: { ...usual, ...limits } }, faults)
  if (!networks || faults.length > 0) throw new Fault(faults)
  const found = networks.filter((one) => name === undefined || one.name === name)
  const [network] = found
  if (network && found.length === 1) return network
  const names = networks.map((one) => one.name).join(', ')
  throw new UsageFault(`--network names one of the networks of the file: ${names}`)
}

function endsOf(
  { connect, listen }: Given,
  network: NamedNetwork | undefined,
): Pick<Settings, 'connect' | 'listen'> {
  if (connect !== undefined && listen !== undefined) {
    throw new UsageFault('scheme has --connect or --listen, not both')
  }
  if (connect !== undefined) {
    const address = addressOf(connect)
    if (!address) throw new UsageFault('--connect is HOST:PORT')
    return { connect: address, listen: 0 }
  }
  const port = Number(listen)
  if (listen !== undefined) {
    if (/^[0-9]+$/.test(listen) && port <= PORT_MAX) return { connect: undefined, listen: port }
    throw new UsageFault(`--listen is a port from 0 to ${PORT_MAX}`)
  }
  const [address] = network?.addresses ?? []
  if (!network || !address) {
    throw new UsageFault('scheme needs --networks FILE, --connect HOST:PORT or --listen PORT')
  }
  const isListening = network.role === 'listen'
  return { connect: isListening ? address : undefined, listen: address.port }
}

function methodOf({ mac, padding, aes }: Given, network?: NamedNetwork): MacMethod | null {
  const own = network?.mac?.method
  const algorithm = mac ?? own?.algorithm
  if (algorithm === undefined) return null
  if (aes && algorithm !== 'cmac') throw new UsageFault('--aes needs --mac cmac')
  if (padding === undefined) return { algorithm, padding: own?.padding ?? 2 }
  return { algorithm, padding: padding === '1' ? 1 : 2 }
}

/** The key of the file, which is made where there is none; without a file, one that nobody has. */
function zoneMasterKey(file: string | undefined): Secret<Buffer> {
  const isThere = file !== undefined && existsSync(file)
  const zmk = isThere ? keyIn(file) : new Secret(newKeyBytes(false))
  if (file === undefined) return zmk
  if (!isThere) writeKey(file, zmk)
  const made = isThere ? '' : ', which is new,'
  const value = checkValueOf(blockKeyOf(zmk))
  note(`the zone master key in ${nearest(file)}${made} has the check value ${value}`)
  return zmk
}

/** The path from here, if the file is below. */
function nearest(file: string): string {
  const path = relative('.', file)
  return path.startsWith('..') ? file : path
}

function keyIn(file: string): Secret<Buffer> {
  const text = readFileSync(file, 'latin1').trim()
  if (/^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48}|[0-9A-Fa-f]{64})$/.test(text)) {
    return new Secret(Buffer.from(text, 'hex'))
  }
  throw new Fault(`${file} has no key: 32, 48 or 64 hex digits`)
}

const writeKey = (file: string, key: Secret<Buffer>): void =>
  writeFileSync(file, `${key.reveal().toString('hex').toUpperCase()}\n`, { mode: ONLY_OWNER })

/** A key of codes is kept for the next run. */
function keep({ use, bytes }: SchemeKey, { zak: file }: Given): void {
  if (use === 'ZAK' && file !== undefined) writeKey(file, bytes)
}
