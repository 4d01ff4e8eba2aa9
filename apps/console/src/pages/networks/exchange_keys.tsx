import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Network } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect } from '../../parts/fields.tsx'

const USES = ['ZAK', 'ZPK'] as const

/** Asks the network for a key, whose coming the page then follows. */
export function ExchangeKeys({ network: { name, has_keys } }: { network: Network }) {
  const { t } = useTranslation()
  const may = useMay()
  const [use, setUse] = useState<(typeof USES)[number]>('ZAK')
  if (!has_keys || !may('exchangeNetworkKeys')) return null
  const act = (key: string) =>
    answered(issuing.operator.exchangeNetworkKeys(name, { use }, { idempotencyKey: key }))
  return (
    <Act
      label={t('operator.networks.exchange')}
      text={t('operator.networks.exchange_text')}
      said={() => t('operator.networks.asked', { use })}
      act={act}
      isMain
    >
      <NativeSelect
        path="use"
        label={t('operator.networks.use')}
        value={use}
        data={USES.map((value) => ({ value, label: t(`operator.networks.uses.${value}`) }))}
        onChange={({ currentTarget }) => {
          const chosen = USES.find((one) => one === currentTarget.value)
          if (chosen) setUse(chosen)
        }}
      />
    </Act>
  )
}
