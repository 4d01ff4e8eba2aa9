import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Dispute } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { EditDraft } from './draft.tsx'

type Verb = 'submit' | 'withdraw' | 'accept' | 'arbitrate'

/** The steps of the issuer by the status, each with its key. */
const MOVES: Partial<Record<Dispute['status'], readonly Verb[]>> = {
  DRAFT: ['submit', 'withdraw'],
  SUBMITTED: ['withdraw'],
  CHARGED_BACK: ['withdraw'],
  REPRESENTED: ['accept', 'arbitrate'],
}
const KEYS = { submit: 's', withdraw: 'w', accept: 'a', arbitrate: 'r' } as const
/** Steps that end a dispute without the money. */
const ENDS: readonly Verb[] = ['withdraw', 'accept']

export function DisputeActions({ dispute }: { dispute: Dispute }) {
  const may = useMay()
  return (
    <>
      {dispute.status === 'DRAFT' && may('updateDispute') && <EditDraft dispute={dispute} />}
      {(MOVES[dispute.status] ?? []).map(
        (verb) => may(`${verb}Dispute`) && <Move key={verb} dispute={dispute} verb={verb} />,
      )}
    </>
  )
}

function Move({ dispute: { id }, verb }: { dispute: Dispute; verb: Verb }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const act = (key: string) => {
    const body = note.trim() === '' ? {} : { note: note.trim() }
    return answered(issuing.disputes[verb](id, body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t(`disputes.moves.${verb}`)}
      text={t(`disputes.moves.${verb}_text`)}
      shortcut={KEYS[verb]}
      isMain={!ENDS.includes(verb)}
      isDangerous={ENDS.includes(verb)}
      act={act}
      onDone={() => setNote('')}
    >
      <TextInput
        path="note"
        label={t('disputes.note')}
        maxLength={1000}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </Act>
  )
}
