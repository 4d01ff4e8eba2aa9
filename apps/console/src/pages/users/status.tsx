import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { User } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { awaitsReport, movesOf, type UserMove } from '../../parts/person/moves.ts'
import { SimulateReport } from './simulate.tsx'

const NOTE_LENGTH = 1000

/** The actions that the user's present state permits. */
export function UserActions({ user }: { user: User }) {
  const may = useMay()
  const isSandbox = may('simulateIdentityReport')
  return (
    <>
      {isSandbox && awaitsReport(user) && <SimulateReport user={user} />}
      {may('changeUserStatus') &&
        movesOf(user).map((move) => <Move key={move.name} user={user} move={move} />)}
    </>
  )
}

function Move({ user, move: { name, to, reason } }: { user: User; move: UserMove }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const act = () => {
    const body = { status: to, status_reason_code: reason, ...(note !== '' && { note }) }
    return changeSeen({
      item: user,
      read: () => answered(issuing.users.get(user.id)),
      isOther: ({ status, status_reason_code }) =>
        status !== user.status || status_reason_code !== user.status_reason_code,
      save: (match) => answered(issuing.users.changeStatus(user.id, body, match)),
    })
  }
  return (
    <Act
      label={t(`reviews.moves.${name}`)}
      text={t(`reviews.moves.${name}_text`)}
      isDangerous={name === 'terminate'}
      act={act}
      onDone={() => setNote('')}
    >
      <TextInput
        path="note"
        label={t('reviews.note')}
        description={t('reviews.note_hint')}
        maxLength={NOTE_LENGTH}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </Act>
  )
}
