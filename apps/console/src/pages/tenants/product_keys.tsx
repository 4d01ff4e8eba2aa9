import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { forTenant } from '../../api/acting.ts'
import { answered, issuing } from '../../api/client.ts'
import { Facts } from '../../parts/facts.tsx'
import { Failing } from '../../parts/failing.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { ImportKey, SetProtectionKey } from './key_actions.tsx'
import { isKeyName, type OfProduct } from './key_names.ts'

/** The keys of a card product by their check values; no page and no operation has a key. */
export function ProductKeysPage() {
  const { t } = useTranslation()
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const of = { id: String(params['id']), card_product_id: String(params['product']) }
  const product = useQuery({
    queryKey: ['tenants', of.id, 'products', of.card_product_id],
    queryFn: () =>
      answered(issuing.cardProducts.get(of.card_product_id, { headers: forTenant(of.id) })),
  })
  const name = product.data?.name
  return (
    <Page
      name="tenants"
      title={<bdi>{name ?? t('operator.products.keys')}</bdi>}
      lead={<Code>{of.card_product_id}</Code>}
      actions={
        <>
          <Button component={Link} to={`/tenants/${of.id}`} variant="subtle">
            {t('operator.products.back')}
          </Button>
          <SetProtectionKey of={of} />
        </>
      }
    >
      {product.error && <Failing error={product.error} retry={product.refetch} />}
      <Keys of={of} />
    </Page>
  )
}

function Keys({ of }: { of: OfProduct }) {
  const { t } = useTranslation()
  const columns = useKeyColumns()
  const { data, error, refetch } = useQuery({
    queryKey: ['tenants', of.id, 'products', of.card_product_id, 'keys'],
    queryFn: () => answered(issuing.operator.getKeys(of.id, of.card_product_id)),
  })
  if (error) return <Failing error={error} retry={refetch} />
  if (!data) return <Waiting height={260} />
  const { protection_key_set, check_values, version, pvki, cvv2_date_order } = data
  const rows = Object.entries(check_values).map(([id, check_value]) => ({ id, check_value }))
  return (
    <>
      {!protection_key_set && (
        <Notice tone="warn" title={t('operator.products.unprotected')}>
          {t('operator.products.unprotected_text')}
        </Notice>
      )}
      <Columns
        facts={
          <Panel title={t('operator.products.details')}>
            <Facts
              rows={[
                [
                  t('operator.products.protection'),
                  <Status key="protection">{protection_key_set ? 'SET' : 'NOT SET'}</Status>,
                ],
                [t('operator.products.version'), <Code key="version">{String(version)}</Code>],
                [t('operator.products.pvki'), <Code key="pvki">{pvki}</Code>],
                [t('operator.products.date_order'), <Code key="order">{cvv2_date_order}</Code>],
              ]}
            />
          </Panel>
        }
      >
        <Panel
          title={t('operator.products.keys')}
          actions={protection_key_set && <ImportKey of={of} />}
          flush
        >
          <Listing label={t('operator.products.keys')} columns={columns} rows={rows} empty={null} />
        </Panel>
      </Columns>
    </>
  )
}

type CheckedKey = { id: string; check_value: string }

function useKeyColumns(): Column<CheckedKey>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('operator.products.key'),
      cell: ({ id }) => (isKeyName(id) ? t(`operator.products.names.${id}`) : id),
    },
    { title: t('operator.products.short_name'), cell: ({ id }) => <Code>{id}</Code> },
    {
      title: t('operator.products.check_value'),
      isFigure: true,
      cell: ({ check_value }) => <Code>{check_value}</Code>,
    },
  ]
}
