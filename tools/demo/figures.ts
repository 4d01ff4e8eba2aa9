/** What the money must be after each step: the card account against the settlement account. */

import { DemoFault, type Sandbox } from './client.ts'
import { money, say } from './say.ts'

type Standing = { balance: number; held: number; settlement: number }
type ProgramAccount = { kind: string; currency: string; balance: number }

export class Figures {
  readonly #sandbox: Sandbox
  readonly #account_id: string
  #start: Standing = { balance: 0, held: 0, settlement: 0 }

  constructor(sandbox: Sandbox, account_id: string) {
    this.#sandbox = sandbox
    this.#account_id = account_id
  }

  async start(): Promise<void> {
    this.#start = await this.#read()
  }

  /** `moved` is what has gone from the card to the network since the start, in major units. */
  async expect({ held, moved }: { held: number; moved: number }): Promise<void> {
    const now = await this.#read()
    const { balance, settlement } = this.#start
    say(`  card account: balance ${money(now.balance)}, held ${money(now.held)}`)
    say(`  settlement account: ${money(now.settlement - settlement)} since the start`)
    check('held', now.held, held)
    check('balance', now.balance, balance - moved)
    check('settlement', now.settlement, settlement + moved)
  }

  async #read(): Promise<Standing> {
    const { issuing, operator_key, tenant } = this.#sandbox
    const account = await issuing('GET', `/accounts/${this.#account_id}`)
    const path = `/operator/tenants/${tenant.id}/programaccounts`
    const program = await issuing('GET', path, undefined, operator_key)
    const settlement = program.data.find(
      ({ kind, currency }: ProgramAccount) => kind === 'SETTLEMENT' && currency === 'AED',
    )
    const { balance, held_amount: held } = account
    return { balance, held, settlement: settlement?.balance ?? 0 }
  }
}

/** Compared as whole fils: the API speaks in decimals. */
function check(name: string, seen: number, wanted: number): void {
  if (Math.round(seen * 100) === Math.round(wanted * 100)) return
  throw new DemoFault(`${name} is ${money(seen)} and should be ${money(wanted)}`)
}
