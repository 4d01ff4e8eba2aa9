import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { shortNumber } from '../../parts/issuing/card_number.ts'
import { useChoice } from '../../parts/use_choice.ts'
import { Code } from '../../parts/values.tsx'
import styles from './settings.module.css'

const MERCHANT = { name: 'Responder test', mcc: '5411' }

/** A purchase of the sandbox, about which the responder is asked. */
export function ResponderTest({ currency }: { currency: string }) {
  const { t } = useTranslation()
  const [card, setCard] = useState('')
  const [made, setMade] = useState<Transaction>()
  const { data: cards } = useQuery({
    queryKey: ['cards', 'active'],
    queryFn: () => {
      const query = { status: 'ACTIVE', limit: 20 } as const
      return answered(issuing.cards.list(query))
    },
  })
  const card_id = useChoice(cards?.data ?? [], card)?.id ?? ''
  const act = (key: string) => {
    const body = { card_id, amount: '1.00', currency, merchant: MERCHANT }
    return answered(issuing.simulation.authorization(body, {}, { idempotencyKey: key }))
  }
  const choices = cards?.data.map((one) => ({
    value: one.id,
    label: `${shortNumber(one.masked_card_number)} · ${one.name_on_card ?? ''}`,
  }))
  return (
    <>
      <Act
        label={t('responder.test')}
        text={t('responder.test_text')}
        submit={t('responder.send_test')}
        act={act}
        onDone={(answer) => setMade('id' in answer ? answer : undefined)}
      >
        <NativeSelect
          label={t('fields.card')}
          value={card_id}
          data={choices ?? []}
          onChange={({ currentTarget }) => setCard(currentTarget.value)}
        />
      </Act>
      {made && <Outcome made={made} />}
    </>
  )
}

function Outcome({ made: { id, status, status_code } }: { made: Transaction }) {
  const { t } = useTranslation()
  return (
    <p role="status" className={styles['outcome']}>
      {t('responder.tested')} <Code>{`${status} ${status_code}`}</Code>{' '}
      <Link to={`/transactions/${id}`}>{t('responder.see')}</Link>
    </p>
  )
}
