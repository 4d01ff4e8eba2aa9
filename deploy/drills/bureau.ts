/**
 * A card from its request to a purchase, in live and with its keys in a security module: its order
 * goes to OpenSSH's server in a file that GnuPG opens, the bureau's answers move it on, and its
 * chip and the PIN of its mailer pay at a terminal.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBureau, type TestBureau, ZPK } from '#test/support/services/bureau.ts'
import { openSshd } from '#test/support/services/sshd.ts'
import { bringKeys, commandsOf, newKey, shownByModule, startModule } from './bureau/module.ts'
import { type Made, pinOf, Terminal } from './bureau/terminal.ts'
import { DrillFault } from './fault.ts'
import { locate, run } from './programs.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import { freePort } from './stage/free_port.ts'
import * as platform from './stage/platform.ts'
import { makeServer } from './stage/postgres.ts'
import { until } from './stage/until.ts'
import type { Transcript } from './transcript.ts'

const CARD = { name_on_card: 'LAYLA AZIZ', card_type: 'PHYSICAL', delivery_method: 'COURIER' }
const SHOWN = [
  'reason',
  'expiry',
  'name',
  'service_code',
  'chip_profile',
  'delivery_method',
] as const
const PROOFS = ['chip', 'card verification', 'PIN']
/** In minor units. */
const AMOUNT = 4_250n
/** Digits of card data are of no use in a transcript. */
const masked = (text: string) => text.replace(/\d(?=\d{3})/g, '*')

type Stage = {
  transcript: Transcript
  bureau: TestBureau
  /** The folder of the bureau that takes files. */
  place: string
  env: platform.Environment
  ports: platform.Ports
  operator: string
  tenant: platform.Tenant
  ask: (method: string, path: string, body?: object) => Promise<platform.Body>
}

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = folderOf(stack, transcript)
  const bureau = stack.use(openBureau())
  const settings = {
    ...(await openPlace(stack, transcript, bureau)),
    ...(await openModule(stack, transcript)),
  }
  const stage = await openStage(stack, transcript, { folder, bureau, settings })
  const { keys, id } = await makeCard(stage)
  const record = await order(stage, id)
  await answer(stage, id, record['order_id'] ?? '')
  await pay(stage, { id, record, keys })
  transcript.step('What doctor finds')
  await examine(transcript, stage.env, 'nothing')
}

type Settings = Record<string, string>

async function openPlace(
  stack: AsyncDisposableStack,
  transcript: Transcript,
  { env: { BUREAU_FOLDER: place = '', BUREAU_ZPK: _clear, ...keys } }: TestBureau,
): Promise<Settings> {
  transcript.step('A bureau')
  transcript.explain(
    'The bureau is an account of OpenSSH’s server and a key of GnuPG; the program gets the ' +
      'fingerprint of the host key, an SSH key, the bureau’s public key and a signing key.',
  )
  // It says its version beside an error, where it has no such option.
  const { output } = run('/bin/sh', ['-c', '"$0" -V 2>&1', locate('sshd', 'openssh-server')])
  transcript.print(output.split('\n').find((line) => line.includes('OpenSSH')) ?? output)
  transcript.print(run(locate('gpg', 'gnupg'), ['--version']).output.split('\n')[0] ?? '')
  const sshd = stack.use(await openSshd())
  return {
    ...keys,
    BUREAU_SFTP: `sftp://${sshd.user}@${sshd.host}:${sshd.port}${place}`,
    BUREAU_SFTP_HOST_KEY: sshd.host_key,
    BUREAU_SFTP_KEY: sshd.key,
  }
}

async function openModule(stack: AsyncDisposableStack, transcript: Transcript): Promise<Settings> {
  transcript.step('A security module')
  transcript.explain(
    'The simulator is a process of its own. The custodians bring the zone key of the bureau’s ' +
      'mailers into it; the program gets what the module shows of that key.',
  )
  const { address, check_value, ...module } = await startModule()
  stack.use(module)
  const zpk = shownByModule(ZPK)
  transcript.print(`$ bezant hsm\nit listens on ${address}, with the master key ${check_value}`)
  transcript.print(`BUREAU_ZPK: ${zpk.slice(0, 1)} and ${zpk.length - 1} digits`)
  return { HSM_ADDRESS: address, BUREAU_ZPK: zpk }
}

type Given = { folder: string; bureau: TestBureau; settings: Settings }

async function openStage(
  stack: AsyncDisposableStack,
  transcript: Transcript,
  { folder, bureau, settings }: Given,
): Promise<Stage> {
  transcript.step('A program in live, and a card')
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  const MASTER_KEY = randomBytes(32).toString('hex')
  const own = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const env = { ...own, ...settings, ADMIN_PORT: String(await freePort()) }
  const ports = await platform.freePorts()
  stack.use(await platform.startProcess(env, ports))
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenant = await platform.makeTenant(ports, operator, 0)
  const ask: Stage['ask'] = (method, path, body) =>
    platform.made(ports, tenant.api_key, [method, path], body)
  const place = bureau.env['BUREAU_FOLDER'] ?? ''
  return { transcript, bureau, place, env, ports, operator, tenant, ask }
}

async function makeCard({ transcript, ports, operator, tenant, ask }: Stage) {
  const { card_product_id } = tenant.card as { card_product_id: string }
  const production = { pin_mailer: true, chip_profile: 'M-CHIP-3' }
  await ask('PUT', `/cardproducts/${card_product_id}`, { production })
  transcript.explain(
    'The module has made the keys of the product. The chip’s key and the zone key of PINs come ' +
      'in key blocks, under a transport key of which the program has only what the module shows.',
  )
  const keys = { imk_ac: newKey(), zpk: newKey() }
  const product = { ports, operator, tenant_id: tenant.id, id: card_product_id }
  transcript.print((await bringKeys(product, keys)).join('\n'))
  const { id } = await ask('POST', '/cards', { ...tenant.card, ...CARD })
  const { fulfillment_status } = await ask('GET', `/cards/${id}`)
  transcript.print(`POST /v1/cards: the card is ${fulfillment_status}`)
  return { keys, id: String(id) }
}

/** The record of the card, as the bureau reads it. */
async function order(stage: Stage, id: string): Promise<Made> {
  const { transcript, bureau, place, ports, operator, tenant, ask } = stage
  transcript.step('Its order')
  await platform.made(ports, operator, ['POST', '/operator/cardorders:send'], {
    tenant_id: tenant.id,
  })
  const read = () => ask('GET', `/cards/${id}`)
  await until('the card is ORDERED', async () => (await read()).fulfillment_status === 'ORDERED')
  const { card_order_id } = await read()
  const batch = await ask('GET', `/cardorders/${card_order_id}`)
  transcript.print(`the batch is ${batch.state}, with ${batch.count} card; the card is ORDERED`)
  const text = bureau.decrypt(join(place, batch.file_name))
  const [record] = bureau.recordsIn(text)
  if (!record) throw new DrillFault('the file has no record')
  transcript.print('$ gpg --decrypt FILE\ngpg: Good signature from "bank <bank@test.example>"')
  transcript.print(SHOWN.map((name) => `${name}: ${record[name]}`).join('\n'))
  transcript.print(`pan: ${masked(record['pan'] ?? '')}\ntrack1: ${masked(record['track1'] ?? '')}`)
  const hidden = pinOf(record, ZPK).replace(/./g, '*')
  transcript.print(`pin_block: the PIN ${hidden}, under the bureau’s zone key`)
  return record
}

async function answer({ transcript, place, ask }: Stage, id: string, order_id: string) {
  transcript.step('The answers of the bureau')
  transcript.explain('They are looked for each minute. Each file is renamed once it was applied.')
  const read = () => ask('GET', `/cards/${id}`)
  for (const [status, more] of [
    ['SHIPPED', ',,FX-1001,,Falcon Express'],
    ['DELIVERED', ''],
  ] as const) {
    const path = join(place, `${status.toLowerCase()}.rsp`)
    const header = 'order_id,status,reason,tracking,date,carrier'
    writeFileSync(`${path}.part`, `${header}\n${order_id},${status}${more}\n`)
    renameSync(`${path}.part`, path)
    await until(`the card is ${status}`, async () => (await read()).fulfillment_status === status)
    await until('the file was renamed', () => existsSync(`${path}.done`))
    const { tracking_number, delivery_partner } = await read()
    transcript.print(`${status}: ${delivery_partner}, ${tracking_number}`)
  }
}

type Bearer = { id: string; record: Made; keys: Parameters<typeof Terminal.open>[2] }

async function pay(stage: Stage, { id, record, keys }: Bearer): Promise<void> {
  const { transcript, env, ports, ask } = stage
  transcript.step('A purchase by chip and PIN')
  const activation = { status: 'ACTIVE', status_reason_code: 'a0' }
  const { account_id } = await ask('GET', `/cards/${id}`)
  await ask('PUT', `/cards/${id}:statuschange`, activation)
  await ask('POST', `/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 100 })
  transcript.print('the holder activates the card, whose account has 100.00')
  transcript.explain(
    'The terminal has the card as the file made it: track 2 with the iCVV, a chip with the key ' +
      'of the product, and the PIN of the mailer, under the zone key of the network.',
  )
  const before = await commandsOf(env['ADMIN_PORT'] ?? '')
  await using terminal = await Terminal.open(ports.network, record, keys)
  const pin = pinOf(record, ZPK)
  const { code, isAnswerRight } = await terminal.pay({ amount: AMOUNT, atc: 1, pin })
  const after = await commandsOf(env['ADMIN_PORT'] ?? '')
  transcript.print(`0100 of 42.50 is answered by ${code}`)
  if (code !== '00') throw new DrillFault('the purchase is declined')
  if (!isAnswerRight) throw new DrillFault('the chip refuses the answer of the issuer')
  transcript.print('the chip takes the cryptogram of the answer (ARPC)')
  const { data } = await ask('GET', `/transactions?card_id=${id}&limit=1`)
  const { checks } = await ask('GET', `/transactions/${data[0].id}/trace`)
  for (const { check, verdict, detail } of checks) {
    if (PROOFS.includes(check)) transcript.print(`trace: ${check} ${verdict}, ${detail}`)
  }
  const asked = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  const done = asked.filter(([name, count]) => count > 0 && name !== 'NC')
  transcript.print(`the module was asked ${done.map((one) => one.join(' × ')).join(', ')}`)
  const other = `${(Number(pin[0]) + 1) % 10}${pin.slice(1)}`
  const wrong = await terminal.pay({ amount: AMOUNT, atc: 2, pin: other })
  const again = await terminal.pay({ amount: AMOUNT, atc: 2, pin })
  transcript.print(
    `another PIN is answered by ${wrong.code}, and a cryptogram again by ${again.code}`,
  )
  if (wrong.code !== '55' || again.code === '00') throw new DrillFault('a proof was not needed')
}
