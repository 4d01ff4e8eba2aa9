/**
 * A card from its request to its delivery, in live: its order goes to OpenSSH's server in a file
 * that GnuPG opens, and the bureau's answers move it on.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBureau } from '#test/support/services/bureau.ts'
import { openSshd } from '#test/support/services/sshd.ts'
import { DrillFault } from './fault.ts'
import { locate, run } from './programs.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
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
/** Digits of card data are of no use in a transcript. */
const masked = (text: string) => text.replace(/\d(?=\d{3})/g, '*')

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = folderOf(stack, transcript)
  transcript.step('A bureau')
  transcript.explain(
    'The bureau is an account of OpenSSH’s server and a key of GnuPG; the program gets the ' +
      'fingerprint of the host key, an SSH key, the bureau’s public key and a signing key.',
  )
  const { output } = run(locate('sshd', 'openssh-server'), ['-V'])
  transcript.print(output.split('\n').find((line) => line.includes('OpenSSH')) ?? '')
  transcript.print(run(locate('gpg', 'gnupg'), ['--version']).output.split('\n')[0] ?? '')
  const bureau = stack.use(openBureau())
  const sshd = stack.use(await openSshd())
  const { BUREAU_FOLDER: place = '', ...keys } = bureau.env
  const settings = {
    ...keys,
    BUREAU_SFTP: `sftp://${sshd.user}@${sshd.host}:${sshd.port}${place}`,
    BUREAU_SFTP_HOST_KEY: sshd.host_key,
    BUREAU_SFTP_KEY: sshd.key,
  }

  transcript.step('A program in live, and a card')
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const ports = await platform.freePorts()
  const program = await platform.startProcess({ ...env, ...settings }, ports)
  stack.use(program)
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenant = await platform.makeTenant(ports, operator, 0)
  const ask = (method: string, path: string, body?: object) =>
    platform.made(ports, tenant.api_key, [method, path], body)
  const { card_product_id } = tenant.card as { card_product_id: string }
  const production = { pin_mailer: true, chip_profile: 'VSDC-7' }
  await ask('PUT', `/cardproducts/${card_product_id}`, { production })
  const { id } = await ask('POST', '/cards', { ...tenant.card, ...CARD })
  const read = async () => ask('GET', `/cards/${id}`)
  transcript.print(`the card is ${(await read()).fulfillment_status}`)

  transcript.step('Its order')
  await platform.made(ports, operator, ['POST', '/operator/cardorders:send'], {
    tenant_id: tenant.id,
  })
  await until('the card is ORDERED', async () => (await read()).fulfillment_status === 'ORDERED')
  const { card_order_id } = await read()
  const order = await ask('GET', `/cardorders/${card_order_id}`)
  transcript.print(`the batch is ${order.state}, with ${order.count} card; the card is ORDERED`)
  const text = bureau.decrypt(join(place, order.file_name))
  const [record] = bureau.recordsIn(text)
  if (!record) throw new DrillFault('the file has no record')
  transcript.print('$ gpg --decrypt FILE\ngpg: Good signature from "bank <bank@test.example>"')
  transcript.print(SHOWN.map((name) => `${name}: ${record[name]}`).join('\n'))
  transcript.print(`pan: ${masked(record['pan'] ?? '')}\ntrack1: ${masked(record['track1'] ?? '')}`)
  transcript.print(`pin_block: ${(record['pin_block'] ?? '').length} hex digits`)

  await answer(transcript, { place, order_id: record['order_id'] ?? '', read })
  transcript.step('What doctor finds')
  await examine(transcript, env, 'nothing')
}

type Ordered = {
  place: string
  order_id: string
  read: () => Promise<platform.Body>
}

async function answer(transcript: Transcript, { place, order_id, read }: Ordered): Promise<void> {
  transcript.step('The answers of the bureau')
  transcript.explain('They are looked for each minute. Each file is renamed once it was applied.')
  for (const [status, more] of [
    ['SHIPPED', ',,FX-1001,,Falcon Express'],
    ['DELIVERED', ''],
  ] as const) {
    const path = join(place, `${status.toLowerCase()}.rsp`)
    writeFileSync(
      path,
      `order_id,status,reason,tracking,date,carrier\n${order_id},${status}${more}\n`,
    )
    await until(`the card is ${status}`, async () => (await read()).fulfillment_status === status)
    await until('the file was renamed', () => existsSync(`${path}.done`))
    const { tracking_number, delivery_partner } = await read()
    transcript.print(`${status}: ${delivery_partner}, ${tracking_number}`)
  }
}
