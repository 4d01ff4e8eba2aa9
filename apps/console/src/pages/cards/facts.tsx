import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import type { Card } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { CardLink } from '../../parts/issuing/card_link.tsx'
import { printedExpiry } from '../../parts/issuing/card_number.ts'
import { UserLink } from '../../parts/issuing/user_link.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'

export function CardFacts({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  const { user_id, card_product_id, bulk_issuance_id, status_reason_code: reason } = card
  const name = products.find(({ id }) => id === card_product_id)?.name ?? card_product_id
  return (
    <Panel title={t('cards.facts')}>
      <Facts
        rows={[
          [
            t('fields.user'),
            user_id ? <UserLink key="user" id={user_id} /> : t('cards.no_user_yet'),
          ],
          [t('cards.product'), linkTo(`/card-products/${card_product_id}`, <bdi>{name}</bdi>)],
          [t('fields.type'), t(`cards.types.${card.card_type}`)],
          [
            t('cards.reason'),
            <span key="reason">
              <Code>{reason}</Code> {t(`cards.reasons.${reason}`)}
            </span>,
          ],
          [t('fields.expires'), <Code key="expires">{printedExpiry(card.expiry_date)}</Code>],
          [t('pages.bulk_issuance'), idLink('/bulk-issuance', bulk_issuance_id)],
          [t('cards.replaces'), cardLink(card.reference_card_id)],
          [t('cards.replaced_by'), cardLink(card.replaced_by_card_id)],
          [t('fields.created'), <When key="created" at={card.created} />],
          [t('fields.modified'), <When key="modified" at={card.modified} />],
          [t('fields.id'), <Code key="id">{card.id}</Code>],
        ]}
      />
    </Panel>
  )
}

const linkTo = (to: string, text: ReactNode) => <ObjectLink to={to}>{text}</ObjectLink>

const idLink = (path: string, id: string | undefined) =>
  id === undefined ? undefined : linkTo(`${path}/${id}`, <Code>{id}</Code>)

const cardLink = (id: string | undefined) => (id === undefined ? undefined : <CardLink id={id} />)
