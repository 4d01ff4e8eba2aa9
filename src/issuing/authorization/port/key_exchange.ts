/** Keys that come by messages of network management (D-1032). */

import type { Message } from '#iso8583/message.ts'
import type { Secret } from '#lib/secret.ts'
import { keyCodes, manage } from '../message/management.ts'
import type { NetworkProfile } from './profile.ts'
import { sentKeyOf } from './seal.ts'
import type { Wire } from './wire.ts'

const APPROVED = '00'
/** The key is none, or not of its check value. */
const WRONG_KEY = '81'

/** Answers an exchange once the key is a row, which all processes read. */
export async function exchangeKey(wire: Wire, message: Message): Promise<void> {
  const { answer } = manage(message, false)
  const sent = sentKeyOf(message.fields, wire.seal.isUsed)
  const isTaken = sent !== undefined && (await wire.profile.keys?.take(sent)) === true
  if (!isTaken) wire.fault('key')
  if (answer) answer.fields[39] = isTaken ? APPROVED : WRONG_KEY
  wire.send(answer, true, { answers: message })
}

/** The result of a request for a key: the key itself, a refusal, or that it will come. */
export async function receiveKey(wire: Wire, { fields }: Message): Promise<void> {
  const { keys } = wire.profile
  const use = fields[70] === keyCodes.zpk ? 'ZPK' : 'ZAK'
  const sent = sentKeyOf(fields, wire.seal.isUsed)
  const isRefused = fields[39] !== APPROVED
  if (!isRefused && sent === undefined) return
  if (!isRefused && sent && (await keys?.take(sent))) return
  wire.fault('key')
  await keys?.finish(use, 'FAILED')
}

/** Whether the network may send messages of this card. */
export const mayCome = ({ bins }: NetworkProfile, pan: Secret): boolean =>
  bins === null || bins.some((bin) => pan.reveal().startsWith(bin))
