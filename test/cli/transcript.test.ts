/** The transcript in docs/cli.md; with WRITE_CLI_TRANSCRIPT=1 the test writes it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bezant } from '#client/index.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { openCommand } from './running.ts'
import { checkTranscript } from './shown.ts'

const PAGE = 'docs/cli.md'
const keep = keeper()
const world = keep(await openWorld({ settings: { pci_compliant: true } }))
const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 })
const operator = new Bezant({ baseUrl, apiKey: world.operator_key })
await operator.operator.fundTenant(world.tenant.id, { currency: 'AED', amount: 1_000_000 })
const command = keep(openCommand({ BEZANT_URL: baseUrl, BEZANT_KEY: world.tenant.api_key }))

test(`${PAGE} shows what the commands print`, async () => {
  const shown: string[] = []
  const found: Record<string, string> = {}
  const show = async (line: string, code = 0) => {
    const words = line.split(' ').map((word) => found[word] ?? word)
    const ran = await command.run(words, { env: { COLUMNS: '100' } })
    assert.equal(ran.code, code, ran.err)
    shown.push(`$ bezant ${line}\n${ran.out}${ran.err}`)
    return ran.out
  }
  const lastId = (out: string) => out.trimEnd().split(/\s+/).at(-1) ?? ''
  const idIn = (out: string, part: string) =>
    lastId(out.split('\n').find((line) => line.startsWith(part)) ?? '')
  const purchase = await show('trigger purchase --amount 25 --mcc 5812 --country FRA')
  found['TRANSACTION'] = idIn(purchase, 'a purchase')
  found['CARD'] = idIn(purchase, 'a card is')
  await show('trigger refund --transaction TRANSACTION --amount 5')
  found['DECLINED_ONE'] = lastId(await show('trigger 1016'))
  await show('explain DECLINED_ONE')
  await show('transactions list --card-id CARD')
  await show('accounts list --card-id CARD')
  await show('get /transactions/DECLINED_ONE/trace --query a', 2)
  await show('post /users first_name=Layla email=none --idempotency-key one', 1)
  checkTranscript(PAGE, baseUrl, shown)
})
