/** Keys that come by messages of network management (D-1032). */

import type { Message } from '#iso8583/message.ts'
import type { Secret } from '#lib/secret.ts'
import { isKeyExchange, isManagement, keyCodes, manage } from '../message/management.ts'
import type { AuthorizationRequest } from '../schema.ts'
import type { NetworkProfile } from './profile.ts'
import { sentKeyOf } from './seal.ts'
import type { Wire } from './wire.ts'

const APPROVED = '00'
/** The key is none, or not of its check value. */
const WRONG_KEY = '81'

/** A message with a key, which the network has to know (D-1032). */
export const bringsKey = (message: Message, { keys }: NetworkProfile): boolean =>
  isManagement(message) && isKeyExchange(message) && keys !== null

/** Answers an exchange once the key is a row, which all processes read; whether it was taken. */
export async function exchangeKey(wire: Wire, message: Message): Promise<boolean> {
  const { answer } = manage(message, false)
  const sent = sentKeyOf(message.fields, wire.seal.isUsed)
  const isTaken = sent !== undefined && (await wire.profile.keys?.take(sent)) === true
  if (!isTaken) wire.fault('key')
  if (answer) answer.fields[39] = isTaken ? APPROVED : WRONG_KEY
  wire.send(answer, true, { answers: message })
  return isTaken
}

/** The result of a request for a key: the key itself, a refusal, or that it will come. */
export async function receiveKey(wire: Wire, { fields }: Message): Promise<boolean> {
  const { keys } = wire.profile
  const use = fields[70] === keyCodes.zpk ? 'ZPK' : 'ZAK'
  const sent = sentKeyOf(fields, wire.seal.isUsed)
  const isRefused = fields[39] !== APPROVED
  if (!isRefused && sent === undefined) return false
  if (!isRefused && sent && (await keys?.take(sent))) return true
  wire.fault('key')
  await keys?.finish(use, 'FAILED')
  return false
}

/** Whether the network may send messages of this card. */
export const mayCome = ({ bins }: NetworkProfile, pan: Secret): boolean =>
  bins === null || bins.some((bin) => pan.reveal().startsWith(bin))

/**
 * The keys that a PIN block of the network may be under, if it has its own. A key that another
 * process has just taken is known, so that no PIN is wrong for want of it.
 */
export async function addPinKeys(
  { keys }: NetworkProfile,
  request: AuthorizationRequest,
): Promise<void> {
  if (keys === null || request.pin_block === undefined) return
  await keys.read()
  request.pin_keys = keys.zpks(request.pin_block.reveal().length)
}
