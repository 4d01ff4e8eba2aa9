import { SegmentedControl } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import type { Card } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { UserField } from '../../parts/issuing/user_field.tsx'
import { useChoice } from '../../parts/use_choice.ts'

type Typed = {
  user_id: string
  card_product_id: string
  card_type: Card['card_type']
  name_on_card: string
}

function issue({ name_on_card, ...typed }: Typed, key: string): Promise<Card> {
  const body = { ...typed, ...(name_on_card !== '' && { name_on_card }) }
  return answered(issuing.cards.create(body, { idempotencyKey: key }))
}

/** Issues one card, and opens its page. */
export function IssueCard() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: products = [] } = useQuery(allProducts)
  const form = useForm<Typed>({
    initialValues: { user_id: '', card_product_id: '', card_type: 'VIRTUAL', name_on_card: '' },
  })
  const { user_id, card_product_id, card_type } = form.values
  const product = useChoice(products, card_product_id)?.id ?? ''
  return (
    <Act
      isMain
      label={t('cards.issue')}
      text={t('cards.issue_text')}
      act={(key) => issue({ ...form.values, card_product_id: product }, key)}
      onDone={({ id }) => void navigate({ to: `/cards/${id}` })}
    >
      <UserField
        required
        label={t('fields.user')}
        placeholder={t('cards.find_user')}
        value={user_id}
        onChange={(id) => form.setFieldValue('user_id', id)}
      />
      <NativeSelect
        path="card_product_id"
        label={t('cards.product')}
        data={products.map(({ id, name, currency }) => ({
          value: id,
          label: `${name} · ${currency}`,
        }))}
        value={product}
        onChange={({ currentTarget }) => form.setFieldValue('card_product_id', currentTarget.value)}
      />
      <SegmentedControl
        aria-label={t('fields.type')}
        data={(['VIRTUAL', 'PHYSICAL'] as const).map((value) => ({
          value,
          label: t(`cards.types.${value}`),
        }))}
        {...form.getInputProps('card_type')}
      />
      <TextInput
        label={t('cards.holder')}
        description={t(card_type === 'PHYSICAL' ? 'cards.holder_embossed' : 'cards.holder_hint')}
        maxLength={card_type === 'PHYSICAL' ? 26 : 100}
        {...form.getInputProps('name_on_card')}
      />
    </Act>
  )
}
