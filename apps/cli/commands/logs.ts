/** `logs tail`: decisions as they happen, by the feed of events. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  ApiError,
  ConnectionError,
  type Event,
  type Page,
  TimeoutError,
  type Transaction,
} from '#client/index.ts'
import { onEndSignal } from '#lib/process/end_signals.ts'
import { moneyOf } from '../kit/amounts.ts'
import { type ApiOptions, apiCommand, withExamples } from '../kit/command.ts'
import { apiPlatformOf, clientOf } from '../kit/platform.ts'
import { note, print, readerGone, styled } from '../kit/print.ts'
import { withoutCardData } from '../kit/secrets.ts'
import { jsonOf, visible } from '../kit/text.ts'

type Options = ApiOptions & {
  status?: string
  card?: string
  code?: string
  count?: number
  after?: string
}

/** Seconds that the platform keeps a question open until there is an event. */
const WAIT = 30
const AGAIN_MS = 1_000

export function logsCommand(): Command {
  const statuses = ['PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED']
  const tail = apiCommand('tail')
    .summary('show decisions as they happen')
    .description('Shows the decisions of the tenant as they happen. Ctrl-C ends it.')
    .addOption(new Option('--status <status>', 'only of this status').choices(statuses))
    .option('--card <id>', 'only of this card')
    .option('--code <code>', 'only with this status code')
    .option('--count <n>', 'ends after so many', countOf)
    .option('--after <event>', 'begins behind this event; at the end of the feed by default')
    .action(follow)
  const examples = ['logs tail', 'logs tail --status DECLINED', 'logs tail --json']
  const command = new Command('logs').description('Shows the decisions of the tenant.')
  return withExamples(command.addCommand(withExamples(tail, examples)), examples)
}

function countOf(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new InvalidArgumentError('It is not a number from 1 on.')
}

async function follow(options: Options): Promise<void> {
  const { url, ...profile } = apiPlatformOf(options)
  const bezant = clientOf({ url, ...profile })
  const ending = new AbortController()
  onEndSignal(() => ending.abort())
  readerGone.addEventListener('abort', () => ending.abort(), { once: true })
  const { signal } = ending
  let after: string | undefined = options.after ?? 'latest'
  let left = options.count ?? Number.POSITIVE_INFINITY
  let hasBegun = false
  let isBroken = false
  while (left > 0 && !signal.aborted) {
    // The first question is for the place of the feed alone, so that it is known when it begins.
    const wait = hasBegun ? WAIT : 0
    const page: Page<Event> | undefined = await bezant.events
      .list({ ...(after && { after }), wait }, { signal })
      .then(
        (found) => found,
        (error: unknown) => {
          if (signal.aborted) return undefined
          if (isPassing(error) && hasBegun) return undefined
          throw error
        },
      )
    if (!page) {
      // Nothing is missed: the feed is read on from the same place.
      if (!isBroken && !signal.aborted)
        note(styled('dim', 'The connection is broken: trying again.'))
      isBroken = true
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {})
      continue
    }
    if (!hasBegun) note(styled('dim', `Decisions of ${url}. Ctrl-C ends it.`))
    if (isBroken) note(styled('dim', 'Connected again.'))
    isBroken = false
    hasBegun = true
    // An empty feed has no place yet: then it is read from its beginning.
    after = page.after ?? (after === 'latest' ? undefined : after)
    for (const event of page.data) {
      if (event.event !== 'TRANSACTION') continue
      // The document says what the event of this kind has.
      const { card_transaction } = event as { card_transaction?: Transaction }
      if (!card_transaction || !fits(card_transaction, options) || left <= 0) continue
      left -= 1
      print(options.json ? jsonOf(withoutCardData(event), 0) : lineOf(card_transaction))
    }
  }
}

/** The platform restarts, or what is between it and here does. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return [429, 502, 503, 504].includes(error.status)
  return error instanceof ConnectionError || error instanceof TimeoutError
}

function fits(transaction: Transaction, { status, card, code }: Options): boolean {
  return (
    (status === undefined || transaction.status === status) &&
    (card === undefined || transaction.card_id === card.toLowerCase()) &&
    (code === undefined || transaction.status_code === code)
  )
}

function lineOf(transaction: Transaction): string {
  const { id, amount, currency, merchant, status, status_code, modified } = transaction
  const { transaction_type, status_description } = transaction
  const colour = status === 'DECLINED' ? 'red' : status === 'PENDING' ? 'yellow' : 'green'
  const decided = styled(colour, visible(`${status.padEnd(8)} ${status_code}`))
  const money = visible(moneyOf(amount, currency)).padStart(14)
  const what = visible([transaction_type, merchant.name ?? merchant.id].join(' ')).trim()
  const why = status === 'DECLINED' ? `  ${visible(status_description)}` : ''
  const time = styled('dim', visible(modified.slice(11, 19)))
  return `${time}  ${decided}  ${money}  ${what}${why}  ${styled('dim', visible(id))}`
}
