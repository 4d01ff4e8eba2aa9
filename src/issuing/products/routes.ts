import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath, ListOf, ListQuery } from '#kit/http/schema.ts'
import { presentProduct } from './present.ts'
import { createProduct, findProduct, listProducts, updateProduct } from './products.ts'
import { CardProduct, NewProduct, ProductChanges } from './schema.ts'

export const productRoutes = [
  route({
    id: 'createCardProduct',
    tag: 'Card products',
    description:
      'Creates a card product with a range of card numbers and keys of its own. It is INACTIVE ' +
      'until its first card is issued. The BIN must not overlap a BIN of another tenant, and the ' +
      'range must not overlap that of another product.',
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
    id: 'listCardProducts',
    tag: 'Card products',
    description: 'Lists the card products of the tenant, newest first, in pages.',
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
    id: 'getCardProduct',
    tag: 'Card products',
    description:
      'Answers one card product. Every authorization switch is included, with its value in ' +
      'force.',
    method: 'GET',
    path: '/cardproducts/{id}',
    permission: 'read',
    summary: 'Get a card product',
    params: IdPath,
    answer: CardProduct,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'card_products', params.id),
    run: async (ctx, { params }) => presentProduct(ctx, await findProduct(ctx, params.id)),
  }),
  route({
    id: 'updateCardProduct',
    tag: 'Card products',
    description:
      'Changes the members that are sent; `null` clears a member without a default. BIN, range ' +
      'and currency cannot be changed once a card number has been issued.',
    method: 'PUT',
    path: '/cardproducts/{id}',
    permission: 'write',
    summary: 'Update a card product',
    params: IdPath,
    body: ProductChanges,
    answer: CardProduct,
    errors: ['not_found', 'bin_taken', 'pan_range_taken', 'card_product_in_use'],
    run: async (ctx, { params, body }) =>
      presentProduct(ctx, await updateProduct(ctx, params.id, body)),
  }),
]
