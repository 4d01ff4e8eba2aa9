/**
 * The questions of a message to a module, and the answers of the module (D-1013). An answer is
 * known by the whole of its question, so that a changed PIN or key is asked about again.
 */

import type { Inquiry, PinProof, Proofs, Proved } from '#issuing/vault/provider.ts'
import { Secret } from '#lib/secret.ts'
import { ModuleKey } from './keys.ts'

type Asked<Name extends keyof Proofs, Found> = (
  proof: Parameters<Proofs[Name]>[0],
  patience_ms: number,
) => Promise<Found>

/** Ask one question each. They reject with a ModuleFault. */
export type Asking = {
  pin: Asked<'pin', boolean>
  cvv: Asked<'cvv', boolean>
  aav: Asked<'aav', boolean>
  cryptogram: Asked<'cryptogram', boolean>
  issuerData: Asked<'issuerData', Buffer | undefined>
  scriptMac: Asked<'scriptMac', Buffer | undefined>
}

/** How often one message may ask. Each time after the first, what it rests on has changed. */
const ROUNDS_MAX = 3

const proved = (isRight: boolean | undefined): Proved => {
  if (isRight === undefined) return 'fault'
  return isRight ? 'right' : 'wrong'
}

export class ModuleInquiry implements Inquiry {
  readonly #asking: Asking
  /** By question: undefined where the module gave no answer. */
  readonly #known = new Map<string, boolean | undefined>()
  readonly #codes = new Map<string, Buffer | undefined>()
  #noted = new Map<string, (patience_ms: number) => Promise<void>>()
  #rounds = 0

  constructor(asking: Asking) {
    this.#asking = asking
  }

  readonly proofs: Proofs = {
    pin: (proof) => this.#prove(nameOfPin(proof), (ms) => this.#asking.pin(proof, ms)),
    cvv: (proof) => this.#prove(nameOf('cvv', proof), (ms) => this.#asking.cvv(proof, ms)),
    aav: (proof) => this.#prove(nameOf('aav', proof), (ms) => this.#asking.aav(proof, ms)),
    cryptogram: (proof) =>
      this.#prove(nameOf('cryptogram', proof), (ms) => this.#asking.cryptogram(proof, ms)),
    issuerData: (proof) =>
      this.#code(nameOf('issuerData', proof), (ms) => this.#asking.issuerData(proof, ms)),
    scriptMac: (proof) =>
      this.#code(nameOf('scriptMac', proof), (ms) => this.#asking.scriptMac(proof, ms)),
  }

  begin(): void {
    this.#noted.clear()
  }

  hasQuestions(): boolean {
    return this.#noted.size > 0
  }

  async ask(patience_ms: number): Promise<void> {
    const noted = [...this.#noted.values()]
    this.#noted = new Map()
    this.#rounds += 1
    await Promise.all(noted.map((ask) => ask(patience_ms)))
  }

  #prove(question: string, ask: (patience_ms: number) => Promise<boolean>): Proved {
    if (this.#known.has(question)) return proved(this.#known.get(question))
    return this.#note(question, ask, this.#known) ? 'unasked' : 'fault'
  }

  #code(
    question: string,
    ask: (patience_ms: number) => Promise<Buffer | undefined>,
  ): Buffer | undefined {
    if (!this.#codes.has(question)) this.#note(question, ask, this.#codes)
    return this.#codes.get(question)
  }

  #note<Found>(
    question: string,
    ask: (patience_ms: number) => Promise<Found | undefined>,
    known: Map<string, Found | undefined>,
  ): boolean {
    if (this.#rounds >= ROUNDS_MAX) return false
    this.#noted.set(question, async (ms) => {
      const found = await ask(ms).catch(() => undefined)
      known.set(question, found)
    })
    return true
  }
}

/** The keys that a PIN is verified with may be among others. */
function nameOfPin({ keys, ...tried }: PinProof): string {
  const { pvk, pvki, zpk, zpk_aes } = keys
  return nameOf('pin', { keys: { pvk, pvki, zpk, zpk_aes }, ...tried })
}

/** The whole of a question as text. It contains secrets, and is written nowhere. */
function nameOf(name: string, value: unknown): string {
  if (value instanceof Secret) return `${name}=${value.reveal()}`
  if (value instanceof ModuleKey) return `${name}=${value.text.reveal()}`
  if (Buffer.isBuffer(value)) return `${name}=${value.toString('hex')}`
  if (typeof value !== 'object' || value === null) return `${name}=${value}`
  const members = Object.entries(value).map(([member, of]) => nameOf(member, of))
  return `${name}(${members.join(',')})`
}
