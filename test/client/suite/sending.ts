/** A transport over a line that fails as a test wishes. */

import type { RequestOptions } from '#client/core/group.ts'
import {
  type Call,
  type ClientOptions,
  type Surroundings,
  Transport,
} from '#client/core/transport.ts'
import { errorClasses } from '#client/generated/errors.ts'
import type { LineAnswer } from '../given.ts'
import { openLine } from './line.ts'

export const KEY = 'x-bezant-idempotency-key'

/** The transport notes how long it would wait, and waits for nothing. */
export async function open(
  answers: readonly LineAnswer[],
  options: Partial<ClientOptions> = {},
  around: Partial<Surroundings> = {},
) {
  const waited: number[] = []
  const { baseUrl, received } = await openLine(answers)
  const transport = new Transport(
    { baseUrl, ...options },
    {
      prefix: '/v1',
      idempotencyHeader: KEY,
      errorClasses,
      credentials: () => ({ apikey: 'k' }),
      random: () => 0,
      wait: async (ms) => void waited.push(ms),
      ...around,
    },
  )
  const keys = async () => (await received()).map(({ headers }) => headers[KEY])
  /** How many requests have arrived. */
  const count = async () => (await received()).length
  return { transport, received, waited, keys, count }
}

type Sender = { transport: Transport }

const POST: Call = { body: { amount: 1 }, keyed: true }

export const post = ({ transport }: Sender, options?: RequestOptions) =>
  transport.send('POST', '/transfers', POST, options)
export const get = ({ transport }: Sender, options?: RequestOptions) =>
  transport.send('GET', '/cards', {}, options)
