import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readCard } from '../../api/cards.ts'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { ENDS, type MoveName, mayBecomePhysical, movesOf, type Target } from './moves.ts'

/** Demands the status that the member has seen; other members of the card may have changed. */
const seenStatus = (card: Card) => ({
  item: card,
  read: () => readCard(card.id),
  isOther: ({ status, status_reason_code }: Card) =>
    status !== card.status || status_reason_code !== card.status_reason_code,
})

function changeStatus(card: Card, target: Target, note: string): Promise<Card> {
  const path = { id: card.id }
  const body = { ...target, ...(note !== '' && { note: { description: note } }) }
  return changeSeen({
    ...seenStatus(card),
    save: (header) =>
      answered(issuing.PUT('/cards/{id}:statuschange', { body, params: { path, header } })),
  })
}

/** The actions that the card's present state permits. */
export function CardActions({ card }: { card: Card }) {
  const may = useMay()
  const isEnded = card.status === 'TERMINATED'
  return (
    <>
      {may('changeCardStatus') &&
        movesOf(card).map(([name, target]) => (
          <Move key={name} card={card} name={name} target={target} />
        ))}
      {may('updateCard') && mayBecomePhysical(card) && <MakePhysical card={card} />}
      {may('changeCardStatus') && !isEnded && <Terminate card={card} />}
      {may('createCard') && isEnded && card.replaced_by_card_id === undefined && (
        <Replace card={card} />
      )}
    </>
  )
}

type MoveProps = { card: Card; name: MoveName; target: Target }

function Move({ card, name, target }: MoveProps) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  return (
    <Act
      isMain={name === 'activate' || name === 'complete'}
      label={t(`cards.moves.${name}`)}
      text={t(`cards.moves.${name}_text`)}
      act={() => changeStatus(card, target, note)}
      onDone={() => setNote('')}
    >
      <Note value={note} onChange={setNote} />
    </Act>
  )
}

function Terminate({ card }: { card: Card }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState<(typeof ENDS)[number]>('T0')
  const [note, setNote] = useState('')
  const target: Target = { status: 'TERMINATED', status_reason_code: reason }
  return (
    <Act
      isDangerous
      label={t('cards.moves.terminate')}
      text={t('cards.moves.terminate_text')}
      act={() => changeStatus(card, target, note)}
    >
      <NativeSelect
        path="status_reason_code"
        label={t('cards.reason')}
        data={ENDS.map((code) => ({
          value: code,
          label: `${code} · ${t(`cards.reasons.${code}`)}`,
        }))}
        value={reason}
        onChange={({ currentTarget }) =>
          setReason(ENDS.find((code) => code === currentTarget.value) ?? 'T0')
        }
      />
      <Note value={note} onChange={setNote} />
    </Act>
  )
}

function Note({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation()
  return (
    <TextInput
      path="note"
      label={t('cards.note')}
      description={t('cards.note_hint')}
      maxLength={1000}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function MakePhysical({ card }: { card: Card }) {
  const { t } = useTranslation()
  const body = { change_to_physical: true }
  const path = { id: card.id }
  return (
    <Act
      label={t('cards.moves.physical')}
      text={t('cards.moves.physical_text')}
      act={() =>
        changeSeen({
          ...seenStatus(card),
          save: (header) =>
            answered(issuing.PUT('/cards/{id}', { body, params: { path, header } })),
        })
      }
    />
  )
}

/** A new number for the same user, product and account; the limits count on. */
function Replace({ card }: { card: Card }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { user_id = '', card_product_id, card_type, id: reference_card_id } = card
  const body = { user_id, card_product_id, card_type, reference_card_id }
  if (user_id === '') return null
  return (
    <Act
      isMain
      label={t('cards.moves.replace')}
      text={t('cards.moves.replace_text')}
      act={(key) => answered(issuing.POST('/cards', { body, params: { header: once(key) } }))}
      onDone={({ id }) => void navigate({ to: `/cards/${id}` })}
    />
  )
}
