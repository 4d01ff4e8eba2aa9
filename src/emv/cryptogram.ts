/** Checks a card's request cryptogram (ARQC) and makes the issuer's answer to it (ARPC). */

import { padded, paddedWithZeros, retailMac, type TdesKey, xor } from '#lib/ciphers.ts'
import { isSameBytes } from '#lib/digest.ts'
import type { Secret } from '#lib/secret.ts'
import { cardKey, commonSessionKey, mastercardSessionKey } from './keys.ts'
import { type Version, type VersionName, versionOf, versions } from './versions.ts'

/** The card as the issuer knows it. `psn` is used when the message has no 5F34. */
export type ChipCard = { imk_ac: TdesKey; pan: Secret; psn?: string }

/** A cryptogram as it was read, with all that it is checked with beside the key. */
export type ReadCryptogram = {
  version: VersionName
  /** Application transaction counter: a repeated or lower one is a replay. */
  atc: number
  arqc: Buffer
  /** Sequence number of the card, two digits. */
  psn: string
  /** The unpredictable number (9F37), four bytes. */
  unpredictable: Buffer
  /** The input data, before padding. */
  data: Buffer
}

/** A valid cryptogram, with the inputs of its answer. */
export type Cryptogram = ReadCryptogram & { arpc_key: TdesKey }

type Faulty<Fault> = { ok: false; fault: Fault }
export type Readable =
  | { ok: true; cryptogram: ReadCryptogram }
  | Faulty<'malformed' | 'unknown_version'>
export type CheckedCryptogram =
  | { ok: true; cryptogram: Cryptogram }
  | Faulty<'malformed' | 'unknown_version' | 'wrong'>

/** The issuer's answer to the card: a response code, or status and proprietary data (method 2). */
export type IssuerAnswer = {
  /** Two bytes, mostly DE39 in ASCII. Method 1. */
  arc: Buffer
  /** Card status update, four bytes, and up to eight bytes of proprietary data. Method 2. */
  csu: Buffer
  proprietary?: Buffer
}

/** Tag and bytes, in the order in which they enter the cryptogram. */
const FIELDS = [
  ['9F02', 6],
  ['9F03', 6],
  ['9F1A', 2],
  ['95', 5],
  ['5F2A', 2],
  ['9A', 3],
  ['9C', 1],
  ['9F37', 4],
  ['82', 2],
  ['9F36', 2],
] as const

/**
 * Reads a cryptogram without its key. `tags` are the values of data element 55 by tag; malformed
 * ones make a fault, never a throw. `ownPsn` is used when the message has no 5F34.
 */
export function readCryptogram(tags: ReadonlyMap<string, Buffer>, ownPsn?: string): Readable {
  const arqc = tags.get('9F26')
  const iad = tags.get('9F10')
  const psn = tags.get('5F34')?.toString('hex') ?? ownPsn ?? '00'
  const isWhole = FIELDS.every(([tag, bytes]) => tags.get(tag)?.length === bytes)
  if (!isWhole || arqc?.length !== 8 || !iad || !/^[0-9]{2}$/.test(psn)) return fail('malformed')

  const version = versionOf(iad, tags.get('84') ?? tags.get('4F'))
  if (version === undefined) return fail('unknown_version')
  const data = cryptogramData(versions[version], tags, iad)
  const atc = fieldOf(tags, '9F36').readUInt16BE(0)
  const unpredictable = fieldOf(tags, '9F37')
  return { ok: true, cryptogram: { version, atc, arqc, psn, unpredictable, data } }
}

/** The key that answers a cryptogram; undefined if the cryptogram is not that of the card. */
export function arpcKeyOf(
  { imk_ac, pan }: Pick<ChipCard, 'imk_ac' | 'pan'>,
  read: ReadCryptogram,
): TdesKey | undefined {
  const version = versions[read.version]
  const own = cardKey(imk_ac, version.derivation, pan, read.psn)
  const session = sessionKeyOf(version, own, read)
  if (!isSameBytes(cryptogramOf(version, session, read.data), read.arqc)) return undefined
  return version.arpc === 'method 1, card key' ? own : session
}

/** As `readCryptogram`, and checks the cryptogram under the key of the card. */
export function checkArqc(card: ChipCard, tags: ReadonlyMap<string, Buffer>): CheckedCryptogram {
  const read = readCryptogram(tags, card.psn)
  if (!read.ok) return read
  const arpc_key = arpcKeyOf(card, read.cryptogram)
  return arpc_key ? { ok: true, cryptogram: { ...read.cryptogram, arpc_key } } : fail('wrong')
}

/**
 * The cryptogram that a card makes of these tags, eight bytes: for simulated cards. Throws a
 * TypeError if one is missing or 9F10 names no known version.
 */
export function makeCryptogram(
  { imk_ac, pan, psn = '00' }: ChipCard,
  tags: ReadonlyMap<string, Buffer>,
): Buffer {
  const iad = fieldOf(tags, '9F10')
  const name = versionOf(iad, tags.get('84'))
  if (name === undefined) throw new TypeError('9F10 names no known version')
  const version = versions[name]
  const own = cardKey(imk_ac, version.derivation, pan, psn)
  const atc = fieldOf(tags, '9F36').readUInt16BE(0)
  const unpredictable = fieldOf(tags, '9F37')
  const session = sessionKeyOf(version, own, { atc, unpredictable })
  return cryptogramOf(version, session, cryptogramData(version, tags, iad))
}

/** The input data of the cryptogram, before padding. */
export function cryptogramData(
  version: Version,
  tags: ReadonlyMap<string, Buffer>,
  iad: Buffer,
): Buffer {
  const fields = FIELDS.map(([tag]) => fieldOf(tags, tag))
  return Buffer.concat([...fields, ...version.pieces.map(([from, to]) => iad.subarray(from, to))])
}

type Answerable = Pick<Cryptogram, 'arqc' | 'arpc_key' | 'version'>

/** Issuer authentication data, the value of tag 91: the ARPC and the data that it authenticates. */
export function issuerAuthentication(cryptogram: Answerable, answer: IssuerAnswer): Buffer {
  const { arqc, arpc_key: key, version } = cryptogram
  if (versions[version].arpc !== 'method 2, session key') {
    return Buffer.concat([arpcMethod1(key, arqc, answer.arc), answer.arc])
  }
  const proprietary = answer.proprietary ?? Buffer.alloc(0)
  const arpc = arpcMethod2(key, arqc, answer.csu, proprietary)
  return Buffer.concat([arpc, answer.csu, proprietary])
}

/** Eight bytes. `arc` has two. */
export function arpcMethod1(key: TdesKey, arqc: Buffer, arc: Buffer): Buffer {
  if (arqc.length !== 8 || arc.length !== 2) throw new RangeError('ARPC method 1 needs 8 and 2')
  return key.encrypt(xor(arqc, Buffer.concat([arc], 8)))
}

/** Four bytes. `csu` has four, `proprietary` up to eight. */
export function arpcMethod2(key: TdesKey, arqc: Buffer, csu: Buffer, proprietary: Buffer): Buffer {
  if (arqc.length !== 8 || csu.length !== 4 || proprietary.length > 8) {
    throw new RangeError('ARPC method 2 needs 8, 4 and up to 8 bytes')
  }
  return retailMac(key, padded(Buffer.concat([arqc, csu, proprietary]), 8)).subarray(0, 4)
}

/** The cryptogram that the card should have made: eight bytes. */
function cryptogramOf(version: Version, key: TdesKey, data: Buffer): Buffer {
  return retailMac(key, version.padding === 'zeros' ? paddedWithZeros(data, 8) : padded(data, 8))
}

function sessionKeyOf(
  version: Version,
  own: TdesKey,
  { atc, unpredictable }: Pick<ReadCryptogram, 'atc' | 'unpredictable'>,
): TdesKey {
  if (version.session === 'none') return own
  const counter = counterBytes(atc)
  if (version.session === 'common') return commonSessionKey(own, counter)
  return mastercardSessionKey(own, counter, unpredictable)
}

/** The application transaction counter in its two bytes. */
export function counterBytes(atc: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(atc)
  return bytes
}

function fieldOf(tags: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const value = tags.get(tag)
  if (value === undefined) throw new TypeError(`tag ${tag} is missing`)
  return value
}

const fail = <Fault extends string>(fault: Fault): Faulty<Fault> => ({ ok: false, fault })
