/** Records the messages that simulated requests and their answers stand for (D-621). */

import type { DialectName } from '#iso8583/dialects.ts'
import { encode, type Message } from '#iso8583/message.ts'
import { toAnswer } from '#issuing/authorization/authorization.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { findCard } from '#issuing/cards/cards.ts'
import type { Transaction } from '#issuing/transactions/schema.ts'
import type { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import type { Context } from '#kit/context.ts'
import type { Log } from '#kit/log.ts'
import { messageOf } from './wire.ts'

export type WireRecorder = { wire: WireLog; dialect: DialectName; log: Log }

type Simulation = {
  request: AuthorizationRequest
  answer: AuthorizationAnswer
  transaction: Transaction
  /** Monotonic, milliseconds. */
  since: number
}

/** Never rejects: a decision is answered, whether it is recorded or not. */
export async function recordSimulation(
  ctx: Context,
  { wire, dialect, log }: WireRecorder,
  { request, answer, transaction, since }: Simulation,
): Promise<void> {
  try {
    const onWire = (message: Message, at: number) => ({
      message,
      at,
      bytes: encode(message, dialect).length,
    })
    const message = messageOf(request, await numberOf(ctx, request), transaction)
    const response = toAnswer(message, request, answer)
    wire.put(ctx.tenant_id, {
      transaction_id: transaction.id,
      source: 'SIMULATED',
      whole: true,
      received: onWire(message, since),
      sent: response && onWire(response, performance.now()),
    })
  } catch (err) {
    log.warn({ err }, 'a simulated message was not recorded')
  }
}

const UNKNOWN_NUMBER = '0'.repeat(16)

/**
 * The number of the request; if it names the card by its id, zeros in place of the masked digits.
 */
async function numberOf(ctx: Context, { card }: AuthorizationRequest): Promise<string> {
  if ('pan' in card) return card.pan.reveal()
  const found = await findCard(ctx, card.card_id).catch(() => undefined)
  return found ? `${found.bin.slice(0, 6)}000000${found.last_four}` : UNKNOWN_NUMBER
}
