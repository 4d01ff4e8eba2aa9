import { SegmentedControl } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import type { BulkIssuance, CreatedBulkIssuance } from '../../api/types.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Rehearse } from '../../parts/rehearse.tsx'
import { amountOf, plainDigits } from '../../parts/typed_text.ts'
import { useChoice } from '../../parts/use_choice.ts'
import { Money } from '../../parts/values.tsx'
import { readBulk, updateBulk } from './bulk_calls.ts'
import { BulkFields, type BulkValues } from './bulk_fields.tsx'

const nothing: BulkValues = {
  status: 'SUBMITTED',
  card_product_id: '',
  number_of_cards: '',
  amount: '',
  name_on_card: '',
}

function useProduct(chosen: string) {
  const { data: products = [] } = useQuery(allProducts)
  return useChoice(products, chosen)
}

/** Checks numbers and funds, and then requests the cards or keeps a draft. */
export function CreateBulk() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useForm<BulkValues>({ initialValues: nothing })
  const product = useProduct(form.values.card_product_id)
  const create = (dry_run: boolean, key: string): Promise<CreatedBulkIssuance> => {
    const { amount, name_on_card, number_of_cards, status } = form.values
    const body = {
      status,
      dry_run,
      card_product_id: product?.id ?? '',
      number_of_cards: Number(plainDigits(number_of_cards)),
      ...(amount.trim() !== '' && { amount: amountOf(amount, product?.currency) }),
      ...(name_on_card !== '' && { name_on_card }),
    }
    return answered(issuing.cards.createBulkIssuance(body, { idempotencyKey: key }))
  }
  return (
    <Rehearse
      isMain
      label={t('bulk.create')}
      text={t('bulk.create_text')}
      act={create}
      outcome={(answer) => <Needed answer={answer} />}
      onDone={({ id }) => id !== undefined && void navigate({ to: `/bulk-issuance/${id}` })}
    >
      <BulkFields form={form} product={product} />
      <SegmentedControl
        aria-label={t('bulk.begin')}
        data={(['SUBMITTED', 'DRAFT'] as const).map((value) => ({
          value,
          label: t(`bulk.begin_names.${value}`),
        }))}
        {...form.getInputProps('status')}
      />
    </Rehearse>
  )
}

function Needed({ answer }: { answer: CreatedBulkIssuance }) {
  const { t } = useTranslation()
  const { number_of_cards, amount = 0, currency } = answer
  return (
    <Facts
      rows={[
        [t('bulk.number'), number_of_cards],
        [
          t('bulk.total'),
          <Money key="total" amount={number_of_cards * amount} currency={currency} />,
        ],
      ]}
    />
  )
}

/** Changes a draft. */
export function EditBulk({ bulk }: { bulk: BulkIssuance }) {
  const { t } = useTranslation()
  const { id } = bulk
  const form = useForm<BulkValues>({ initialValues: typedOf(bulk) })
  const product = useProduct(form.values.card_product_id)
  const { data: products = [] } = useQuery(allProducts)
  const nameOf = (product_id: string) =>
    products.find((one) => one.id === product_id)?.name ?? product_id
  const bodyOf = ({ card_product_id, number_of_cards, amount, name_on_card }: BulkValues) => {
    const currency = products.find((one) => one.id === card_product_id)?.currency
    return {
      card_product_id,
      number_of_cards: Number(plainDigits(number_of_cards)),
      amount: amount.trim() === '' ? null : amountOf(amount, currency),
      name_on_card: name_on_card === '' ? null : name_on_card,
      ...(currency !== undefined && { currency }),
    }
  }
  return (
    <Edit
      label={t('bulk.edit')}
      text={t('bulk.edit_text')}
      item={bulk}
      read={() => readBulk(id)}
      typed={form.values}
      setTyped={form.setValues}
      typedOf={typedOf}
      bodyOf={bodyOf}
      labels={{
        status: t('fields.status'),
        card_product_id: { label: t('cards.product'), textOf: nameOf },
        number_of_cards: t('bulk.number'),
        amount: t('bulk.amount'),
        name_on_card: t('cards.holder'),
      }}
      save={(changes, header) => updateBulk(id, changes, header)}
    >
      <BulkFields form={form} product={product} />
    </Edit>
  )
}

const typedOf = (bulk: BulkIssuance): BulkValues => ({
  status: bulk.status === 'DRAFT' ? 'DRAFT' : 'SUBMITTED',
  card_product_id: bulk.card_product_id,
  number_of_cards: String(bulk.number_of_cards),
  amount: String(bulk.amount ?? ''),
  name_on_card: bulk.name_on_card ?? '',
})
