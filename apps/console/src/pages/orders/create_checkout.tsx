import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { Notice } from '../../parts/notice.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import styles from './orders.module.css'

const someReference = () => `ORDER-${Math.floor(Date.now() / 1000)}`

/** A checkout as a shop makes it. */
export function CreateCheckout({ onCreated }: { onCreated: (url: string) => void }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { reference: someReference(), total: '89.00', currency: 'AED' },
  })
  const reference = encodeURIComponent(form.values.reference)
  const back = `${location.origin}/console/orders/${reference}`
  const act = (key: string) => {
    const total = amountOf(form.values.total, form.values.currency)
    const body = { ...form.values, total, confirm_callback_url: back, reject_callback_url: back }
    return answered(merchant.checkouts.create(body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('orders.create')}
      text={t('orders.create_text')}
      act={act}
      onDone={({ checkout_url }) => {
        onCreated(checkout_url)
        form.setFieldValue('reference', someReference())
      }}
      isMain
    >
      <CheckoutFields form={form} />
    </Act>
  )
}

type Typed = { reference: string; total: string; currency: string }

function CheckoutFields({ form }: { form: UseFormReturnType<Typed> }) {
  const { t } = useTranslation()
  return (
    <>
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
    </>
  )
}

/** The payment page of the shop's customers, to look at it and to pay. */
export function CheckoutReady({ url }: { url: string }) {
  const { t } = useTranslation()
  return (
    <Notice tone="good" title={t('orders.created')}>
      {t('orders.created_text')}{' '}
      <a href={url} target="_blank" rel="noreferrer" className={styles['open']}>
        {t('orders.open_checkout')}
        <IconExternalLink size={14} aria-hidden />
      </a>
    </Notice>
  )
}
