/** The expected balances after each step, of the card account and the settlement account. */

import { DemoFault, type Sandbox } from './client.ts'
import { money, print } from './print.ts'

/** Balances in major units of AED; `settlement` is of the tenant's settlement account. */
export type Balances = { balance: number; held: number; settlement: number }
type ProgramAccount = { kind: string; currency: string; balance: number }

export class Figures {
  readonly #sandbox: Sandbox
  readonly #account_id: string
  #start: Balances = { balance: 0, held: 0, settlement: 0 }

  constructor(sandbox: Sandbox, account_id: string) {
    this.#sandbox = sandbox
    this.#account_id = account_id
  }

  async start(): Promise<void> {
    this.#start = await this.#read()
  }

  /** `moved` is what has gone from the card to the network since the start, in major units. */
  async expect({ held, moved }: { held: number; moved: number }): Promise<Balances> {
    const now = await this.#read()
    const { balance, settlement } = this.#start
    print(`  card account: balance ${money(now.balance)}, held ${money(now.held)}`)
    print(`  settlement account: ${money(now.settlement - settlement)} since the start`)
    check('held', now.held, held)
    check('balance', now.balance, balance - moved)
    check('settlement', now.settlement, settlement + moved)
    return now
  }

  async #read(): Promise<Balances> {
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

/** Compared in whole fils, because the API returns decimals. */
function check(name: string, actual: number, expected: number): void {
  if (Math.round(actual * 100) === Math.round(expected * 100)) return
  throw new DemoFault(`${name} is ${money(actual)} and should be ${money(expected)}`)
}
