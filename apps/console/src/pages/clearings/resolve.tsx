import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { ClearingRecord } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'

type Move = 'POST' | 'RETURN' | 'WRITE_OFF'

/** The ways out of suspense, each with its key. */
const KEYS = { POST: 'p', RETURN: 'r', WRITE_OFF: 'w' } as const
const NOTE_LENGTH = 500

type OfFile = { id: string; record: ClearingRecord }

/** Offered to those who may, while the record is in suspense. */
export function Resolve({ id, record }: OfFile) {
  const may = useMay()
  if (record.state !== 'SUSPENDED' || !may('resolveClearingRecord')) return null
  return (
    <>
      {record.kind === 'PRESENTMENT' && <Way id={id} record={record} move="POST" />}
      <Way id={id} record={record} move="RETURN" />
      <Way id={id} record={record} move="WRITE_OFF" />
    </>
  )
}

function Way({ id, record, move }: OfFile & { move: Move }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const [card, setCard] = useState('')
  const card_id = card.trim()
  const act = (key: string) => {
    const body = { action: move, note: note.trim(), ...(card_id !== '' && { card_id }) }
    return answered(
      issuing.operator.resolveClearingRecord(id, String(record.number), body, {
        idempotencyKey: key,
      }),
    )
  }
  return (
    <Act
      label={t(`operator.clearings.moves.${move}`)}
      text={t(`operator.clearings.texts.${move}`)}
      shortcut={KEYS[move]}
      isMain={move === 'POST'}
      isDangerous={move === 'WRITE_OFF'}
      act={act}
    >
      {move === 'POST' && (
        <TextInput
          path="card_id"
          label={t('operator.clearings.card_id')}
          description={t('operator.clearings.card_id_hint')}
          required={record.card_id === undefined}
          withAsterisk={false}
          dir="ltr"
          value={card}
          onChange={({ currentTarget }) => setCard(currentTarget.value)}
        />
      )}
      <TextInput
        path="note"
        label={t('operator.clearings.note')}
        required
        withAsterisk={false}
        maxLength={NOTE_LENGTH}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </Act>
  )
}
