/**
 * The one grammar of e-mail addresses (D-976): two spellings of one mailbox are one text, so that
 * they are one person and share the limit of mails.
 */

import { domainToASCII } from 'node:url'
import { withoutSurround } from './surround.ts'

export const EMAIL_MOST = 254
const LOCAL_BYTES = 64

/** Characters without a look of their own: with one inside, two texts look the same. */
const UNSEEN = /[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/u
/** Words with dots between them (RFC 5321, 4.1.2), of any script (RFC 6531), without quotes. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u
/** Two labels or more, of which the last is no number: that would be an address of a network. */
const A_LABELS =
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The address as it was written, without what is around it. */
export const shownEmail = (written: string): string => withoutSurround(written)

/**
 * How an address is stored, looked up and mailed: in lower case, full-width characters as usual
 * ones, the domain by its A-labels. Undefined if it is no address.
 */
export function normalEmail(written: string): string | undefined {
  const shown = shownEmail(written)
  if (shown.length > EMAIL_MOST || UNSEEN.test(shown)) return undefined
  const plain = shown.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = plain.lastIndexOf('@')
  const [local, domain] = [plain.slice(0, at), plain.slice(at + 1)]
  if (at < 1 || !LOCAL.test(local) || Buffer.byteLength(local) > LOCAL_BYTES) return undefined
  if (!DOMAIN.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  const email = `${local}@${ascii}`
  return A_LABELS.test(ascii) && email.length <= EMAIL_MOST ? email : undefined
}

/** Whether it is the address of a mailbox, perhaps with blanks around it. */
export const isEmail = (written: string): boolean => normalEmail(written) !== undefined
