/**
 * The conditions that each audit of the database checks, and the operator's remedy for its
 * findings, for docs/doctor.md. In the order in which doctor prints them (D-562).
 */

import { waysInWords } from '#issuing/ledger/ledger.ts'
import { type Invariants, ofShops } from './invariants_of_shops.ts'

const BOOKS =
  'The stored value was changed by hand or by a fault of the program. Suspend the account, make ' +
  'a backup, and correct the stored value to that of the transfers; raise `version` of the ' +
  'account in the same transaction. Transfers are never changed: they are the books.'

export const invariants = {
  tenants: {
    holds: ['Each tenant has its row of `tenant_anchors`, and each of these rows its tenant.'],
    remedy:
      'A tenant without one writes nothing of what it answers: insert its id there at once, and ' +
      'treat what doctor finds of it as lost. Only an owner of the tables can have deleted it. A ' +
      'row of no tenant is deleted.',
  },
  users: {
    holds: [
      'Each user has one event of its creation, and one for each change of its status.',
      'The last of them has its status.',
    ],
    remedy:
      'A client that follows events lacks one, or has one too many: send it the present user; ' +
      'the finding stays. A status that was changed by hand is set to the one that was reported, ' +
      'and then changed by the API, where it is right.',
  },
  files: {
    holds: [
      'A tenant is counted to store the bytes of its files that are not deleted and hold no virus.',
    ],
    remedy:
      'Only a change by hand can have caused it: set `stored_bytes.bytes` of the tenant to what ' +
      'its files have, while it uploads nothing. Too high a count refuses uploads too early.',
  },
  ledger: {
    holds: [
      'The accounts of a tenant sum to zero in each currency.',
      'Each transfer names two accounts that exist, of its currency.',
      'The balance of an account is the sum of its entries.',
      'The held amount of an account is the sum of its open holds.',
      'The floor of a card account is what is available where that is below zero, else zero; ' +
        'other accounts have none.',
      ...waysInWords,
      'A card account has the currency of its product; the others are of no user and no product.',
      'The status of an account is the one that was reported last, ACTIVE where none was.',
    ],
    remedy: BOOKS,
  },
  'movements by calls': {
    holds: [
      'Each load, unload, transfer, funding and single charge of a request is there once, at the ' +
        'accounts and the time of its record in the audit log.',
      'Each unload and each transfer has its request, and so has each load of an account that ' +
        'requests load, but for the preload of a bulk issuance and the money of test cards.',
      'The account of a card of a bulk issuance was loaded with its amount.',
      'It has the amount of its answer, while that is kept under an idempotency key, for a day.',
      'The balance on which a payment was decided is the sum of the entries of the account until ' +
        'then, where nothing else moved there within a minute and nothing was charged.',
    ],
    remedy:
      'The audit log names who made the request, and its answer or the client knows the amount. ' +
      'Put back what was deleted or changed with the id that the record names, and the balances ' +
      'of its accounts, with `version` raised. An amount of a funding, and one of a load that ' +
      'no such payment followed and whose answer is no longer kept, are written nowhere else: ' +
      'doctor cannot find that they were changed with the balances. Compare them with the ' +
      'statements of the bank.',
  },
  charges: {
    holds: [
      'Each charge that was taken is one transfer of its account and amount, and the reverse.',
      'It has the amount and the transfer that were reported when it was taken.',
      'The sum given back to an account is that of its REVERSED charges.',
      'A charge of a VOIDED transaction is given back, canceled, or due to be given back.',
      'A month of a card that was charged is before the next month that is charged.',
      'A PENDING charge is due within the hour, one to be given back is due now, and no other ' +
        'is due.',
      'A charge is of the card and account of its transaction, or the account of its card, in ' +
        'the currency of that account; its transfer is of the same transaction and of the time ' +
        'at which it was taken.',
      'While its product is not changed, a charge is what the product charges: its amount, or ' +
        'its percentage of a posting of the transaction.',
      'A card is charged once for its issuing or its replacement; a transaction at most as ' +
        'often as it was posted, a fixed charge once; neither is left out while the product is ' +
        'not changed.',
      'A card whose product charges each month has a next month, due on its day of the month and ' +
        'within a month from now; while the product is not changed, each month before was ' +
        'charged. Its months end only when it is TERMINATED.',
    ],
    remedy:
      'Compare the charges and the statement of the account, and give back what was taken ' +
      'without a charge by loading the account; the finding of that transfer stays. A month that ' +
      'is charged again is prevented by correcting `monthly_charges.month` before its due time.',
  },
  disputes: {
    holds: [
      'What a dispute has credited to the cardholder and got from the card network is what its ' +
        'status has (disputes.md), and its last step led to that status.',
      'It is of the account of its transaction, and has no deadline once it has ended.',
      'For the disputes of a transaction the ledger moved as much as they have credited and got.',
      'The account DISPUTES of a currency has what its disputes have got from the card network ' +
        'and not credited.',
      'The disputes of a transaction are about no more than what it has cleared, unless that was ' +
        'reversed later.',
      'Its status is the one that was reported last.',
    ],
    remedy:
      'Compare `moves` of the dispute with the transfers of its transaction whose kind begins ' +
      'with DISPUTE_: correct the row to what the ledger moved, or load and unload the account ' +
      'for what is missing; the finding of those transfers stays. A status that was not reported ' +
      'is set to the one that was, and moved again by the API.',
  },
  cards: {
    holds: [
      'Each report of a status begins where the one before it ended, and the last is the status.',
      'The reason belongs to the status.',
      'A card and the one that replaces it name each other, are in one chain, and the old one is ' +
        'TERMINATED.',
      'The account of a card is of its user and its product.',
      'A card and the one that replaces it have one product and one account; a card of a bulk ' +
        'issuance has its product.',
      'A card is valid to the end of the month in which it expires.',
      'Lists and limits that are in use exist.',
    ],
    remedy:
      'Correct the row of the card, and raise `version` of its account in the same ' +
      'transaction. A status that is right and was not reported is set to the one that was ' +
      'reported last, and then changed by the API, so that the change is reported. If a ' +
      'report between two others is missing, the finding stays: send clients the present card. ' +
      'A list that is missing is replaced by another by the API. A limit that is missing is ' +
      'enforced nowhere: take its id out (`velocity_limit_ids = ' +
      'array_remove(velocity_limit_ids, …)`, or `balance_limit_ids`) and link another.',
  },
  'orders of cards': {
    holds: [
      'A card that is ORDERED, SHIPPED or DELIVERED is in a batch whose file the bureau has, but ' +
        'for one whose order the operator recorded by hand, or 1.0.0.',
      'A batch has as many records as it states, and one that was sent has a digest.',
      'That digest, with what the batch froze, is what was noted when the file was made.',
    ],
    remedy:
      'Ask the bureau whether it has the order: the file name of the batch names it, and the ' +
      'order id. A card that it does not have becomes FAILED and then CREATED by ' +
      '`PUT /v1/operator/cards/{id}/fulfillment`, and is ordered anew. A digest that was changed ' +
      'by hand is set to that of the file (`gpg --decrypt FILE | sha256sum`).',
  },
  vault: {
    holds: [
      'Each card and each token has a number, and each number and each PIN has its card.',
      'The keys of a card product are in the custody of the installation, unless keys are moved.',
    ],
    remedy:
      'A card without a number cannot pay: restore the row of the vault from a backup, which ' +
      'opens unless its data key was removed since (`--remove-old`), or terminate the card and ' +
      'replace it; then the finding stays, because what the network clears of the old number ' +
      'finds no card. A number or PIN without a card is reachable by nobody and is deleted. Keys ' +
      'outside the custody do not open: move them (`bezant keys move --to hsm`), or bring them ' +
      'in again by key blocks.',
  },
  'keys of networks': {
    holds: [
      'A key of a network is in the custody of the installation, unless keys are moved. What is ' +
        'stored of it says which, by its length.',
    ],
    remedy:
      'A process that meets it verifies no code and no PIN of that network: move it (`bezant ' +
      'keys move --to hsm`), or ask the network for another ' +
      '(`POST /v1/operator/networks/{name}:exchangekeys`).',
  },
  tokens: {
    holds: ['Each token of a TERMINATED card is DELETED.'],
    remedy: 'Set the token to DELETED by the API (`PUT /v1/tokens/{id}`).',
  },
  'bulk issuances': {
    holds: [
      'A bulk issuance has as many cards as it counts.',
      'It holds the preload of the cards that are not issued yet.',
      'A hold is of a bulk issuance, of its currency, at the program funding of that currency.',
    ],
    remedy: 'Compare its cards with its count, then treat the hold as the ledger above.',
  },
  transactions: {
    holds: [
      'The cleared amount is that of the transfers at the account: out of it for a debit, into ' +
        'it for a credit, back by a REVERSAL only, all of it at the one account of the ' +
        'transaction.',
      'Each transfer of it is of the time of one of its events, unless it is a charge.',
      'It is DECLINED if that was the last thing that happened to it; its code is that of one of ' +
        'its events, and one that is PENDING holds for a debit.',
      'The amount that the card network got (`settled` of another currency) is that of the ' +
        'transfers at the settlement, with FX_DIFFERENCE, the other way.',
      'A transfer that posts at once is of the type of its transaction, and its transaction ' +
        'exists.',
      'A transaction is of the account and the user of its card, and is billed in the currency ' +
        'of the account.',
      'A hold ends after the transaction was made, and at most the days of the settings after ' +
        'the last thing that happened.',
      'The rates of a foreign transaction are rates of its two currencies; its billed amount is ' +
        'its amount at its rate, and at what lies between the lowest and the highest rate once ' +
        'more happened. One in the currency of the account has no rate.',
      'It was made at the time of its first event; its retrieval reference is that of its message.',
      'A DECLINED transaction has no code of an approval, and only one with an account holds or ' +
        'posts.',
      'The refunded amount is the sum of the refunds that name the transaction, in both ' +
        'currencies, and not more than the cleared one; a refund is of the account of the ' +
        'transaction that it names.',
      'A PENDING transaction holds something, and at most what is authorized.',
      'Amounts in the currency of the account and in its own agree with each other.',
      'A message that posts at once has posted its amount.',
      'Repeats of a request are declined if and only if it was reversed.',
      'Its status and its amount follow from its last event and its state before that: VOIDED ' +
        'was reversed in full, EXPIRED was not cleared, and what it holds is what is authorized ' +
        'and neither cleared nor presented apart, unless its hold has ended once.',
      'It counts as many changes as its history has, and each was reported by one event; each ' +
        'that was reported exists.',
    ],
    remedy: `${BOOKS} If an event is missing, send clients the present transaction.`,
  },
  'messages of the network': {
    holds: [
      'A message whose reversal came and found nothing (9114) is not in force.',
      'The key of a message is stored once, for one transaction, which exists and which its ' +
        'answer names.',
      'An approval that waits to be reversed for want of an answer exists and is not DECLINED.',
      'A message about a transaction comes with it or after it, and not in the future.',
      'The credits of a card and day without a purchase are the sum of those transactions.',
    ],
    remedy:
      'A message and its reversal that both took effect hold money that the network does not ' +
      'claim; a repeat of the reversal gets its first answer. Have the acquirer send a new 0420 ' +
      '(another DE11 and DE7) that names the message in DE90: it finds the transaction now. ' +
      'A message of two transactions holds or posts twice: reverse or refund one. The sum of ' +
      'credits bounds later credits of that day only: correct `unlinked_credits.amount`.',
  },
  'clearing files': {
    holds: [
      'An accepted file has all its records, whose amounts sum to that of its trailer.',
      'The account SUSPENSE of a currency has exactly what its records in suspense sum to.',
      'A record that is posted has a transaction that was presented.',
      'What files have presented of a transaction has as many records, of the same amount.',
      'A record with money is posted, booked, in suspense or resolved, and not shown alone.',
      'What is booked of a record is what the network settles of it (DE6 in DE51, else DE4).',
      'The fees that files took from SETTLEMENT are those of their records.',
      'A total that a file has of itself (1644 685, 688) is the sum of its records.',
      'A record that has moved a dispute is a step of that dispute.',
      'An outgoing file has its messages without gap, whose amounts sum to that of its trailer.',
    ],
    remedy:
      'A record was changed by hand, or money was moved without one. Compare the file, by ' +
      '`bezant clearing show`, with `GET /v1/operator/clearings/{id}/records`: the file is what ' +
      'the network settles. Correct the record, and book what is missing as a resolution of it.',
  },
  limits: {
    holds: [
      'The count of a window is the sum of the counts of its transactions.',
      'Counters of a chain of cards are where decisions read them.',
      'A transaction counts at most its held and posted amount, as one transaction.',
      'A debit has counted in each limit that was certainly linked by then to its card, its ' +
        'product or its user, and was not changed since.',
    ],
    remedy:
      'A counter of more declines too early, one of less too late, until its window ends. ' +
      'Correct `accounts.counters`, of users `user_counters.counters`, to what the transactions ' +
      'have, and raise `version` in the same statement. They are ' +
      '`[["", {"l7": "1250 2 DAILY AED 2026-06-12"}]]`: pairs of a chain of cards (`""` is all ' +
      'of the account or user) and its counters, each named by `l` and `limits.short_id`, with ' +
      'the amount in minor units, the number of transactions, and the window. A chain that the ' +
      'account does not name has its counters in a row of `chain_counters`; raise the version of ' +
      'the account in the same transaction. Such rows are read only where the account names ' +
      'eight chains: leave a chain that it names there, with `{}` if nothing counts. Add the ' +
      'pair of a row that is not read to the account, unless that names the chain, and delete ' +
      'the row. A new limit in place of the old one counts from its ' +
      'first payment on; the finding of the old one stays.',
  },
  ...ofShops,
  'events and deliveries': {
    holds: [
      'The events of an object are numbered without a gap.',
      'The places of the feed of a tenant are numbered without a gap, up to its end.',
      'Each delivery has its event, and is finished or has a next attempt.',
      'A delivery to an endpoint of a merchant is of an event of that merchant.',
      'The deliveries of a batch are made within ten minutes.',
    ],
    remedy:
      'If the deliveries of a batch are not made, see whether a process with the role of the ' +
      'worker runs, and call `:recover` of the subscription. A delivery that is due never is ' +
      'sent by `POST /v1/deliveries/{id}:resend`. A lost event cannot be made again, and its ' +
      'finding stays.',
  },
  times: {
    holds: [
      'No user, account, card, product, limit or merchant, and no row of money, was made long ' +
        'before its tenant or is of a time to come; a message may be older.',
      'None was made before the product, card, account, merchant or payment that it names.',
    ],
    remedy:
      'Reports, payouts and deadlines go by these times. Set `created` to the time that the ' +
      'events of the object have, or that its id begins with (48 bits of milliseconds, ' +
      'in real time).',
  },
  'due work': {
    holds: ['A sweep finds all due work at its time: `due_work` has the time of the earliest.'],
    remedy:
      'Nothing is lost: it waits. Insert the row of the tenant and the kind with the time that ' +
      'doctor names, or set its `due` to that time; the next look of the sweep does the rest. ' +
      'Report it: a part of the program wrote the row without saying when it is due.',
  },
  'idempotency keys': {
    holds: ['A key has one answer.'],
    remedy:
      'The primary key is missing: delete the later answer, and restore it ' +
      '(`alter table idempotency_keys add primary key (tenant_id, key)`).',
  },
  'audit log': {
    holds: ['The records of a tenant form one chain of hashes, without a gap.'],
    remedy: 'See [audit.md](audit.md): the records from the first wrong one on prove nothing.',
  },
  'nodes of a cluster': {
    holds: [
      'Each node of a [cluster](cluster.md) answers.',
      'Each has the same tables, with the same columns, policies and privileges, the same role ' +
        'of the program, and the same copy of each reference table.',
    ],
    remedy:
      'While a node does not answer, its tenants are left out, and so are the checks that ask ' +
      'for all tenants at once: start it, and run doctor again. `bezant distribute` brings ' +
      'tables and roles to one state. A copy that differs was written at its node by hand: ' +
      'correct its rows ' +
      'there (`set citus.enable_manual_changes_to_shards = on`).',
  },
  'orders compared with the issuer': {
    holds: [
      'The captured and refunded sums of an order are those that the transactions of its ' +
        'retrieval reference have posted, and nothing is held once it is closed.',
    ],
    remedy:
      'One of the two sides has not heard of a message. See the messages of the order; the ' +
      'difference is settled with the clearing file of the issuer.',
  },
} as const satisfies Record<string, Invariants>
