/** Forms of a dispute that is a draft: the claim, and the texts that show it. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Dispute } from '../../api/types.ts'
import { disputes } from '../../i18n/en/disputes.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { NativeSelect, Textarea, TextInput } from '../../parts/fields.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { readDispute } from './data.ts'
import { type Reason, reasonOf, useReasons } from './reason.ts'

export type Claim = { reason: Reason; amount: string; explanation: string }

const EXPLANATION_MOST = 4000
const EVIDENCE_MOST = 2000

type ClaimFieldsProps<Typed extends Claim> = {
  currency: string
  typed: Typed
  onChange: (typed: Typed) => void
}

export function ClaimFields<Typed extends Claim>(props: ClaimFieldsProps<Typed>) {
  const { currency, typed, onChange } = props
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        path="reason"
        label={t('disputes.reason')}
        data={useReasons()}
        value={typed.reason}
        onChange={({ currentTarget }) =>
          onChange({ ...typed, reason: reasonOf(currentTarget.value) ?? 'OTHER' })
        }
      />
      <TextInput
        path="amount"
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        label={t('disputes.how_much', { currency })}
        description={t('disputes.how_much_hint')}
        value={typed.amount}
        onChange={({ currentTarget }) => onChange({ ...typed, amount: currentTarget.value })}
      />
      <Textarea
        path="explanation"
        dir="auto"
        required
        withAsterisk={false}
        autosize
        minRows={2}
        maxLength={EXPLANATION_MOST}
        label={t('disputes.explanation')}
        value={typed.explanation}
        onChange={({ currentTarget }) => onChange({ ...typed, explanation: currentTarget.value })}
      />
    </>
  )
}

/** Without an amount the API takes all that is left. */
export const claimOf = ({ reason, amount, explanation }: Claim, currency: string) => ({
  reason,
  explanation: explanation.trim(),
  ...(amount.trim() !== '' && { amount: amountOf(amount, currency) }),
})

export type EvidenceName = keyof typeof disputes.evidence_names

export const EVIDENCE = Object.keys(disputes.evidence_names).filter((name): name is EvidenceName =>
  Object.hasOwn(disputes.evidence_names, name),
)

type Texts = Record<EvidenceName, string>
type Typed = Claim & Texts

const textsOf = ({ evidence }: Dispute): Texts =>
  Object.fromEntries(EVIDENCE.map((name) => [name, evidence[name] ?? ''])) as Texts

const typedOf = (dispute: Dispute): Typed => ({
  reason: dispute.reason,
  amount: String(dispute.amount),
  explanation: dispute.explanation,
  ...textsOf(dispute),
})

/** The texts are one value of the API, which replaces all of them. */
const bodyOf = (currency: string) => (typed: Typed) => ({
  ...claimOf(typed, currency),
  evidence: EVIDENCE.flatMap((name) => {
    const text = typed[name].trim()
    return text === '' ? [] : [[name, text] as const]
  }),
})

/** The texts that help with the code of the scheme, and those that are there. */
function useEvidence({ scheme, reason_code }: Dispute, typed: Typed): EvidenceName[] {
  const { data } = useQuery({
    queryKey: ['disputes', 'reasons'],
    queryFn: () => answered(issuing.disputes.listReasons()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const row = data?.data.find((one) => one.scheme === scheme && one.code === reason_code)
  return EVIDENCE.filter((name) => !row || row.evidence.includes(name) || typed[name] !== '')
}

export function EditDraft({ dispute }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(dispute))
  const { id, currency } = dispute
  const names = useEvidence(dispute, typed)
  const texts = Object.fromEntries(
    EVIDENCE.map((name) => [name, t(`disputes.evidence_names.${name}`)]),
  ) as Texts
  const labels = {
    reason: t('disputes.reason'),
    amount: t('disputes.how_much', { currency }),
    explanation: t('disputes.what'),
    ...texts,
  }
  return (
    <Edit
      label={t('disputes.edit')}
      text={t('disputes.edit_text')}
      item={dispute}
      read={() => readDispute(id)}
      typedOf={typedOf}
      bodyOf={bodyOf(currency)}
      save={({ evidence, ...changes }, match) => {
        const body = { ...changes, ...(evidence && { evidence: Object.fromEntries(evidence) }) }
        return answered(issuing.disputes.update(id, body, match))
      }}
      {...{ typed, setTyped, labels }}
    >
      <ClaimFields currency={currency} typed={typed} onChange={setTyped} />
      {names.map((name) => (
        <Textarea
          key={name}
          path={`evidence.${name}`}
          dir="auto"
          autosize
          maxLength={EVIDENCE_MOST}
          label={texts[name]}
          value={typed[name]}
          onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
        />
      ))}
    </Edit>
  )
}
