/** Decisions of compliance, each behind a dialog that says what follows from it. */

import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Identification, KycRequest, User } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Textarea } from '../../parts/fields.tsx'
import { mayBeApproved, mayBeRejected } from '../../parts/person/moves.ts'

type Of<Subject> = { tenant_id: string; of: Subject; onDone?: () => void }

const NOTE_LENGTH = 1000
const keyed = (key: string) => ({ idempotencyKey: key })

export function UserDecisions({ tenant_id, of: user, onDone }: Of<User>) {
  const may = useMay()
  const { t } = useTranslation()
  const { id, modified } = user
  return (
    <>
      {may('approveUser') && mayBeApproved(user) && (
        <Decision
          name="approve"
          shortcut="a"
          isMain
          {...(onDone && { onDone })}
          act={(given, key) => {
            const body = { ...given, modified }
            return answered(issuing.operator.approveUser(id, body, { tenant_id }, keyed(key)))
          }}
        />
      )}
      {may('rejectUser') && mayBeRejected(user) && (
        <Decision
          name="reject"
          label={t('reviews.why_user')}
          shortcut="r"
          isDangerous
          {...(onDone && { onDone })}
          act={({ reason = '' }, key) => {
            const body = { reason, modified }
            return answered(issuing.operator.rejectUser(id, body, { tenant_id }, keyed(key)))
          }}
        />
      )}
    </>
  )
}

export function DocumentDecisions({ tenant_id, of }: Of<Identification>) {
  const { id, document_status, modified } = of
  const may = useMay()
  const { t } = useTranslation()
  return (
    <>
      {may('verifyIdentification') && document_status !== 'VERIFIED' && (
        <Decision
          name="verify"
          shortcut="v"
          act={(given, key) => {
            const body = { ...given, modified }
            return answered(
              issuing.operator.verifyIdentification(id, body, { tenant_id }, keyed(key)),
            )
          }}
        />
      )}
      {may('rejectIdentification') && document_status !== 'REJECTED' && (
        <Decision
          name="reject_document"
          label={t('reviews.why_document')}
          shortcut="d"
          isDangerous
          act={({ reason = '' }, key) => {
            const body = { reason, modified }
            return answered(
              issuing.operator.rejectIdentification(id, body, { tenant_id }, keyed(key)),
            )
          }}
        />
      )}
    </>
  )
}

export function KycDecisions({ tenant_id, of: { id }, onDone }: Of<KycRequest>) {
  const may = useMay()
  const { t } = useTranslation()
  return (
    <>
      {may('approveKycRequest') && (
        <Decision
          name="pass_kyc"
          shortcut="o"
          {...(onDone && { onDone })}
          act={(body, key) =>
            answered(issuing.operator.approveKycRequest(id, body, { tenant_id }, keyed(key)))
          }
        />
      )}
      {may('rejectKycRequest') && (
        <Decision
          name="fail_kyc"
          label={t('reviews.why_kyc')}
          shortcut="x"
          isDangerous
          act={({ reason = '' }, key) =>
            answered(issuing.operator.rejectKycRequest(id, { reason }, { tenant_id }, keyed(key)))
          }
        />
      )}
    </>
  )
}

type DecisionProps = {
  name:
    | 'approve'
    | 'reject'
    | 'verify'
    | 'reject_document'
    | 'pass_kyc'
    | 'fail_kyc'
    | 'dismiss_match'
    | 'confirm_match'
  /** The object that it decides on, if the page has many. */
  of?: string
  /** The question for the reason, where the operation requires one. */
  label?: string
  shortcut?: string
  isMain?: boolean
  isDangerous?: boolean
  act: (body: { reason?: string }, key: string) => Promise<unknown>
  onDone?: () => void
}

export function Decision({ name, label, act, ...rest }: DecisionProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const sent = reason.trim()
  return (
    <Act
      {...rest}
      label={t(`reviews.${name}`)}
      text={t(`reviews.${name}_text`)}
      act={(key) => act(sent === '' ? {} : { reason: sent }, key)}
    >
      <Textarea
        path="reason"
        data-autofocus
        autosize
        minRows={2}
        label={label ?? t('reviews.note')}
        description={label === undefined ? t('reviews.note_hint') : t('reviews.reason_hint')}
        required={label !== undefined}
        withAsterisk={false}
        maxLength={NOTE_LENGTH}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        onKeyDown={sendByEnter}
      />
    </Act>
  )
}

/** A decision needs no mouse; Shift and Enter begin a new line. */
function sendByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
