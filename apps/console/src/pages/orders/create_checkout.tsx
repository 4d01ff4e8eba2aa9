import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { Notice } from '../../parts/notice.tsx'
import styles from './orders.module.css'

const someReference = () => `ORDER-${Math.floor(Date.now() / 1000)}`

/** A checkout as a shop makes it; its page is opened to look at it and to pay. */
export function CreateCheckout() {
  const { t } = useTranslation()
  const [url, setUrl] = useState<string>()
  const form = useForm({
    initialValues: { reference: someReference(), total: '89.00', currency: 'AED' },
  })
  const back = `${location.origin}/console/orders?reference=${encodeURIComponent(form.values.reference)}`
  const act = () => {
    const body = { ...form.values, confirm_callback_url: back, reject_callback_url: back }
    return answered(merchant.POST('/checkouts', { body }))
  }
  return (
    <>
      <Act
        label={t('orders.create')}
        text={t('orders.create_text')}
        act={act}
        onDone={({ checkout_url }) => {
          setUrl(checkout_url)
          form.setFieldValue('reference', someReference())
        }}
        isMain
      >
        <TextInput label={t('orders.reference')} dir="ltr" {...form.getInputProps('reference')} />
        <TextInput
          label={t('fields.amount')}
          dir="ltr"
          inputMode="decimal"
          {...form.getInputProps('total')}
        />
        <TextInput
          label={t('fields.currency')}
          dir="ltr"
          maxLength={3}
          {...form.getInputProps('currency')}
        />
      </Act>
      {url !== undefined && (
        <Notice tone="good" title={t('orders.created')}>
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            size="xs"
            variant="default"
            className={styles['open'] ?? ''}
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            {t('orders.open_checkout')}
          </Button>
        </Notice>
      )}
    </>
  )
}
