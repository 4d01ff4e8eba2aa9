import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { queries, useMay } from '../../api/session.ts'
import type { CardProduct } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { AllowedLists } from '../../parts/issuing/allowed_lists.tsx'
import { SwitchGrid, type SwitchSettings, switchText } from '../../parts/issuing/switches.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useAction } from '../../parts/use_action.ts'
import { ProductFacts, ProductSettings } from './product_facts.tsx'
import { EditProduct } from './product_form.tsx'
import { ProductLimits } from './product_limits.tsx'
import { readProduct, updateProduct } from './product_values.ts'
import styles from './products.module.css'

/** One card product, with the rules of its cards. */
export function CardProductPage() {
  return (
    <ObjectPage name="card_products" read={readProduct}>
      {(product) => <Loaded key={product.id} product={product} />}
    </ObjectPage>
  )
}

function Loaded({ product }: { product: CardProduct }) {
  const { t } = useTranslation()
  const may = useMay()
  const { id, name, status } = product
  return (
    <Page
      name="card_products"
      title={<bdi>{name}</bdi>}
      status={status}
      lead={product.description ? <bdi>{product.description}</bdi> : t('products.one_lead')}
      actions={
        <>
          <Button component={Link} to={`/cards?card_product_id=${id}`} variant="default">
            {t('products.cards')}
          </Button>
          {may('updateCardProduct') && <EditProduct product={product} />}
        </>
      }
    >
      <Columns facts={<ProductFacts product={product} />}>
        <ProductSettings product={product} />
        <Uses product={product} />
        <AllowedLists
          ids={product}
          read={() => readProduct(id)}
          save={
            may('updateCardProduct')
              ? (changes, match) => updateProduct(id, changes, match)
              : undefined
          }
        />
        <ProductLimits product={product} />
        <History of={id} />
      </Columns>
    </Page>
  )
}

function Uses({ product }: { product: CardProduct }) {
  const { id, auth_settings } = product
  const { t } = useTranslation()
  const may = useMay()
  const changing = useAction({
    act: (_key, auth_settings: SwitchSettings) =>
      changeSeen({
        item: product,
        read: () => readProduct(id),
        // Each press is of one switch, and its other position is what was pressed for.
        isOther: () => false,
        save: (match) => updateProduct(id, { auth_settings }, match),
      }),
    said: (_answer, changes) => switchText(t, changes),
    onDone: () => queries.invalidateQueries(),
  })
  const set = (name: keyof SwitchSettings, value: boolean) => changing.press({ [name]: value })
  return (
    <Panel title={t('products.uses')}>
      <div className={styles['stack']}>
        <p className={styles['hint']}>{t('products.uses_text')}</p>
        <NotDone of={changing} />
        <SwitchGrid
          settings={auth_settings}
          onChange={may('updateCardProduct') ? set : undefined}
        />
      </div>
    </Panel>
  )
}
