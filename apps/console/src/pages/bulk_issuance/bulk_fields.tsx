import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import type { CardProduct } from '../../api/types.ts'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'

export type BulkValues = {
  status: 'SUBMITTED' | 'DRAFT'
  card_product_id: string
  number_of_cards: string
  amount: string
  name_on_card: string
}

type BulkFieldsProps = {
  form: UseFormReturnType<BulkValues>
  product: CardProduct | undefined
}

export function BulkFields({ form, product }: BulkFieldsProps) {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  return (
    <>
      <NativeSelect
        label={t('cards.product')}
        data={products.map(({ id, name, currency }) => ({
          value: id,
          label: `${name} · ${currency}`,
        }))}
        {...form.getInputProps('card_product_id')}
        value={product?.id ?? ''}
      />
      <TextInput
        dir="ltr"
        required
        withAsterisk={false}
        inputMode="numeric"
        pattern="[0-9]+"
        label={t('bulk.number')}
        {...form.getInputProps('number_of_cards')}
      />
      <TextInput
        dir="ltr"
        inputMode="decimal"
        label={t('bulk.amount')}
        description={t('bulk.amount_hint', { currency: product?.currency ?? '' })}
        {...form.getInputProps('amount')}
      />
      <TextInput
        maxLength={26}
        label={t('cards.holder')}
        description={t('bulk.holder_hint')}
        {...form.getInputProps('name_on_card')}
      />
    </>
  )
}
