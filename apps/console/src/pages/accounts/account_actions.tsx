import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Account } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { ChargeAccount } from './charge_account.tsx'
import { MoveFunds } from './move_funds.tsx'
import { Transfer } from './transfer.tsx'

/** Money moves on an ACTIVE account only; any status may follow any other. */
export function AccountActions({ account }: { account: Account }) {
  const may = useMay()
  const isActive = account.status === 'ACTIVE'
  return (
    <>
      {isActive && may('loadAccountFunds') && <MoveFunds account={account} way="load" />}
      {isActive && may('unloadAccountFunds') && <MoveFunds account={account} way="unload" />}
      {isActive && may('createTransfer') && <Transfer account={account} />}
      {isActive && may('chargeAccount') && <ChargeAccount account={account} />}
      {may('changeAccountStatus') && <ChangeStatus account={account} />}
    </>
  )
}

const STATUSES = ['ACTIVE', 'SUSPENDED', 'INACTIVE'] as const

function ChangeStatus({ account }: { account: Account }) {
  const { t } = useTranslation()
  const { id, status: present } = account
  const others = STATUSES.filter((status) => status !== present)
  const [chosen, choose] = useState('')
  const [notes, setNotes] = useState('')
  const status = others.find((other) => other === chosen) ?? others[0] ?? 'ACTIVE'
  const body = { status, ...(notes !== '' && { notes }) }
  return (
    <Act
      label={t('accounts.change_status')}
      text={t('accounts.change_status_text')}
      act={() =>
        changeSeen({
          item: account,
          read: () => answered(issuing.accounts.get(id)),
          // Its balance changes with each payment.
          isOther: (fresh) => fresh.status !== present,
          save: (match) => answered(issuing.accounts.changeStatus(id, body, match)),
        })
      }
      onDone={() => setNotes('')}
    >
      <NativeSelect
        path="status"
        dir="ltr"
        label={t('fields.status')}
        data={others}
        value={status}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <TextInput
        path="notes"
        label={t('accounts.notes')}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
    </Act>
  )
}
