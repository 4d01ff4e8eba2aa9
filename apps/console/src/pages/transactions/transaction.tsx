import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { Caused } from '../../parts/hooks/caused.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Code, Money } from '../../parts/values.tsx'
import { Actions } from './actions.tsx'
import { Amounts } from './amounts.tsx'
import { DecisionPath } from './decision_path.tsx'
import { DisputesOf } from './disputes_of.tsx'
import { Entries } from './entries.tsx'
import { Life } from './life.tsx'
import { Messages } from './messages.tsx'
import { Neighbours } from './neighbours.tsx'
import { Refunds } from './refunds.tsx'
import { Results } from './results.tsx'
import { TransactionFacts } from './transaction_facts.tsx'

const readTransaction = (id: string) => answered(issuing.transactions.get(id))

/** One transaction: the decision with its path, and what has happened to it since. */
export function TransactionPage() {
  return (
    <ObjectPage name="transactions" read={readTransaction}>
      {(transaction) => <Loaded key={transaction.id} transaction={transaction} />}
    </ObjectPage>
  )
}

function Loaded({ transaction }: { transaction: Transaction }) {
  const { amount, currency, status, merchant, transaction_type } = transaction
  return (
    <Page
      name="transactions"
      title={
        <>
          <Money amount={amount} currency={currency} />
          <bdi>{merchant.name ?? merchant.id ?? transaction_type}</bdi>
        </>
      }
      status={status}
      lead={<Code>{transaction.id}</Code>}
      actions={<Actions transaction={transaction} />}
    >
      <Neighbours id={transaction.id} />
      <Columns facts={<TransactionFacts transaction={transaction} />}>
        <DecisionPath transaction={transaction} />
        <Results transaction={transaction} />
        <Amounts transaction={transaction} />
        <Life transaction={transaction} />
        <Refunds transaction={transaction} />
        <DisputesOf transaction={transaction} />
        <Entries transaction={transaction} />
        <Caused transaction={transaction} />
        <Messages transaction={transaction} />
      </Columns>
    </Page>
  )
}
