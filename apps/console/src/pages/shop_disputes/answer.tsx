/** The answers of a shop to a dispute: it sends evidence, once, or accepts. */

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { ShopDispute } from '../../api/types.ts'
import type { disputes } from '../../i18n/en/disputes.ts'
import { Act } from '../../parts/act.tsx'
import { Textarea } from '../../parts/fields.tsx'
import { useHasFiles } from './files.tsx'

type EvidenceName = keyof typeof disputes.shop.evidence_names

export const EVIDENCE: readonly EvidenceName[] = [
  ...(['explanation', 'shipping_tracking', 'proof_of_delivery', 'customer_communication'] as const),
  ...(['refund_policy', 'receipt', 'other_transaction'] as const),
]
const TEXT_MOST = 4000

type OfDispute = { dispute: ShopDispute }

export function SendEvidence({ dispute: { dispute_id: id, status } }: OfDispute) {
  const { t } = useTranslation()
  const may = useMay()
  const [typed, setTyped] = useState<Partial<Record<EvidenceName, string>>>({})
  const hasFiles = useHasFiles(id)
  if (status !== 'NEEDS_RESPONSE' || !may('answerChargeback')) return null
  const texts = EVIDENCE.flatMap((name) => {
    const text = typed[name]?.trim() ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const act = (key: string) => {
    const body = Object.fromEntries(texts)
    return answered(merchant.disputes.answerChargeback(id, body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('disputes.shop.answer')}
      text={t('disputes.shop.answer_text')}
      shortcut="e"
      isMain
      idle={texts.length === 0 && !hasFiles ? t('disputes.shop.answer_idle') : undefined}
      act={act}
    >
      {EVIDENCE.map((name) => (
        <Textarea
          key={name}
          path={name}
          dir="auto"
          autosize
          maxLength={TEXT_MOST}
          label={t(`disputes.shop.evidence_names.${name}`)}
          value={typed[name] ?? ''}
          onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
        />
      ))}
    </Act>
  )
}

export function AcceptDispute({ dispute: { dispute_id: id, status } }: OfDispute) {
  const { t } = useTranslation()
  const may = useMay()
  if (status !== 'NEEDS_RESPONSE' || !may('acceptChargeback')) return null
  const act = (key: string) =>
    answered(merchant.disputes.acceptChargeback(id, { idempotencyKey: key }))
  return (
    <Act
      label={t('disputes.shop.accept')}
      text={t('disputes.shop.accept_text')}
      shortcut="a"
      isDangerous
      act={act}
    />
  )
}
