import { Button, Modal } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { MerchantKey } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { CopyField } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import styles from './merchants.module.css'

type OfMerchant = { merchant_id: string }

export function MerchantKeys({ merchant_id }: OfMerchant) {
  const { t } = useTranslation()
  const read = (after: string | undefined) => {
    const query = after === undefined ? {} : { after }
    return answered(issuing.operator.listMerchantKeys(merchant_id, query))
  }
  const title = t('operator.merchants.keys')
  return (
    <Panel title={title} actions={<CreatePair merchant_id={merchant_id} />} flush>
      <Paged
        label={title}
        queryKey={['merchants', merchant_id, 'keys']}
        read={read}
        columns={usePairColumns(merchant_id)}
        expected={2}
        empty={
          <Empty
            isSmall
            icon={IconKey}
            title={t('operator.merchants.no_keys')}
            text={t('operator.merchants.no_keys_text')}
          />
        }
      />
    </Panel>
  )
}

function usePairColumns(merchant_id: string): Column<MerchantKey>[] {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<MerchantKey>[] = [
    {
      title: t('operator.merchants.public_key'),
      cell: ({ public_key }) => <Code>{public_key}</Code>,
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  if (!may('revokeMerchantKey')) return columns
  const revoke = ({ id: key_id, public_key, revoked }: MerchantKey) => {
    if (revoked !== undefined) return <Status>REVOKED</Status>
    return (
      <Act
        label={t('api_keys.revoke')}
        of={public_key}
        text={t('operator.merchants.revoke_text')}
        act={() => answered(issuing.operator.revokeMerchantKey(merchant_id, key_id))}
        isDangerous
      />
    )
  }
  return [...columns, { title: t('api_keys.revoke'), cell: revoke, isAction: true }]
}

type Pair = { public_key: string; private_key: string }

function CreatePair({ merchant_id }: OfMerchant) {
  const { t } = useTranslation()
  const may = useMay()
  const [made, setMade] = useState<Pair>()
  if (!may('createMerchantKey')) return null
  const close = () => setMade(undefined)
  return (
    <>
      <Act
        label={t('operator.merchants.create_key')}
        text={t('operator.merchants.create_key_text')}
        act={(key) =>
          answered(issuing.operator.createMerchantKey(merchant_id, { idempotencyKey: key }))
        }
        onDone={setMade}
      />
      <Modal
        opened={made !== undefined}
        onClose={close}
        title={t('operator.merchants.made')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <div className={styles['pairs']}>
          <p>{t('operator.merchants.made_text')}</p>
          <CopyField label={t('operator.merchants.public_key')} text={made?.public_key ?? ''} />
          <CopyField label={t('operator.merchants.private_key')} text={made?.private_key ?? ''} />
          <Button onClick={close}>{t('actions.close')}</Button>
        </div>
      </Modal>
    </>
  )
}
