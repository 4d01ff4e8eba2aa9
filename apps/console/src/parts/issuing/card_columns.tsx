import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import type { Card } from '../../api/types.ts'
import type { Column } from '../listing.tsx'
import { Code, Status, When } from '../values.tsx'
import { printedExpiry, shortNumber } from './card_number.ts'

/** Columns of a list of cards. */
export function useCardColumns(): Column<Card>[] {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  return [
    {
      title: t('fields.card'),
      cell: ({ masked_card_number }) => <Code>{shortNumber(masked_card_number)}</Code>,
    },
    { title: t('cards.holder'), cell: ({ name_on_card }) => <bdi>{name_on_card ?? '—'}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.type'), cell: ({ card_type }) => t(`cards.types.${card_type}`) },
    {
      title: t('cards.product'),
      cell: ({ card_product_id }) => (
        <bdi>{products.find(({ id }) => id === card_product_id)?.name ?? ''}</bdi>
      ),
    },
    {
      title: t('fields.expires'),
      cell: ({ expiry_date }) => <Code>{printedExpiry(expiry_date)}</Code>,
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
}
