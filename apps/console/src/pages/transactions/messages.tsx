import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import { WireMessages } from '../../parts/wire/wire_messages.tsx'

/** Every message of the card network about the transaction. */
export function Messages({ transaction: { id, modified } }: { transaction: Transaction }) {
  const { t } = useTranslation()
  return (
    <Panel title={t('wire.title')} flush>
      <WireMessages transaction_id={id} modified={modified} />
    </Panel>
  )
}
