/** Answers that providers would give, in a sandbox (D-23, D-111). */

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { KycRequest, User } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect } from '../../parts/fields.tsx'

const OUTCOMES = [
  'caution',
  'suspected',
  'rejected',
  'terminated',
  'document_requested',
  'abandoned',
] as const

export function SimulateReport({ user: { id } }: { user: User }) {
  const { t } = useTranslation()
  const [chosen, choose] = useState('CLEAR')
  const act = (key: string) => {
    const outcome = OUTCOMES.find((one) => one === chosen)
    const body = outcome === undefined ? ({ result: 'CLEAR' } as const) : { outcome }
    return answered(issuing.simulation.identityReport(id, body, { idempotencyKey: key }))
  }
  return (
    <Act label={t('reviews.simulate_report')} text={t('reviews.simulate_report_text')} act={act}>
      <NativeSelect
        path="identification_id"
        label={t('reviews.result')}
        data={['CLEAR', ...OUTCOMES.map((value) => ({ value, label: `CONSIDER · ${value}` }))]}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </Act>
  )
}

export function SimulateKyc({ request: { id } }: { request: KycRequest }) {
  const { t } = useTranslation()
  const may = useMay()
  const [result, setResult] = useState<'OK' | 'FAILED'>('OK')
  if (!may('simulateKycResult')) return null
  const act = (key: string) =>
    answered(issuing.simulation.kycResult(id, { result }, { idempotencyKey: key }))
  return (
    <Act label={t('reviews.simulate_kyc')} text={t('reviews.simulate_kyc_text')} act={act}>
      <NativeSelect
        path="result"
        label={t('reviews.result')}
        data={['OK', 'FAILED']}
        value={result}
        onChange={({ currentTarget }) => setResult(currentTarget.value === 'OK' ? 'OK' : 'FAILED')}
      />
    </Act>
  )
}
