/** `disputes`: lists and shows them, opens one, and makes the steps of the issuer. */

import { Argument, type Command, Option } from 'commander'
import type { Bezant, Dispute, ListDisputesQuery } from '#client/index.ts'
import { type ApiOptions, apiCommand, withExamples } from '../../kit/command.ts'
import { clientOf, platformOf } from '../../kit/platform.ts'
import { print } from '../../kit/print.ts'
import { jsonOf, visible } from '../../kit/text.ts'
import { AMOUNT, CREATED, type Filter, ID, id, type Resource, STATUS, timeOf } from './columns.ts'

const STATUSES: readonly Dispute['status'][] = [
  'DRAFT',
  'SUBMITTED',
  'CHARGED_BACK',
  'REPRESENTED',
  'PRE_ARBITRATION',
  'WON',
  'LOST',
  'ACCEPTED',
  'WITHDRAWN',
  'EXPIRED',
]
const REASONS: readonly Dispute['reason'][] = [
  'FRAUD',
  'NOT_RECEIVED',
  'NOT_AS_DESCRIBED',
  'CANCELLED',
  'CREDIT_NOT_PROCESSED',
  'DUPLICATE',
  'WRONG_AMOUNT',
  'PAID_BY_OTHER_MEANS',
  'CASH_NOT_DISPENSED',
  'OTHER',
]

const filters: readonly Filter<keyof ListDisputesQuery>[] = [
  { filter: 'status', words: 'status', values: STATUSES },
  { filter: 'reason', words: 'reason', values: REASONS },
  id('transaction_id'),
  id('account_id'),
  id('card_id'),
  { filter: 'deadline_before', words: 'time', about: 'only those whose deadline is before it' },
  {
    filter: 'sort_by',
    words: 'order',
    values: ['created', 'deadline'],
    about: 'deadline: those that have one, the next first',
  },
]

export const disputes: Resource<Dispute> = {
  one: 'dispute',
  about: 'Opens, lists and moves disputes.',
  filters,
  examples: [
    'list --sort-by deadline',
    'open TRANSACTION --reason FRAUD --explanation "Not by me"',
    'submit ID',
  ],
  columns: [
    ID,
    AMOUNT,
    { title: 'REASON', rank: 5, least: 8, value: ({ reason }) => reason },
    { title: 'CODE', rank: 7, value: ({ reason_code }) => reason_code },
    STATUS,
    { title: 'DEADLINE', rank: 4, value: ({ deadline }) => deadline && timeOf(deadline) },
    { title: 'TRANSACTION', rank: 9, least: 9, value: ({ transaction_id }) => transaction_id },
    CREATED,
  ],
  list: (bezant, query) => bezant.disputes.list(query),
  get: (bezant, dispute_id) => bezant.disputes.get(dispute_id),
  more: () => [openCommand(), ...steps.map(stepCommand)],
}

type OpenOptions = ApiOptions & {
  reason: Dispute['reason']
  explanation: string
  amount?: string
}

function openCommand(): Command {
  const command = apiCommand('open')
    .summary('open a dispute of a settled transaction')
    .description('Opens a dispute as a DRAFT, which moves no money.')
    .addArgument(new Argument('<transaction>', 'id of the transaction'))
    .addOption(
      new Option('--reason <reason>', 'reason of the dispute')
        .choices([...REASONS])
        .makeOptionMandatory(),
    )
    .requiredOption('--explanation <text>', 'what happened')
    .option('--amount <amount>', 'less than all that is left of it')
    .action(async (transaction_id: string, options: OpenOptions) => {
      const { reason, explanation, amount } = options
      const body = { transaction_id, reason, explanation, ...(amount !== undefined && { amount }) }
      say(await clientOf(platformOf(options)).disputes.open(body), options)
    })
  return withExamples(command, [
    'disputes open TRANSACTION --reason NOT_RECEIVED --explanation "It never came"',
  ])
}

type Step = {
  verb: 'submit' | 'withdraw' | 'accept' | 'arbitrate'
  about: string
}
const steps: readonly Step[] = [
  { verb: 'submit', about: 'Submits a draft: its chargeback leaves for the card network next.' },
  { verb: 'withdraw', about: 'Ends a dispute without a decision.' },
  { verb: 'accept', about: 'Accepts a representment: the dispute is lost.' },
  { verb: 'arbitrate', about: 'Contests a representment: the scheme decides.' },
]

type StepOptions = ApiOptions & { note?: string }

function stepCommand({ verb, about }: Step): Command {
  const command = apiCommand(verb)
    .summary(`${verb} a dispute`)
    .description(about)
    .addArgument(new Argument('<id>', 'id of the dispute'))
    .option('--note <text>', 'kept with the step')
    .action(async (dispute_id: string, options: StepOptions) => {
      const bezant: Bezant = clientOf(platformOf(options))
      const { note } = options
      say(await bezant.disputes[verb](dispute_id, note === undefined ? {} : { note }), options)
    })
  return withExamples(command, [`disputes ${verb} ID`, `disputes ${verb} ID --note "As agreed"`])
}

/** The object as JSON, or its id and status in a line. */
function say(dispute: Dispute, { json }: ApiOptions): void {
  print(json ? jsonOf(dispute) : visible(`${dispute.id} ${dispute.status}`))
}
