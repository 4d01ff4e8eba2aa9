/**
 * `demo` runs an example against the running server and prints each step. With `--json` the steps
 * go to standard error, and standard output has one document of what was made (D-866).
 */

import { Command } from 'commander'
import { closeAtEndSignal } from '#lib/process/end_signals.ts'
import { failureDocument, printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, Fault } from '../kit/faults.ts'
import { note } from '../kit/print.ts'
import type { Json } from './command.ts'
import { openSandbox, type Sandbox } from './demo/client.ts'
import { Figures } from './demo/figures.ts'
import { type Card, fundAndIssue, makeProgram } from './demo/issuing.ts'
import { print, printToStandardError, step } from './demo/print.ts'
import { openReceiver } from './demo/receiver.ts'
import { buy, capture, refund } from './demo/shop.ts'

const FORMAT = 'demo 1'
/** The members of each transaction in the document. */
const members = [
  ...(['id', 'transaction_type', 'amount', 'currency'] as const),
  ...(['status', 'status_code', 'status_description'] as const),
]

export function command(): Command {
  const command = new Command('demo')
    .description('Runs an example against the running server.')
    .option('--json', 'print what was made as JSON; the steps go to standard error')
    .action(run)
  return withExamples(command, ['demo', 'demo --json'])
}

async function run({ json = false }: Json): Promise<void> {
  if (json) printToStandardError()
  try {
    const made = await runExample()
    if (json) printJson({ format: FORMAT, ok: true, ...made })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    note(`\n${error.message}`)
    if (json) printJson(failureDocument(FORMAT, [error.message]))
    process.exitCode = EXIT.failed
  }
}

/** Resolves to what it has made, for --json. */
async function runExample(): Promise<object> {
  const sandbox = await openSandbox()
  const receiver = await openReceiver(sandbox)
  // Its subscription would be tried for days.
  closeAtEndSignal(() => receiver.close())
  try {
    const program = await makeProgram(sandbox)
    const card = await fundAndIssue(sandbox, program)
    const figures = new Figures(sandbox, card.account_id)
    await figures.start()

    const reference = `DEMO-${Date.now()}`
    await buy(sandbox, card, reference, '120.50')
    await figures.expect({ held: 120.5, moved: 0 })
    await capture(sandbox, reference)
    await figures.expect({ held: 0, moved: 120.5 })
    const order = await refund(sandbox, reference, '20.25')
    await figures.expect({ held: 0, moved: 100.25 })

    await decline(sandbox, card.id)
    const { balance, held } = await figures.expect({ held: 0, moved: 100.25 })
    const kinds = ['CARD_STATUS_CHANGE', 'TRANSACTION', 'ORDER_CAPTURED', 'ORDER_REFUNDED']
    const events = await receiver.expect(kinds)
    print('\nAll amounts agree. `bezant doctor` checks the whole database.')
    const { id: card_id, account_id } = card
    return {
      tenant_id: sandbox.tenant.id,
      ...program,
      card_id,
      account_id,
      currency: 'AED',
      balance,
      held_amount: held,
      order,
      transactions: await transactionsOf(sandbox, card),
      events,
    }
  } finally {
    await receiver.close()
  }
}

type Verdict = 'passed' | 'refused' | 'skipped'
type Trace = { checks: { check: string; detail: string; verdict: Verdict; status_code?: string }[] }

async function decline(sandbox: Sandbox, card_id: string) {
  step('A purchase of 9,999.00 AED is declined; its trace gives the reason')
  const body = { card_id, amount: 9999, currency: 'AED', merchant: { id: 'BIGSHOP', mcc: '5411' } }
  const declined = await sandbox.issuing('POST', '/simulate/authorizations', body)
  print(`  transaction ${declined.id}: ${declined.status} ${declined.status_code}`)
  const trace: Trace = await sandbox.issuing('GET', `/transactions/${declined.id}/trace`)
  for (const { check, detail, verdict, status_code } of trace.checks) {
    const mark = { passed: '✓', refused: '✗', skipped: '-' }[verdict]
    print(`    ${mark} ${check.padEnd(18)} ${detail} ${status_code ?? ''}`)
  }
}

/** The transactions of this card, the first one first. */
async function transactionsOf(sandbox: Sandbox, card: Card): Promise<object[]> {
  const page = await sandbox.issuing('GET', `/transactions?card_id=${card.id}`)
  const newest_first: readonly Record<(typeof members)[number], string | number>[] = page.data
  return newest_first
    .map((one) => Object.fromEntries(members.map((name) => [name, one[name]])))
    .reverse()
}
