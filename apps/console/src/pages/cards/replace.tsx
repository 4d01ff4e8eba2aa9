import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect } from '../../parts/fields.tsx'
import { isMigrating, type Target } from './moves.ts'
import { Note } from './note.tsx'
import { replaceCard } from './status_calls.ts'

/** Why a card is replaced; the most usual first. */
const WHY = ['T1', 'T2', 'T3'] as const

/**
 * A new number for the same user, product and account; the limits count on. The card of a dialog
 * that stays open may end meanwhile: its form then has nothing more to ask.
 */
export function Replace({ card }: { card: Card }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [reason, setReason] = useState<(typeof WHY)[number]>('T1')
  const [note, setNote] = useState('')
  const { user_id, replaced_by_card_id, status } = card
  const isEnded = status === 'TERMINATED'
  const target: Target = { status: 'TERMINATED', status_reason_code: reason }
  if (user_id === undefined || replaced_by_card_id !== undefined || isMigrating(card)) return null
  return (
    <Act
      isMain={isEnded}
      isDangerous={!isEnded}
      label={t('cards.moves.replace')}
      text={isEnded ? t('cards.moves.replace_text') : t('cards.moves.replace_open_text')}
      act={(key) => replaceCard({ card, target, note, key })}
      said={() => t('cards.moves.replaced')}
      onDone={({ id }) => void navigate({ to: `/cards/${id}` })}
    >
      {!isEnded && (
        <>
          <NativeSelect
            path="status_reason_code"
            label={t('cards.moves.replace_why')}
            data={WHY.map((code) => ({ value: code, label: t(`cards.replaced_since.${code}`) }))}
            value={reason}
            onChange={({ currentTarget }) =>
              setReason(WHY.find((code) => code === currentTarget.value) ?? 'T1')
            }
          />
          <Note value={note} onChange={setNote} />
        </>
      )}
    </Act>
  )
}
