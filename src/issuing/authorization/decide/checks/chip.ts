/**
 * The chip of a card: its cryptogram, its counter and the answer to it (D-50, D-106, D-445 to
 * D-448). Pure. Keys and inputs of cryptograms are in no finding.
 */

import { readCryptogram } from '#emv/cryptogram.ts'
import { type Script, type ScriptResult, scriptResults, templateOf } from '#emv/scripts.ts'
import { parseTlv, type Tlv, valuesByTag, writeTlv } from '#emv/tlv.ts'
import { de39Of } from '#iso8583/codes.ts'
import { afterAnswer, afterMessage, isReplay, requestedScripts } from '#issuing/chips/rules.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import type { CardKey, Proofs } from '#issuing/vault/vault.ts'
import type { Secret } from '#lib/secret.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../../schema.ts'
import type { Case } from '../case.ts'
import type { WorkingSet } from '../state/working_set.ts'
import type { ChipResult, RightChip } from './chip_result.ts'
import { isChip } from './entry_modes.ts'
import { declined, type Finding, NOT_VERIFIED, passed, unanswered } from './findings.ts'

type Tags = ReadonlyMap<string, Buffer>

const CRYPTOGRAM = '9F26'
const CRYPTOGRAM_INFORMATION = '9F27'
const SCRIPT_RESULTS = '9F5B'
const VERIFICATION_RESULTS = '95'

/** An identifier of the application and a sequence number (5F34) may come beside these. */
const MANDATORY = '9F26 9F27 9F10 9F36 9F37 95 9A 9C 9F02 9F03 9F1A 5F2A 82'.split(' ')

/** A sale at a distance is of a chip if it contains a cryptogram (DE22 09). */
export function isOfChip({ entry_mode, emv }: AuthorizationRequest): boolean {
  if (isChip({ entry_mode })) return true
  return entry_mode === 'ECOMMERCE' && emv !== undefined && mayHoldCryptogram(emv)
}

/** A DE55 that cannot be read counts as one with a cryptogram. */
function mayHoldCryptogram(emv: string): boolean {
  const parsed = parseTlv(Buffer.from(emv, 'hex'))
  return !parsed.ok || valuesByTag(parsed.items).has(CRYPTOGRAM)
}

/**
 * Whether the chip of a message is looked at: that of a payment. A credit proves nothing, and a
 * message with a fault of format is not read.
 */
export const hasChipToCheck = ({ request, kind }: Pick<Case, 'request' | 'kind'>): boolean =>
  isOfChip(request) && !request.format_fault && kind.direction !== 'credit'

/**
 * Looks at the chip of a message; undefined if there is none. Changes nothing: a right cryptogram
 * uses its counter when the message is decided, whatever else declines it (D-447).
 */
export function lookAtChip(workingSet: WorkingSet, input: Case): ChipResult | undefined {
  const { request, card, product, keys } = input
  if (!card || !hasChipToCheck(input)) return undefined
  // A merchant that raises a hold does not read the card again (D-236).
  if (input.raised && request.emv === undefined) return { finding: passed('raises a hold') }
  const pan = 'pan' in request.card ? request.card.pan : input.card_number
  if (!keys?.imk_ac || !pan) {
    const finding = product?.emv === 'WAIVED' ? passed('not verified') : declined1810('no keys')
    return { finding }
  }
  const read = readTags(request.emv)
  if (typeof read === 'string') return { finding: declined1810(read) }
  const id = input.token?.token_id ?? card.card_id
  const { imk_ac } = keys
  const { proofs } = input
  return verified(workingSet, { id, keys: { ...keys, imk_ac }, pan, request, tags: read, proofs })
}

const declined1810 = (detail: string): Finding => declined('1810', detail)

/** The tags of DE55 by name, or what is wrong with them. */
function readTags(emv: string | undefined): Tags | string {
  if (emv === undefined) return 'no DE55'
  const parsed = parseTlv(Buffer.from(emv, 'hex'))
  if (!parsed.ok) return `DE55 is malformed: ${parsed.fault}`
  const tags = valuesByTag(parsed.items)
  const missing = MANDATORY.find((tag) => !tags.has(tag))
  return missing === undefined ? tags : `tag ${missing} is missing`
}

type ReadChip = {
  id: string
  keys: KeySet & { imk_ac: CardKey }
  pan: Secret
  request: AuthorizationRequest
  tags: Tags
  proofs: Proofs
}

function verified(workingSet: WorkingSet, chipRead: ReadChip): ChipResult {
  const { id, keys, pan, request, tags, proofs } = chipRead
  const read = readCryptogram(tags, request.card_sequence)
  if (!read.ok) return { finding: declined1810(faults[read.fault]) }
  const { cryptogram } = read
  const proved = proofs.cryptogram({ imk_ac: keys.imk_ac, pan, cryptogram })
  if (proved === 'unproved') return { finding: passed(NOT_VERIFIED) }
  if (proved === 'fault') return { finding: unanswered }
  if (proved === 'wrong') {
    const { version, atc } = cryptogram
    return { finding: declined1810(`${version}, ATC ${atc}, wrong cryptogram`) }
  }
  const chip = workingSet.chips.of(id)
  const seen = `${cryptogram.version}, ATC ${cryptogram.atc}`
  const isAdvice = request.message_type === '0120'
  if (isReplay(chip, cryptogram.atc) && !isAdvice) {
    return { finding: declined1810(`${seen}, not above ${chip.atc}`) }
  }
  const results: ScriptResult[] = scriptResults(tags.get(SCRIPT_RESULTS) ?? Buffer.alloc(0))
  const used = afterMessage(chip, cryptogram.atc, results)
  const kind = isAdvice ? undefined : offline(tags)
  const finding =
    kind === undefined
      ? passed([seen, 'right', ...notes(tags)].join(', '))
      : declined1810(`${seen}, right, ${kind}`)
  return { finding, right: { id, used, cryptogram, keys, pan, proofs } }
}

const faults = {
  malformed: 'a tag has another length',
  unknown_version: 'unknown cryptogram version',
} as const

/**
 * The decision of the card itself, from the two high bits of its cryptogram information; undefined
 * for an ARQC, which asks for approval (D-448).
 */
function offline(tags: Tags): string | undefined {
  const kind = (tags.get(CRYPTOGRAM_INFORMATION)?.[0] ?? 0) >> 6
  if (kind === 0) return 'the card declined offline'
  return kind === 1 ? 'the card approved offline' : undefined
}

/** Terminal verification results that the trace shows: byte, bits, meaning. They decide nothing. */
const terminalResults: readonly (readonly [byte: number, bits: number, note: string])[] = [
  [0, 0x4c, 'offline data authentication failed'],
  [2, 0x80, 'cardholder verification failed'],
  [2, 0x20, 'too many offline PINs'],
  [4, 0x40, 'issuer authentication failed'],
  [4, 0x30, 'a script failed'],
]

const notes = (tags: Tags): string[] =>
  terminalResults.flatMap(([byte, bits, note]) =>
    ((tags.get(VERIFICATION_RESULTS)?.[byte] ?? 0) & bits) === 0 ? [] : [note],
  )

/** Card status update of method 2: whether the issuer approves the transaction (bit 8, byte 2). */
const APPROVED = Buffer.from('00800000', 'hex')
const DECLINED = Buffer.alloc(4)

type Answered = Pick<AuthorizationAnswer, 'status_code' | 'approved' | 'hints'>
type IssuerData = { emv: string; sent: readonly Script[] }

/**
 * DE55 of the answer to a request whose cryptogram is right: issuer authentication data (91) over
 * its DE39, and the scripts that the operator asked for (72). Undefined while the security module
 * has not made it.
 */
export function issuerDataOf(
  { used, cryptogram, keys, pan, proofs }: RightChip,
  { status_code, approved, hints }: Answered,
): IssuerData | undefined {
  const card_reason = hints.card_reason !== undefined && { card_reason: hints.card_reason }
  const marks = { advice: false, reversal: false, cvv2: hints.cvv2 === true, ...card_reason }
  const arc = Buffer.from(de39Of(status_code, marks), 'latin1')
  const csu = approved ? APPROVED : DECLINED
  const card = { imk_ac: keys.imk_ac, imk_smi: keys.imk_smi, pan, cryptogram }
  const value = proofs.issuerData({ ...card, answer: { arc, csu } })
  const sent: Script[] = []
  const templates: Tlv[] = []
  for (const script of requestedScripts(used)) {
    const mac = proofs.scriptMac({ ...card, script })
    if (!mac) continue
    templates.push(templateOf(script, mac))
    sent.push(script)
  }
  if (!value) return undefined
  const emv = writeTlv([{ tag: '91', value }, ...templates])
  return { emv: emv.toString('hex').toUpperCase(), sent }
}

/** Adds that DE55 to an answer, which counts its scripts as sent. */
export function withIssuerData(
  workingSet: WorkingSet,
  { right }: ChipResult,
  answer: AuthorizationAnswer,
): AuthorizationAnswer {
  const data = right && issuerDataOf(right, answer)
  if (!data) return answer
  const chip = workingSet.chips.of(right.id)
  if (data.sent.length > 0) workingSet.chips.set(afterAnswer(chip, data.sent))
  return { ...answer, emv: data.emv }
}
