/** `explain TRANSACTION`: the trace of a decision in words. */

import type { Command } from 'commander'
import type { Transaction, TransactionTrace } from '#client/index.ts'
import { moneyOf } from '../kit/amounts.ts'
import { type ApiOptions, apiCommand, withExamples } from '../kit/command.ts'
import { clientOf, platformOf } from '../kit/platform.ts'
import { print, styled } from '../kit/print.ts'
import { jsonOf, visible } from '../kit/text.ts'

type Check = TransactionTrace['checks'][number]

const marks = {
  passed: ['✓', 'green'],
  refused: ['✗', 'red'],
  would_refuse: ['!', 'yellow'],
  skipped: ['-', 'dim'],
} as const

export function explainCommand(): Command {
  const command = apiCommand('explain')
    .description('Says in words why a transaction was approved or declined.')
    .argument('<transaction>', 'id of the transaction')
    .action(async (id: string, options: ApiOptions) => {
      const bezant = clientOf(platformOf(options))
      const [transaction, trace] = await Promise.all([
        bezant.transactions.get(id),
        bezant.transactions.getTrace(id),
      ])
      if (options.json) return print(jsonOf(trace))
      for (const line of inWords(transaction, trace)) print(line)
    })
  return withExamples(command, ['explain ID', 'explain ID --json'])
}

export function inWords(transaction: Transaction, { checks }: TransactionTrace): string[] {
  const { amount, currency, merchant, status, status_code, status_description } = transaction
  const kind = transaction.transaction_type.toLowerCase().replaceAll('_', ' ')
  const where = merchant.name ?? merchant.id
  const what = visible(`The ${kind} of ${moneyOf(amount, currency)}${where ? ` at ${where}` : ''}`)
  const refused = checks.find(({ verdict, decisive }) => verdict === 'refused' && decisive)
  const isDeclined = status === 'DECLINED'
  const why = refused
    ? `The check “${refused.check}” declined it: ${refused.detail ?? refused.status_code}.`
    : checks.length > 0
      ? 'Every check passed.'
      : 'No checks were made of it.'
  const decided = isDeclined ? styled('red', 'was declined') : styled('green', 'was approved')
  const code = visible(`${status_code} ${status_description}`)
  const later = checks.filter(({ verdict, decisive }) => verdict === 'refused' && !decisive)
  const also = later.length > 0 ? ` ${later.length} more would have declined it as well.` : ''
  return [`${what} ${decided}: ${code}.`, visible(why) + also, '', ...checks.map(lineOf)]
}

function lineOf({ check, detail = '', verdict, status_code = '', decisive }: Check): string {
  const [mark, style] = marks[verdict]
  const text = visible(`${check.padEnd(18)} ${detail} ${status_code}`).trimEnd()
  return `  ${styled(style, mark)} ${decisive ? text : styled('dim', text)}`
}
