import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account } from '../../api/types.ts'
import { TextInput } from '../../parts/fields.tsx'
import { Rehearse } from '../../parts/rehearse.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { Afterwards } from './afterwards.tsx'
import { AmountFields } from './amount_fields.tsx'

const NOTHING = { amount: '', notes: '' }

/** Money to another account of the same currency. */
export function Transfer({ account }: { account: Account }) {
  const { t } = useTranslation()
  const [recipient_account_id, setRecipient] = useState('')
  const [typed, setTyped] = useState(NOTHING)
  const { id: sender_account_id, currency } = account
  const transfer = (dry_run: boolean, key: string) => {
    const { amount, notes } = typed
    const body = {
      sender_account_id,
      recipient_account_id,
      currency,
      dry_run,
      amount: amountOf(amount, currency),
      ...(notes !== '' && { notes }),
    }
    return answered(issuing.transfers.create(body, { idempotencyKey: key }))
  }
  return (
    <Rehearse
      label={t('accounts.transfer')}
      text={t('accounts.transfer_text')}
      act={transfer}
      outcome={({ sender_account }) => <Afterwards before={account} after={sender_account} />}
      onDone={() => setTyped(NOTHING)}
    >
      <TextInput
        path="recipient_account_id"
        dir="ltr"
        required
        withAsterisk={false}
        autoComplete="off"
        label={t('accounts.recipient')}
        description={t('accounts.recipient_hint')}
        value={recipient_account_id}
        onChange={({ currentTarget }) => setRecipient(currentTarget.value.trim())}
      />
      <AmountFields currency={currency} typed={typed} onChange={setTyped} />
    </Rehearse>
  )
}
