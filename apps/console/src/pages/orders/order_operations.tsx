import { IconReceipt, IconReceiptRefund } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../parts/empty.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type OperationKind, readOperations, useOperationColumns } from './operations.tsx'

type OrderOperationsProps = { kind: OperationKind; reference: string }

/** The captures or the refunds of one order, newest first, also those that failed. */
export function OrderOperations({ kind, reference }: OrderOperationsProps) {
  const { t } = useTranslation()
  const columns = useOperationColumns().filter(({ title }) => title !== t('orders.reference'))
  return (
    <Panel title={t(`pages.${kind}`)} flush>
      <Paged
        label={t(`pages.${kind}`)}
        queryKey={['orders', reference, kind]}
        read={(after) => readOperations(kind, { reference }, after)}
        columns={columns}
        expected={1}
        empty={
          <Empty
            icon={kind === 'captures' ? IconReceipt : IconReceiptRefund}
            title={t(`orders.${kind}.none`)}
            text={t(`orders.${kind}.none_text`)}
            isSmall
          />
        }
      />
    </Panel>
  )
}
