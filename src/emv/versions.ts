/** Cryptogram versions: which keys, data, padding and answer a card uses. iso8583.md, 5.7. */

import type { Derivation } from './keys.ts'

export const versionNames = [
  'VISA_CVN10',
  'VISA_CVN18',
  'VISA_CVN22',
  'MASTERCARD_CVN16',
  'MASTERCARD_CVN17',
  'MASTERCARD_CVN20',
  'MASTERCARD_CVN21',
] as const
export type VersionName = (typeof versionNames)[number]

export type Version = {
  derivation: Derivation
  /** None: the card's own key makes the cryptogram. */
  session: 'none' | 'common' | 'mastercard'
  /**
   * The pieces of the issuer application data (9F10) that end the data: [from, to) of each piece.
   */
  pieces: readonly (readonly [from: number, to: number])[]
  padding: 'zeros' | '80'
  /** Method and key of the answer. */
  arpc: 'method 1, card key' | 'method 1, session key' | 'method 2, session key'
  /** Session key of issuer scripts: by the counter (Visa), or by the request's cryptogram. */
  scripts: 'by counter' | 'by cryptogram'
}

const WHOLE = [0, 32] as const
const CVR = [2, 8] as const
const COUNTERS = [10, 18] as const

const visaCommon = {
  derivation: 'B',
  session: 'common',
  pieces: [WHOLE],
  padding: '80',
  arpc: 'method 2, session key',
  scripts: 'by counter',
} as const

const mastercardOwn = {
  derivation: 'A',
  session: 'mastercard',
  padding: '80',
  arpc: 'method 1, card key',
  scripts: 'by cryptogram',
} as const

const mastercardCommon = {
  derivation: 'A',
  session: 'common',
  padding: '80',
  arpc: 'method 1, session key',
  scripts: 'by cryptogram',
} as const

export const versions: Readonly<Record<VersionName, Version>> = {
  VISA_CVN10: {
    derivation: 'A',
    session: 'none',
    pieces: [[3, 7]],
    padding: 'zeros',
    arpc: 'method 1, card key',
    scripts: 'by counter',
  },
  VISA_CVN18: visaCommon,
  VISA_CVN22: visaCommon,
  MASTERCARD_CVN16: { ...mastercardOwn, pieces: [CVR] },
  MASTERCARD_CVN17: { ...mastercardOwn, pieces: [CVR, COUNTERS] },
  MASTERCARD_CVN20: { ...mastercardCommon, pieces: [CVR] },
  MASTERCARD_CVN21: { ...mastercardCommon, pieces: [CVR, COUNTERS] },
}

/** The version's number as it is in 9F10, by scheme. */
const visaNumbers: Record<number, VersionName> = { 10: 'VISA_CVN10', 18: 'VISA_CVN18' }
const mastercardNumbers: Record<number, VersionName> = {
  16: 'MASTERCARD_CVN16',
  17: 'MASTERCARD_CVN17',
  20: 'MASTERCARD_CVN20',
  21: 'MASTERCARD_CVN21',
}

/** The registered application provider, with which the application's name (84 or 4F) begins. */
const MASTERCARD = Buffer.from('a000000004', 'hex')

/**
 * The version that the issuer application data (9F10) names; undefined for an unknown one or
 * data too short for it. The layouts can be mistaken for each other only when a Mastercard key
 * index looks like a Visa length; the application's name, when there, then decides.
 */
export function versionOf(iad: Buffer, application?: Buffer): VersionName | undefined {
  if (iad.length > 32) return undefined
  const isMastercard = application?.subarray(0, 5).equals(MASTERCARD) ?? false
  return (isMastercard ? undefined : visaVersion(iad)) ?? mastercardVersion(iad)
}

/** Format 1 is `06 key-index version CVR(4)`, format 2 `1F version key-index CVR(5) …`. */
function visaVersion(iad: Buffer): VersionName | undefined {
  if (iad[0] === 0x1f) return iad[1] === 0x22 && iad.length === 32 ? 'VISA_CVN22' : undefined
  return iad[0] === 0x06 && iad.length >= 7 ? visaNumbers[iad[2] ?? 0] : undefined
}

/** `key-index version CVR(6) DAC(2) counters(8)`; the versions without counters may end early. */
function mastercardVersion(iad: Buffer): VersionName | undefined {
  const name = mastercardNumbers[iad[1] ?? 0]
  const needed = Math.max(0, ...(name ? versions[name].pieces.map(([, to]) => to) : []))
  return iad.length >= needed ? name : undefined
}
