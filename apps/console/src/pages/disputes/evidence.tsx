import { IconFileText } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dispute } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EVIDENCE } from './draft.tsx'

/** The texts that show what happened. */
export function Evidence({ dispute: { explanation, evidence } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const texts = EVIDENCE.filter((name) => evidence[name] !== undefined).map(
    (name): [string, ReactNode] => [
      t(`disputes.evidence_names.${name}`),
      <bdi key={name}>{evidence[name]}</bdi>,
    ],
  )
  return (
    <Panel title={t('disputes.evidence')}>
      <Facts isWide rows={[[t('disputes.what'), <bdi key="what">{explanation}</bdi>], ...texts]} />
      {texts.length === 0 && (
        <Empty
          isSmall
          icon={IconFileText}
          title={t('disputes.no_evidence')}
          text={t('disputes.no_evidence_text')}
        />
      )}
    </Panel>
  )
}
