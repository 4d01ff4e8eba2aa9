import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account, FundsMovement } from '../../api/types.ts'
import { Rehearse } from '../../parts/rehearse.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { Afterwards } from './afterwards.tsx'
import { AmountFields } from './amount_fields.tsx'

type Way = 'load' | 'unload'

const NOTHING = { amount: '', notes: '' }

/** Money between the account and the program funding of its currency. */
export function MoveFunds({ account, way }: { account: Account; way: Way }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(NOTHING)
  const { id, currency } = account
  const move = (dry_run: boolean, key: string): Promise<FundsMovement> => {
    const { amount, notes } = typed
    const body = {
      amount: amountOf(amount, currency),
      currency,
      dry_run,
      ...(notes !== '' && { notes }),
    }
    return way === 'load'
      ? answered(issuing.accounts.loadFunds(id, body, { idempotencyKey: key }))
      : answered(issuing.accounts.unloadFunds(id, body, { idempotencyKey: key }))
  }
  return (
    <Rehearse
      isMain={way === 'load'}
      label={t(`accounts.${way}`)}
      text={t(`accounts.${way}_text`)}
      act={move}
      outcome={(answer) => <Afterwards before={account} after={answer.account} />}
      onDone={() => setTyped(NOTHING)}
    >
      <AmountFields currency={currency} typed={typed} onChange={setTyped} />
    </Rehearse>
  )
}
