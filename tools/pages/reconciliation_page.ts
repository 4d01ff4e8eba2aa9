/** docs/reconciliation.md: the books, and the table of kinds from the rules themselves. */

import { fileKinds } from '#src/audit/reconciliation/files/kinds.ts'
import { kinds, openReasons } from '#src/audit/reconciliation/rules/kinds.ts'
import { page, table } from './markdown.ts'

const INTRO = [
  '`bezant reconcile --date 2026-11-25` compares three books of a day (D-715):\n\n' +
    '- **orders**: payments, captures and refunds of merchants, as their orders have them;\n' +
    '- **acquirer**: the messages to the issuer that were approved (0100, 0220, 0200);\n' +
    '- **issuer**: its transactions whose first message came from the acquirer (DE32), with what ' +
    'its ledger moved for them.',
  'An operation names its message. A message and a transaction have the retrieval reference ' +
    '(DE37), the trace number (DE11) and the time (DE7) in common; a completion, which makes no ' +
    'transaction of its own, is a clearing of the ledger, and is compared by its amount and order.',
  'Of payments that are charged back two more are compared (D-1371): the **chargebacks** of shops ' +
    'with their fees, entries and payouts, and the **disputes** of the issuer that were charged ' +
    'back. The scheme of a sandbox names the dispute; where none is named, the chargeback of the ' +
    'same order and amount is the one, and a step may be at one side before it is at the other.',
  'A day is one of UTC, as the times on the wire are, and each entry counts on the day on which ' +
    'its book made it (D-716). Only entries of which a book has the day are named. Where ' +
    '`ISSUER_ADDRESS` is another program, its book is not here: orders and acquirer are compared, ' +
    'and `issuer` of the report is ELSEWHERE; so are payments that went to an issuer of ' +
    '`ISSUERS_FILE`. Tokens and numbers of cards are in no report.',
]

const COMMAND = `## The command

    bezant reconcile --date 2026-11-25                  a line for each difference, and the sums
    bezant reconcile --date 2026-11-25 --json           one object, difference by difference
    bezant reconcile --date 2026-11-25 --csv day.csv    a file, which must not be there yet
    bezant reconcile --date 2026-11-25 --tenant ID      the books of one tenant
    bezant reconcile --date 2026-11-25 --merchant ID    the payments of one merchant

It only reads, in portions of 500 payments, and may run while the program runs. It uses DATABASE_URL,
or the embedded database of DATA_DIR. It ends with 0 where nothing differs, with 1 where something
does, and with 2 where it could not run. \`GET /v1/operator/reconciliation?date=\` answers the same with
the first 500 differences, and with \`Accept: text/csv\` all of them; the console has it as Operator →
Reconciliation.`

const READING =
  'A difference has the id, amount, currency and time of each side that has the entry, and a ' +
  'sentence. Where the books are read while a payment goes on, it is read again, and is open ' +
  'unless orders and messages are as before (D-718).'

const FILES =
  'Each clearing file that was accepted on the day, in real time, is compared with its trailer, and ' +
  'each of its records with what was posted and booked of it: postings, fees, suspense, what was ' +
  'resolved, what is shown alone and what waits are together the records of the file, by currency ' +
  '(D-1331). So is each transaction for which the account SETTLEMENT got or gave something on the ' +
  'day, so that a posting without its record is found. SUSPENSE has what its records say now. The ' +
  'report has `files` with their sums, and `file_differences`; the command prints both. With ' +
  '`--merchant` no file is compared: files are of cards.'

export function reconciliationPage(): string {
  const rows = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([name, text]) => [`\`${name}\``, text])
  return page('Reconciliation', [
    ...INTRO,
    COMMAND,
    '## Differences',
    table(['Kind', 'What differs'], rows(kinds)).join('\n'),
    READING,
    '## Clearing files',
    FILES,
    table(['Kind', 'What differs'], rows(fileKinds)).join('\n'),
    '## What is open',
    'Work under way is no difference, and does not change the exit code.',
    table(['Reason', 'What is under way'], rows(openReasons)).join('\n'),
  ])
}
