import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardProduct } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, moneyText, Status, When } from '../../parts/values.tsx'

export function ProductFacts({ product }: { product: CardProduct }) {
  const { t } = useTranslation()
  const { bin, currency, created, modified, id } = product
  return (
    <Panel title={t('cards.facts')}>
      <Facts
        rows={[
          [t('products.bin'), <Code key="bin">{bin}</Code>],
          [t('fields.currency'), <Code key="currency">{currency}</Code>],
          [t('products.charges'), <Charges key="charges" product={product} />],
          [t('fields.created'), <When key="created" at={created} />],
          [t('fields.modified'), <When key="modified" at={modified} />],
          [t('fields.id'), <Code key="id">{id}</Code>],
        ]}
      />
    </Panel>
  )
}

function Charges({ product: { charges, currency } }: { product: CardProduct }) {
  const { t } = useTranslation()
  if (charges.length === 0) return t('products.no_charges')
  return charges.map(({ type, amount, percent }) => (
    <div key={type}>
      {t(`accounts.charge_types.${type}`)}{' '}
      <bdi>{amount === undefined ? `${percent ?? ''}%` : moneyText(Number(amount), currency)}</bdi>
    </div>
  ))
}

/** How the bureau makes the cards; a row without a value is not shown. */
const productionRows = ({ production = {} }: CardProduct, t: TFunction): [string, ReactNode][] => [
  [t('products.service_code'), production.service_code],
  [t('products.second_line'), production.second_line],
  [t('products.chip_profile'), production.chip_profile],
  [t('products.carrier'), production.carrier],
  [t('products.pin_mailer'), production.pin_mailer === true ? t('products.yes') : undefined],
  [t('products.tracking'), production.tracking === true ? t('products.yes') : undefined],
]

/** The rules of the cards, as the form of the product has them. */
export function ProductSettings({ product }: { product: CardProduct }) {
  const { t } = useTranslation()
  const { pin, identify_above, currency } = product
  const answer = (is: boolean) => (is ? t('products.yes') : t('products.no'))
  return (
    <Panel title={t('products.settings')}>
      <Facts
        rows={[
          [
            t('products.initial_virtual'),
            <Status key="virtual">{product.initial_status_of_virtual_card}</Status>,
          ],
          [
            t('products.initial_physical'),
            <Status key="physical">{product.initial_status_of_physical_card}</Status>,
          ],
          [t('products.validity'), product.card_validity_months],
          [t('products.per_user'), product.num_of_cards_per_user],
          [t('products.link_account'), answer(product.link_account_to_card)],
          [t('products.partial'), answer(product.partial_approval)],
          [t('products.otp'), answer(product.otp_3ds)],
          [t('products.tolerance'), product.clearing_tolerance_percent],
          [t('products.pin_length'), pin.length],
          [t('products.pin_tries'), pin.max_tries],
          [t('products.weak'), answer(pin.refuse_weak)],
          [
            t('products.pin_verification'),
            t(`products.pin_verification_names.${pin.verification}`),
          ],
          ...productionRows(product, t),
          [
            t('products.identify'),
            identify_above === undefined ? undefined : (
              <Money key="identify" amount={identify_above} currency={currency} />
            ),
          ],
          [t('products.responder'), t(`products.responder_names.${product.responder}`)],
          [t('products.emv'), t(`products.emv_names.${product.emv}`)],
        ]}
      />
    </Panel>
  )
}
