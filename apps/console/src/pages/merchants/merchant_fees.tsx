import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPercentage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { Shop } from '../../api/types.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { Code, Money } from '../../parts/values.tsx'
import { readMerchant, updateMerchant } from './merchant_calls.ts'
import styles from './merchants.module.css'

type Fee = Shop['fees'][number]
type OfMerchant = { merchant: Shop }

/** Fees of the shop for captures and refunds, by currency. */
export function MerchantFees({ merchant }: OfMerchant) {
  const { t } = useTranslation()
  const title = t('operator.merchants.fees')
  const columns: Column<Fee & { id: string }>[] = [
    { title: t('fields.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
    {
      title: t('operator.merchants.percent'),
      isFigure: true,
      cell: ({ percent }) => <span dir="ltr">{percent}%</span>,
    },
    {
      title: t('operator.merchants.fixed'),
      isFigure: true,
      cell: ({ fixed, currency }) => <Money amount={fixed} currency={currency} />,
    },
    {
      title: t('operator.merchants.refund_fee'),
      isFigure: true,
      cell: ({ refund_fee, currency }) => <Money amount={refund_fee} currency={currency} />,
    },
  ]
  return (
    <Panel title={title} actions={<ChangeFees merchant={merchant} />} flush>
      <Listing
        label={title}
        columns={columns}
        rows={merchant.fees.map((fee) => ({ ...fee, id: fee.currency }))}
        empty={
          <Empty
            isSmall
            icon={IconPercentage}
            title={t('operator.merchants.no_fees')}
            text={t('operator.merchants.no_fees_text')}
          />
        }
      />
    </Panel>
  )
}

const NAMES = ['currency', 'percent', 'fixed', 'refund_fee'] as const
const NEW = { currency: 'AED', percent: '0', fixed: '0', refund_fee: '0' }
const FEES_MAX = 50

const typedOfFee = ({ currency, percent, fixed, refund_fee }: Fee) => ({
  currency,
  percent: String(percent),
  fixed: String(fixed),
  refund_fee: String(refund_fee),
})

type Typed = { fees: (typeof NEW)[] }

const bodyOfFee = ({ currency, percent, fixed, refund_fee }: typeof NEW) => ({
  currency,
  percent: amountOf(percent),
  fixed: amountOf(fixed, currency),
  refund_fee: amountOf(refund_fee, currency),
})

const typedOf = ({ fees }: Shop): Typed => ({
  fees: fees.length > 0 ? fees.map(typedOfFee) : [NEW],
})

const textOf = (fees: Typed['fees']): string =>
  fees
    .map(({ currency, percent, fixed, refund_fee }) =>
      [currency, `${percent}%`, fixed, refund_fee].join(' · '),
    )
    .join('; ')

function ChangeFees({ merchant }: OfMerchant) {
  const { t } = useTranslation()
  const may = useMay()
  const form = useForm({ initialValues: typedOf(merchant) })
  const { id } = merchant
  if (!may('updateMerchant')) return null
  const labels = {
    currency: t('fields.currency'),
    percent: t('operator.merchants.percent'),
    fixed: t('operator.merchants.fixed'),
    refund_fee: t('operator.merchants.refund_fee'),
  }
  return (
    <Edit
      label={t('operator.merchants.change_fees')}
      text={t('operator.merchants.change_fees_text')}
      item={merchant}
      read={() => readMerchant(id)}
      typed={form.values}
      setTyped={form.setValues}
      typedOf={typedOf}
      bodyOf={({ fees }) => ({ fees: fees.map(bodyOfFee) })}
      labels={{ fees: { label: t('operator.merchants.fees'), textOf } }}
      save={(changes, header) => updateMerchant(id, changes, header)}
    >
      {form.values.fees.map(({ currency }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place.
        <fieldset key={at} className={styles['fee']} aria-label={currency}>
          {NAMES.map((name) => (
            <TextInput
              key={name}
              label={labels[name]}
              dir="ltr"
              required
              withAsterisk={false}
              maxLength={name === 'currency' ? 3 : 16}
              {...(name !== 'currency' && { inputMode: 'decimal' })}
              {...form.getInputProps(`fees.${at}.${name}`)}
            />
          ))}
          <Button variant="default" onClick={() => form.removeListItem('fees', at)}>
            {t('operator.merchants.remove_currency', { currency })}
          </Button>
        </fieldset>
      ))}
      {form.values.fees.length < FEES_MAX && (
        <Button variant="default" onClick={() => form.insertListItem('fees', NEW)}>
          {t('operator.merchants.add_currency')}
        </Button>
      )}
    </Edit>
  )
}
