/** The interface of the bureau that makes physical cards (D-1020 to D-1025). */

import { PlaceFault } from '#kit/files/place_fault.ts'
import type { Secret } from '#lib/secret.ts'
import type { Layout } from './file/layout.ts'

export { type Layout, layoutOf } from './file/layout.ts'

/** The folders of the bureau, open. Names are of its folder of orders, or of answers. */
export type Transport = AsyncDisposable & {
  /** Writes a file of orders, in place of one that has the name, onto the disk. */
  write: (name: string, content: AsyncIterable<Uint8Array>) => Promise<void>
  /** The bytes of a file of orders; undefined if there is none of the name. */
  size: (name: string) => Promise<number | undefined>
  rename: (from: string, to: string) => Promise<void>
  /** Deletes a file of orders, if it is there. */
  remove: (name: string) => Promise<void>
  /** The names of the files in the folder of answers. */
  answers: () => Promise<readonly string[]>
  /** A file of answers of at most so many bytes; a larger one is a BureauFault. */
  read: (name: string, most: number) => Promise<Buffer>
  /** Gives a file of answers another name; nothing if it is not there any more. */
  putAway: (from: string, to: string) => Promise<void>
}

/** OpenPGP keys, armored. */
export type BureauKeys = Readonly<{
  /** The bureau's public key. */
  recipient: string
  /** Our private key, and its passphrase if it has one. */
  signer: Secret
  passphrase: Secret | null
}>

export type Bureau = {
  readonly name: string
  /**
   * Whether it is a remote service. The simulated one is called in the transaction of its cause and
   * answers at once; a sweep calls a remote one, without locks.
   */
  readonly outside: boolean
  /** Null for the default form. */
  readonly layout: Layout | null
  /** The zone key of PIN mailers: TDES of 16 bytes, in hex. Null: the bureau prints none. */
  readonly zpk: Secret | null
  readonly keys: () => Promise<BureauKeys>
  readonly open: () => Promise<Transport>
}

/** Why a file cannot be handed over or read, in a sentence without a secret. */
export class BureauFault extends PlaceFault {
  override name = 'BureauFault'
}
