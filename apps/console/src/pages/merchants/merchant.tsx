import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allTenants } from '../../api/tenants.ts'
import type { Shop } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { ChangeBrand } from './brand.tsx'
import { readMerchant } from './merchant_calls.ts'
import { MerchantFees } from './merchant_fees.tsx'
import { ChangeMerchant } from './merchant_forms.tsx'
import { MerchantKeys } from './merchant_keys.tsx'

/** One shop, and the key pairs with which its server authenticates. */
export function MerchantPage() {
  return (
    <ObjectPage name="merchants" read={readMerchant}>
      {(merchant) => <Loaded key={merchant.id} merchant={merchant} />}
    </ObjectPage>
  )
}

function Loaded({ merchant }: { merchant: Shop }) {
  const { id, name, status } = merchant
  return (
    <Page
      name="merchants"
      title={<bdi>{name}</bdi>}
      status={status}
      lead={<Code>{id}</Code>}
      actions={
        <>
          <ChangeBrand merchant={merchant} />
          <ChangeMerchant merchant={merchant} />
        </>
      }
    >
      <Columns facts={<MerchantFacts merchant={merchant} />}>
        <MerchantFees merchant={merchant} />
        <MerchantKeys merchant_id={id} />
      </Columns>
    </Page>
  )
}

function MerchantFacts({ merchant }: { merchant: Shop }) {
  const { t } = useTranslation()
  const { data: tenants } = useQuery(allTenants)
  const { tenant_id, display_name, descriptor, mcc, country, city, created, callback_hosts } =
    merchant
  const { capture_window_days, token_minutes, deadline_policy } = merchant
  const { partial_captures, kept_cards, issuer } = merchant
  const { card_acceptor_id, terminal_id, brand_color, logo } = merchant
  const code = (text: string) => <Code>{text}</Code>
  const tenant = tenants?.find((one) => one.id === tenant_id)?.name ?? tenant_id
  return (
    <Panel title={t('operator.merchants.facts')}>
      <Facts
        rows={[
          [
            t('operator.tenant'),
            <ObjectLink key="tenant" to={`/tenants/${tenant_id}`}>
              <bdi>{tenant}</bdi>
            </ObjectLink>,
          ],
          [t('operator.merchants.display_name'), <bdi key="name">{display_name}</bdi>],
          [t('operator.merchants.descriptor'), code(descriptor ?? '—')],
          [t('operator.merchants.brand_color'), code(brand_color ?? '—')],
          [
            t('operator.merchants.logo'),
            t(logo ? 'operator.merchants.own' : 'operator.merchants.none_own'),
          ],
          [t('operator.merchants.mcc'), code(mcc)],
          [t('operator.merchants.country'), code(country)],
          [t('operator.merchants.city'), <bdi key="city">{city}</bdi>],
          [t('operator.merchants.capture_window_days'), code(String(capture_window_days))],
          [t('operator.merchants.token_minutes'), code(String(token_minutes))],
          [t('operator.merchants.deadline_policy'), t(`operator.merchants.${deadline_policy}`)],
          [
            t('operator.merchants.partial_captures'),
            t(partial_captures ? 'operator.merchants.allowed' : 'operator.merchants.not_allowed'),
          ],
          [
            t('operator.merchants.callback_hosts'),
            callback_hosts.length === 0
              ? t('operator.merchants.any_host')
              : code(callback_hosts.join(', ')),
          ],
          [
            t('operator.merchants.kept_cards'),
            t(kept_cards ? 'operator.merchants.allowed' : 'operator.merchants.not_allowed'),
          ],
          [
            t('operator.merchants.issuer'),
            issuer ? code(issuer) : t('operator.merchants.usual_issuer'),
          ],
          [t('operator.merchants.card_acceptor_id'), code(card_acceptor_id)],
          [t('operator.merchants.terminal_id'), code(terminal_id)],
          [t('fields.created'), <When key="created" at={created} />],
        ]}
      />
    </Panel>
  )
}
