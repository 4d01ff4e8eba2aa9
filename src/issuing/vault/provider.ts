/**
 * The cryptography of cards: everything that is done under a key of a card product or of a network
 * (D-1012). Keys are in the custody of this program or of a security module (D-1010); only the
 * implementation knows which, and what a key is.
 */

import type { DateOrder } from '#cvv/cvv.ts'
import type { IssuerAnswer, ReadCryptogram } from '#emv/cryptogram.ts'
import type { Script } from '#emv/scripts.ts'
import type { Log } from '#kit/log.ts'
import type { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'

declare module '#kit/context.ts' {
  interface Custody extends CardCryptography {}
}

/** The uses of keys; each key has one. */
export type KeyUse =
  | 'CVK'
  | 'PVK'
  | 'IMK_AC'
  | 'IMK_SMI'
  | 'IMK_SMC'
  | 'ZPK'
  | 'ZPK_AES'
  | 'ZAK'
  | 'ZAK_AES'
  /** Other keys travel under it: a zone master key, or the protection key of key blocks. */
  | 'TRANSPORT'

/** A key as its custody uses it. Nothing else of it is known. */
export interface CardKey {
  /** Six digits of upper-case hex, by which people compare keys (ANSI X9.24). */
  readonly check_value: string
}

/** A key as its custody has it stored: opaque text, which the vault seals. */
export type KeptKey = string

/** `fault` is the end of a sentence about the text that was sent. */
export type BroughtKey = { ok: true; key: KeptKey } | { ok: false; fault: string }

/**
 * How the PINs of a product are verified (D-1015): by a PVV, which covers four digits, or by an
 * offset (IBM 3624) of 4 to 12.
 */
export type PinVerification = 'PVV' | 'OFFSET'

/** Makes verification values of PINs. */
export type PvvKeys = { pvk: CardKey; pvki: string }

/** The same, with the keys that PIN blocks arrive under: format 0 and format 4. */
export type PinKeys = PvvKeys & { zpk: CardKey; zpk_aes: CardKey | undefined }

/** A PIN block in hex: 16 digits of format 0, 32 of format 4. */
export type PinProof = {
  keys: PinKeys
  block: Secret
  /** The number that the block was encoded with: the card's, or that of a token of it. */
  over: Secret
  /** The card's own number, which its verification value is computed over. */
  pan: Secret
  /** Its form says how it verifies the PIN. */
  kept: Secret
}

export type CvvData = {
  cvk: CardKey
  pan: Secret
  expiry_yymm: string
  service_code: string
  date_order?: DateOrder
}
export type CvvProof = CvvData & { value: Secret }

/** A code of 8 bytes by ISO 9797-1 algorithm 3, under a key of AAVs in a module (D-1372). */
export type AavCodeProof = { key: CardKey; message: Buffer; code: Buffer }

export type CryptogramProof = { imk_ac: CardKey; pan: Secret; cryptogram: ReadCryptogram }

/** The answer to a right cryptogram: the data of tag 91, and the codes of scripts. */
export type IssuerProof = CryptogramProof & { answer: IssuerAnswer }
export type ScriptProof = {
  imk_smi: CardKey
  pan: Secret
  cryptogram: ReadCryptogram
  script: Script
}

/**
 * `unasked`: the module has to be asked first. `unproved`: nobody is asked about such a message.
 * `fault`: the module gave no answer (D-1014).
 */
export type Proved = 'right' | 'wrong' | 'unasked' | 'unproved' | 'fault'

/** The proofs of a message, without waiting. A decision is given one of these (D-1013). */
export type Proofs = {
  pin: (proof: PinProof) => Proved
  cvv: (proof: CvvProof) => Proved
  aav: (proof: AavCodeProof) => Proved
  cryptogram: (proof: CryptogramProof) => Proved
  /** Undefined if it is not known yet. */
  issuerData: (proof: IssuerProof) => Buffer | undefined
  /** The code of a script, eight bytes; undefined if it is not known yet. */
  scriptMac: (proof: ScriptProof) => Buffer | undefined
}

/**
 * The questions of one message to a security module, and what it answered. The proofs note what
 * they do not know; `ask` asks all of that at once and never rejects.
 */
export type Inquiry = {
  readonly proofs: Proofs
  /** Forgets what was noted and not asked. */
  begin: () => void
  /** Whether something was noted that was not asked. */
  hasQuestions: () => boolean
  ask: (patience_ms: number) => Promise<void>
}

/** A PIN block that is to take the place of the card's PIN. */
export type NewPinBlock = {
  keys: PinKeys
  block: Secret
  pan: Secret
  /** The number of digits that the product requires. */
  length: number
  refuse_weak: boolean
  verification: PinVerification
  /** The verification value of the present PIN. */
  kept: Secret | undefined
}

/** `BLOCK`: it sets no new PIN of this card. `WEAK`: the PIN is too easy to guess. */
export type NewPinResult = { ok: true; value: Secret } | { ok: false; fault: 'BLOCK' | 'WEAK' }

/** `length` digits for the card of this number. */
export type WantedPin = {
  pan: Secret
  length: number
  refuse_weak: boolean
  verification: PinVerification
}

/** A random PIN: its verification value, and its block of format 0 in hex under another key. */
export type RandomPin = { value: Secret; block: Secret }

/** Brings keys that are in software into a module, under the transport key that both have. */
export type ModuleCarrier = {
  /** Throws a StartError if there is no transport key, or another one in the module. */
  assertTransport: () => Promise<void>
  /** Undefined for a key that the module cannot have. */
  carry: (use: KeyUse, hex: Secret) => Promise<BroughtKey | undefined>
}

export type OpenedModule = {
  custody: CardCryptography & { proving: { inquire: () => Inquiry } }
  carrier: ModuleCarrier
  close: () => void
}

/** Reaches the modules, and compares their master keys. Throws a StartError of one sentence. */
export type ModuleCustody = (log: Log, now: Date) => Promise<OpenedModule>

export type CardCryptography = {
  /** The custody of the keys, which an installation keeps. */
  readonly place: 'SOFTWARE' | 'MODULE'
  /** Whether a PIN may be in the memory of this program for a moment (D-1015). */
  readonly takes_clear_pins: boolean
  /**
   * Proofs that are found at once; or what asks the module about a message before it is decided.
   */
  readonly proving: { proofs: Proofs } | { inquire: () => Inquiry }

  /** Throws if the key is in another custody. */
  open: (use: KeyUse, kept: KeptKey) => CardKey
  /** Undefined for a key that the custody cannot have. */
  make: (use: KeyUse) => Promise<KeptKey | undefined>
  /** Brings in a key of a key block (TR-31). */
  bringBlock: (use: KeyUse, block: string, transport: CardKey) => Promise<BroughtKey>
  /** Brings in a TDES key that is encrypted under a transport key, in hex. */
  bringCryptogram: (use: KeyUse, hex: string, transport: CardKey) => Promise<BroughtKey>
  /** Brings in a key in hex in the clear, if this process may have it. */
  bringClear: (use: KeyUse, hex: Secret) => Promise<BroughtKey>
  /** Brings in a key as the module keeps it under its own master key, and shows it. */
  bringOwn: (use: KeyUse, text: Secret) => Promise<BroughtKey>
  /** A key block (TR-31, version B) under a transport key. */
  takeOut: (use: KeyUse, kept: KeptKey, transport: CardKey) => Promise<string>

  cvv: (data: CvvData) => Promise<Secret>
  isCvv: (proof: CvvProof) => Promise<boolean>
  newPin: (block: NewPinBlock) => Promise<NewPinResult>
  /** The verification value of a PIN that this process has in the clear. */
  valueOfPin: (
    pin: Secret,
    pan: Secret,
    keys: PvvKeys,
    verification: PinVerification,
  ) => Promise<Secret>
  /** A random PIN, its block under `zpk`. A module does not say whether it is easy to guess. */
  randomPin: (wanted: WantedPin, keys: PvvKeys, zpk: CardKey) => Promise<RandomPin>
  /** The block of a PIN in hex, as a terminal would send it: for simulations. */
  pinBlock: (pin: Secret, pan: Secret, keys: PinKeys) => Promise<Secret>
  /** The cryptogram that a card makes, eight bytes: for simulations. */
  cardCryptogram: (
    card: { imk_ac: CardKey; pan: Secret },
    tags: ReadonlyMap<string, Buffer>,
  ) => Promise<Buffer>
  /** The code of a message, 8 bytes under TDES and 16 under AES. */
  mac: (key: CardKey, method: MacMethod, message: Buffer) => Promise<Buffer>
  /** Whether these are the leftmost 4 bytes or more of the code. */
  isMac: (key: CardKey, method: MacMethod, message: Buffer, mac: Buffer) => Promise<boolean>
}
