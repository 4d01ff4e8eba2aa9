import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCurrency } from '../../api/session.ts'
import type { CardProduct } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Edit } from '../../parts/edit/edit.tsx'
import { useLabels } from './labels.ts'
import { BinFields, ProductFields } from './product_fields.tsx'
import {
  bodyOf,
  createProduct,
  newProduct,
  type ProductValues,
  readProduct,
  updateProduct,
  valuesOf,
} from './product_values.ts'

export function CreateProduct() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useForm<ProductValues>({ initialValues: newProduct(useCurrency()) })
  return (
    <Act
      isMain
      label={t('products.create')}
      text={t('products.create_text')}
      act={(key) => createProduct(form.values, key)}
      onDone={({ id }) => void navigate({ to: `/card-products/${id}` })}
    >
      <BinFields form={form} />
      <ProductFields form={form} />
    </Act>
  )
}

export function EditProduct({ product }: { product: CardProduct }) {
  const { t } = useTranslation()
  const form = useForm<ProductValues>({ initialValues: valuesOf(product) })
  return (
    <Edit
      label={t('products.edit')}
      text={t('products.edit_text')}
      item={product}
      read={() => readProduct(product.id)}
      typed={form.values}
      setTyped={form.setValues}
      typedOf={valuesOf}
      bodyOf={bodyOf}
      labels={useLabels()}
      save={(changes, match) => updateProduct(product.id, changes, match)}
    >
      <ProductFields form={form} />
    </Edit>
  )
}
