/** The merchant API: every operation of its document as a typed function. */

import { merchantCodeOf } from './core/merchant_codes.ts'
import { type ClientOptions, type Credentials, Transport } from './core/transport.ts'
import { errorClasses } from './generated/errors.ts'
import { api, Groups } from './generated/merchant/api.ts'

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
    const around = { ...api, errorClasses, codeOf: merchantCodeOf }
    const open = new Groups(new Transport(options, { ...around, credentials: () => ({}) }))
    let current = token === undefined ? undefined : Promise.resolve(headersOf(token))
    const renew = async (): Promise<Credentials> => {
      if (!keys) throw new TypeError('keys are missing')
      const { public_key, private_key } = keys
      const made = await open.authentication.createMerchantToken({ public_key, private_key })
      return headersOf(made.token)
    }
    const credentials = async (stale: Credentials | undefined): Promise<Credentials> => {
      const known = current
      // A token that another call has renewed meanwhile is used.
      const isStale = stale !== undefined && known !== undefined && (await known) === stale
      if (!current || (isStale && current === known)) current = renew()
      const asked = current
      // After a failure, the next call asks for credentials again.
      asked.catch(() => {
        if (current === asked) current = undefined
      })
      return asked
    }
    super(new Transport(options, { ...around, credentials, canRenew: keys !== undefined }))
  }
}

const headersOf = (token: string): Credentials => ({ authorization: `Bearer ${token}` })

export * from './core/errors.ts'
export type { RequestOptions } from './core/group.ts'
export { List, type Page } from './core/lists.ts'
export type { ClientOptions } from './core/transport.ts'
export { versionOf } from './core/versions.ts'
export * from './generated/errors.ts'
export type * from './generated/merchant/types.ts'
export { type PayingCard, type PayOptions, payCheckout } from './payment_page.ts'
