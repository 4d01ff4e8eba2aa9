/** The merchant API: every operation of its document as a typed function. */

import { type ClientOptions, Transport } from './core/transport.ts'
import { errorClasses } from './generated/errors.ts'
import { api, Groups } from './generated/merchant/api.ts'
import { sentences } from './generated/merchant/sentences.ts'

export type MerchantOptions = ClientOptions & {
  /** The keys of the merchant, from which a token is made when one is needed. */
  keys?: { public_key: string; private_key: string } | undefined
  /** A token that the program has already. */
  token?: string | undefined
}

/**
 * The merchant API by the keys of one merchant. Tokens live for minutes: a call that is answered
 * 401 gets a new one and is sent again, once.
 */
export class BezantMerchant extends Groups {
  constructor(options: MerchantOptions) {
    const { keys, token } = options
    if (keys === undefined && token === undefined) throw new TypeError('keys are missing')
    const around = { ...api, errorClasses, codeOf }
    const open = new Groups(new Transport(options, { ...around, credentials: () => ({}) }))
    let current = token === undefined ? undefined : Promise.resolve(token)
    const renew = async () => {
      if (!keys) throw new TypeError('keys are missing')
      const { public_key, private_key } = keys
      return (await open.authentication.createMerchantToken({ public_key, private_key })).token
    }
    const credentials = async (isRenewed: boolean) => {
      if (isRenewed || !current) current = renew()
      const asked = current
      // What failed is asked for again by the next call.
      asked.catch(() => {
        if (current === asked) current = undefined
      })
      return { authorization: `Bearer ${await asked}` }
    }
    super(new Transport(options, { ...around, credentials, canRenew: keys !== undefined }))
  }
}

/** Answers of this API have no code; its sentences are those of the codes. */
function codeOf(status: number, detail: string): string | undefined {
  if (status === 400) return 'validation_failed'
  return sentences.find(([of, , sentence]) => of === status && detail.startsWith(sentence))?.[1]
}

export * from './core/errors.ts'
export type { RequestOptions } from './core/group.ts'
export { List, type Page } from './core/lists.ts'
export type { ClientOptions } from './core/transport.ts'
export * from './generated/errors.ts'
export type * from './generated/merchant/types.ts'
