import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect } from '../../parts/fields.tsx'
import { ENDS, type MoveName, mayBecomePhysical, movesOf, type Target } from './moves.ts'
import { Note } from './note.tsx'
import { Replace } from './replace.tsx'
import { changeStatus, seenStatus } from './status_calls.ts'

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
      {may('createCard') && (isEnded || may('changeCardStatus')) && <Replace card={card} />}
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

function MakePhysical({ card }: { card: Card }) {
  const { t } = useTranslation()
  const body = { change_to_physical: true }
  return (
    <Act
      label={t('cards.moves.physical')}
      text={t('cards.moves.physical_text')}
      act={() =>
        changeSeen({
          ...seenStatus(card),
          save: (match) => answered(issuing.cards.update(card.id, body, match)),
        })
      }
    />
  )
}
