import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { UserField } from '../../parts/issuing/user_field.tsx'

/** Gives a card of a bulk issuance its user. */
export function LinkUser({ card: { id, user_id: present, status } }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const [user_id, setUser] = useState('')
  if (!may('linkCard') || present !== undefined || status === 'TERMINATED') return null
  return (
    <Act
      isMain
      label={t('cards.link_user')}
      text={t('cards.link_user_text')}
      act={(key) => answered(issuing.cards.link(id, { user_id }, { idempotencyKey: key }))}
    >
      <UserField
        required
        label={t('fields.user')}
        placeholder={t('cards.find_user')}
        value={user_id}
        onChange={setUser}
      />
    </Act>
  )
}
