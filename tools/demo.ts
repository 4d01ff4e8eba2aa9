/** `npm run demo`: runs an example against the running server and prints each step. */

import { DemoFault, openSandbox } from './demo/client.ts'
import { Figures } from './demo/figures.ts'
import { fundAndIssue, makeProgram } from './demo/issuing.ts'
import { print, step } from './demo/print.ts'
import { openReceiver } from './demo/receiver.ts'
import { buy, capture, refund } from './demo/shop.ts'

try {
  await runExample()
} catch (error) {
  if (!(error instanceof DemoFault)) throw error
  console.error(`\n${error.message}`)
  process.exitCode = 1
}

async function runExample(): Promise<void> {
  const sandbox = await openSandbox()
  const receiver = await openReceiver(sandbox)
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
    await refund(sandbox, reference, '20.25')
    await figures.expect({ held: 0, moved: 100.25 })

    await decline(sandbox, card.id)
    await figures.expect({ held: 0, moved: 100.25 })
    await receiver.expect(['CARD_STATUS_CHANGE', 'TRANSACTION', 'ORDER_CAPTURED', 'ORDER_REFUNDED'])
    print('\nAll amounts agree. `npm run doctor` checks the whole database.')
  } finally {
    await receiver.close()
  }
}

type Verdict = 'passed' | 'refused' | 'skipped'
type Trace = { checks: { check: string; detail: string; verdict: Verdict; status_code?: string }[] }

async function decline(sandbox: Awaited<ReturnType<typeof openSandbox>>, card_id: string) {
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
