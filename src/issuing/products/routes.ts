import { route } from '#kit/route.ts'
import { IdPath, ListOf, ListQuery } from '#kit/schema.ts'
import { presentProduct } from './present.ts'
import { createProduct, findProduct, listProducts, updateProduct } from './products.ts'
import { CardProduct, NewProduct, ProductChanges } from './schema.ts'

export const productRoutes = [
  route({
    id: 'postCardproducts',
    tag: 'Card products',
    description: '',
    method: 'POST',
    path: '/cardproducts',
    permission: 'write',
    summary: 'Create a card product',
    body: NewProduct,
    answer: CardProduct,
    errors: ['id_taken', 'bin_taken', 'pan_range_taken'],
    run: async (ctx, { body }) => presentProduct(ctx, await createProduct(ctx, body)),
  }),
  route({
    id: 'getCardproducts',
    tag: 'Card products',
    description: '',
    method: 'GET',
    path: '/cardproducts',
    permission: 'read',
    summary: 'List card products',
    query: ListQuery({}),
    answer: ListOf(CardProduct),
    run: async (ctx, { query }) => {
      const page = await listProducts(ctx, query)
      return { ...page, data: page.data.map((row) => presentProduct(ctx, row)) }
    },
  }),
  route({
    id: 'getCardproductsId',
    tag: 'Card products',
    description: '',
    method: 'GET',
    path: '/cardproducts/{id}',
    permission: 'read',
    summary: 'Read a card product',
    params: IdPath,
    answer: CardProduct,
    errors: ['not_found'],
    run: async (ctx, { params }) => presentProduct(ctx, await findProduct(ctx, params.id)),
  }),
  route({
    id: 'putCardproductsId',
    tag: 'Card products',
    description: '',
    method: 'PUT',
    path: '/cardproducts/{id}',
    permission: 'write',
    summary: 'Change a card product',
    params: IdPath,
    body: ProductChanges,
    answer: CardProduct,
    errors: ['not_found', 'bin_taken', 'pan_range_taken', 'card_product_in_use'],
    run: async (ctx, { params, body }) =>
      presentProduct(ctx, await updateProduct(ctx, params.id, body)),
  }),
]
