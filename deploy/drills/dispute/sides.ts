/** Both sides of the disputes of a drill, and the network between them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clearingFile, type Members, presentment } from '#test/support/clearing/clearing_file.ts'
import { DrillFault } from '../fault.ts'
import type { Keys, Shopper } from '../orders/shopper.ts'
import * as platform from '../stage/platform.ts'
import { until } from '../stage/until.ts'
import type { Transcript } from '../transcript.ts'

type Body = platform.Body
type Parts = {
  transcript: Transcript
  folder: string
  env: platform.Environment
  ports: platform.Ports
  tenant: platform.Tenant
  card: platform.DrillCard
  operate: (method: string, path: string, body?: object) => Promise<Body>
  merchant_id: string
  keys: Keys
  shopper: Shopper
}

/** One payment, and its dispute at both sides; the amount in hundredths. */
export type Case = {
  reference: string
  minor: number
  transaction_id: string
  record: Members
  dispute_id: string
  chargeback_id: string
}

/** In hundredths, as changes since the purchases. */
type Books = { settlement: number; disputes: number; account: number; shop: number; fees: number }
/** The amounts that the issuer has got, and that the shop has lost, by the dispute that is open. */
type Expected = { issuer: number; shop: number }

const REFERENCE = 10
const hundredths = (amount: number | string) => Math.round(Number(amount) * 100)
const shown = (minor: number) => (minor / 100).toFixed(2).padStart(7)

export class Sides {
  readonly #parts: Parts
  #start: Books = { settlement: 0, disputes: 0, account: 0, shop: 0, fees: 0 }
  #token = ''
  #files = 0
  #ended: Expected = { issuer: 0, shop: 0 }

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  static async open(parts: Parts): Promise<Sides> {
    const sides = new Sides(parts)
    const { token } = await sides.#merchant('POST', '/merchant/authentication', parts.keys)
    sides.#token = token
    return sides
  }

  /** Pays and captures orders of these numbers, and clears them by a file. */
  async clear([first, second]: readonly [number, number]): Promise<[Case, Case]> {
    const { shopper, card, transcript } = this.#parts
    const cases: Case[] = []
    for (const number of [first, second]) {
      await shopper.buy(number)
      const { data } = await this.#issuer('GET', `/transactions?card_id=${card.id}&limit=1`)
      const [{ id, rrn, approval_code, amount }] = data
      const minor = hundredths(amount)
      const record = presentment(card.pan, BigInt(minor), { DE37: rrn, DE38: approval_code })
      const names = { dispute_id: '', chargeback_id: '' }
      cases.push({ reference: `DAY-${number}`, minor, transaction_id: id, record, ...names })
    }
    this.#start = await this.#read()
    const records = await this.#import(cases.map(({ record }) => record))
    const posted = records.map(({ state, transaction_id }) => `${state} ${transaction_id}`)
    const wanted = cases.map(({ transaction_id }) => `POSTED ${transaction_id}`)
    if (String(posted) !== String(wanted)) throw new DrillFault(`the file has posted ${posted}`)
    transcript.print('both records are POSTED to the transactions of the captures')
    const [one, other] = cases
    if (!one || !other) throw new DrillFault('two purchases were to be made')
    return [one, other]
  }

  async open(one: Case, reason: string, explanation: string): Promise<void> {
    const { transaction_id } = one
    const { id } = await this.#issuer('POST', '/disputes', { transaction_id, reason, explanation })
    one.dispute_id = id
    await this.#issuer('POST', `/disputes/${id}:submit`, {})
  }

  /** The outgoing file has the chargeback, and the shop's bank takes it from the shop. */
  async chargeBack(one: Case, code: string): Promise<void> {
    await this.#export(one, code)
    const { merchant_id, operate } = this.#parts
    const { reason } = await this.#issuer('GET', `/disputes/${one.dispute_id}`)
    const amount = one.minor / 100
    const taken = { merchant_id, reference: one.reference, amount, reason }
    const { dispute_id } = await operate('POST', '/chargebacks', taken)
    one.chargeback_id = dispute_id
  }

  async answer(one: Case, evidence: object): Promise<void> {
    await this.#merchant('POST', `/disputes/${one.chargeback_id}/evidence`, evidence)
  }

  async accept(one: Case): Promise<void> {
    await this.#merchant('POST', `/disputes/${one.chargeback_id}/accept`, {})
  }

  async presentAgain(one: Case): Promise<void> {
    const DE95 = referenceOf(one)
    const [record] = await this.#import([{ ...one.record, DE24: '205', DE95 }])
    this.#parts.transcript.print(`the record 1240 205 is ${record?.state}`)
  }

  async arbitrate(one: Case): Promise<void> {
    await this.#issuer('POST', `/disputes/${one.dispute_id}:arbitrate`, {})
    await this.#export(one, '451')
  }

  /** Both sides learn the scheme's decision; a shop that has accepted is already decided. */
  async decide(one: Case, step: 'WIN' | 'LOSE'): Promise<void> {
    const { operate } = this.#parts
    await operate('POST', `/disputes/${one.dispute_id}:record`, { step })
    if (step === 'WIN') return
    await operate('POST', `/chargebacks/${one.chargeback_id}:record`, { step: 'WIN' })
  }

  /** Prints the books of both sides; a fault where they are not as they have to be. */
  async show(state: string, { issuer, shop }: Expected): Promise<void> {
    const { settlement, disputes, account, shop: lost } = await this.#sinceStart()
    const [got, taken] = [-settlement - this.#ended.issuer, lost - this.#ended.shop]
    this.#parts.transcript.print(
      `${state.padEnd(16)} issuer: got ${shown(got)}, DISPUTES ${shown(disputes)}, cardholder ` +
        `${shown(account)} | shop: lost ${shown(taken)} | network holds ${shown(taken - got)}`,
    )
    if (got !== issuer || taken !== shop) {
      throw new DrillFault(`the issuer was to have ${issuer}, and the shop to have lost ${shop}`)
    }
    if (disputes !== -settlement - account) {
      throw new DrillFault('DISPUTES is not what lies between the network and the cardholder')
    }
    if (state === 'WON' || state === 'LOST') {
      this.#ended = { issuer: -settlement, shop: lost }
      if (disputes !== 0) throw new DrillFault('DISPUTES is not empty behind a dispute')
    }
  }

  async showEnd(): Promise<void> {
    const { settlement, disputes, account, shop, fees } = await this.#sinceStart()
    const { transcript } = this.#parts
    transcript.print(
      `the network has given the issuer ${shown(-settlement)}, DISPUTES has ${shown(disputes)}`,
    )
    transcript.print(`the cardholder has got ${shown(account)}`)
    transcript.print(`the shop has lost ${shown(shop)}, and paid ${shown(fees)} for two disputes`)
    if (-settlement !== shop || account !== shop || disputes !== 0) {
      throw new DrillFault('the books of both sides differ')
    }
  }

  async reconcile(env: platform.Environment): Promise<void> {
    const { transcript } = this.#parts
    const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
    const args = ['apps/cli/bezant.mjs', 'reconcile', '--date', day]
    const { code, output } = await platform.runToEnd(args, env)
    transcript.print(`$ bezant reconcile --date DAY\n${output}\nexit code ${code}`)
    transcript.replace(day, 'DAY')
    if (code !== 0) throw new DrillFault('the books of the day differ')
  }

  async #read(): Promise<Books> {
    const { tenant, card, operate } = this.#parts
    const { data } = await operate('GET', `/tenants/${tenant.id}/programaccounts`)
    const kept = (wanted: string) =>
      data
        .filter(({ kind }: Body) => kind === wanted)
        .reduce((sum: number, { balance }: Body) => sum + hundredths(balance), 0)
    const account = await this.#issuer('GET', `/accounts/${card.account_id}`)
    const [aed] = (await this.#merchant('GET', '/statement')).data
    return {
      settlement: kept('SETTLEMENT'),
      disputes: kept('DISPUTES'),
      account: hundredths(account.balance),
      shop: hundredths(aed?.charged_back ?? 0),
      fees: hundredths(aed?.fees ?? 0),
    }
  }

  async #sinceStart(): Promise<Books> {
    const now = await this.#read()
    const names = Object.keys(now) as (keyof Books)[]
    const changes = names.map((name) => [name, now[name] - this.#start[name]])
    return Object.fromEntries(changes) as Books
  }

  /** Writes what has to leave, and prints the message of the dispute. */
  async #export(one: Case, code: string): Promise<void> {
    const { transcript, env, tenant, ports, folder } = this.#parts
    this.#files += 1
    const path = join(folder, `OUT${this.#files}.bin`)
    const key = platform.operatorKey(env['DATA_DIR'] ?? '')
    const reply = await fetch(`http://127.0.0.1:${ports.http}/v1/operator/clearings:export`, {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant_id: tenant.id }),
    })
    const row: Body = await reply.json()
    if (!reply.ok) throw new DrillFault(`the export answered ${JSON.stringify(row)}`)
    const url = `/v1/operator/clearingexports/${row.id}:download?tenant_id=${tenant.id}`
    const file = await fetch(`http://127.0.0.1:${ports.http}${url}`, { headers: { apikey: key } })
    writeFileSync(path, Buffer.from(await file.arrayBuffer()))
    const { output } = await this.#cli('clearing', 'show', path, '--json')
    const records = output.split('\n').filter((line) => line.startsWith('{'))
    const found = records
      .map((line): Members => JSON.parse(line))
      .find(({ MTI, DE95 }) => MTI === '1442' && DE95 === referenceOf(one))
    if (found?.['DE24'] !== code || found['DE31'] !== one.record['DE31']) {
      throw new DrillFault(`the outgoing file has no 1442 ${code} of the dispute:\n${output}`)
    }
    const { DE24, DE25 = 'none', DE4, DE72 } = found
    transcript.print(`outgoing file: 1442 ${DE24}, reason ${DE25}, amount ${DE4}, text ${DE72}`)
  }

  /** Imports a file with these records by the command, and waits until it is posted. */
  async #import(records: readonly Members[]): Promise<Body[]> {
    const { folder, transcript, operate } = this.#parts
    this.#files += 1
    const path = join(folder, `IN${this.#files}.bin`)
    writeFileSync(path, await clearingFile(records))
    const { output } = await this.#cli('clearing', 'import', path, '--json')
    const { id } = JSON.parse(output)
    transcript.print(`incoming file of ${readFileSync(path).length} bytes is accepted`)
    await until('the file is posted', async () => {
      const { state } = await operate('GET', `/clearings/${id}`)
      return state === 'POSTED'
    })
    const { data } = await operate('GET', `/clearings/${id}/records?limit=200`)
    return data.slice(1, -1)
  }

  async #cli(...args: string[]): Promise<{ output: string }> {
    const { env } = this.#parts
    const { code, output } = await platform.runToEnd(['apps/cli/bezant.mjs', ...args], env)
    if (code !== 0) throw new DrillFault(`bezant ${args.join(' ')} ended with ${code}:\n${output}`)
    return { output }
  }

  #issuer(method: string, path: string, body?: object): Promise<Body> {
    const { ports, tenant } = this.#parts
    return platform.made(ports, tenant.api_key, [method, path], body)
  }

  async #merchant(method: string, path: string, body?: object): Promise<Body> {
    const reply = await fetch(`http://127.0.0.1:${this.#parts.ports.http}/api/v1.0${path}`, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new DrillFault(`${method} ${path} answered ${reply.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** DE95 of the messages of a dispute. */
const referenceOf = ({ dispute_id }: Case): string =>
  dispute_id.replaceAll('-', '').slice(-REFERENCE).toUpperCase()
