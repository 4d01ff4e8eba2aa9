/** Card networks in the console: from the menu to a key that has come (D-1030, D-1310). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { answerExchange, NETWORK, recordLines } from '#test/support/network/networks.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  fill,
  focused,
  goTo,
  headed,
  PHONE,
  regionOf,
  rowsOf,
  submit,
  tabTo,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
const { email } = await memberWith(world, 'operator_owner', null)
const DOWN = { ...NETWORK, name: 'acquirer', role: 'listen', mac: null, zmk_file: null } as const
world.setNetworks([NETWORK, DOWN])

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  const words = t.operator.networks
  const colorScheme = options.viewport === PHONE ? 'dark' : 'light'
  const opened = await stage.open(email, '/home', { ...options, colorScheme })
  const { page } = opened

  test(`a network is shown with its connections, and one that has none, ${way}`, async () => {
    await recordLines(world)
    await goTo(page, '/networks', t.pages.networks)
    const rows = rowsOf(page, t.pages.networks)
    await rows.getByText('SIGNED_ON', { exact: true }).waitFor()
    await rows.getByText('DOWN', { exact: true }).waitFor()
    await assertWell(opened)
    await rows.getByText(DOWN.name, { exact: true }).click()
    await headed(page, 'DOWN')
    await page.getByText(words.no_connections, { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: words.exchange, exact: true }).count(), 0)
    await assertWell(opened)
  })

  test(`a key is asked for by keyboard, and shown when it has come, ${way}`, async () => {
    await recordLines(world)
    await goTo(page, '/networks', t.pages.networks)
    await rowsOf(page, t.pages.networks).getByText(NETWORK.name, { exact: true }).click()
    await headed(page, 'SIGNED_ON')
    await page.getByText(fill(words.mac_failing, { n: 1 }), { exact: true }).waitFor()
    await rowsOf(page, words.connections).getByText('192.0.2.1:9100', { exact: true }).waitFor()
    await assertWell(opened)
    await tabTo(page, page.getByRole('button', { name: words.exchange, exact: true }))
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page, words.exchange)
    await focused(dialog.getByLabel(words.use))
    await assertWell(opened)
    await submit(dialog, words.exchange)
    const requests = rowsOf(page, words.exchanges)
    await requests.getByText('REQUESTED', { exact: true }).first().waitFor()
    await answerExchange(world)
    await requests.getByText('DONE', { exact: true }).first().waitFor()
    await regionOf(page, words.keys).getByText(words.in_use, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`a name that is none is said to be missing, ${way}`, async () => {
    await page.goto(`${stage.home}/console/networks/none`)
    await page.getByText(t.states.missing, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`support sees the networks, and is offered no request for keys, ${way}`, async () => {
    await recordLines(world)
    const support = await memberWith(world, 'operator_support', null)
    const theirs = await stage.open(support.email, `/networks/${NETWORK.name}`, options)
    await regionOf(theirs.page, words.facts).waitFor()
    const button = theirs.page.getByRole('button', { name: words.exchange, exact: true })
    assert.equal(await button.count(), 0)
    await assertWell(theirs)
    await theirs.context.close()
  })
}
