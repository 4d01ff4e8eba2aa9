import type { Slice } from '#kit/slice.ts'
import { productErrors } from './refusals.ts'
import { productRoutes } from './routes.ts'

export const productsSlice: Slice = {
  name: 'products',
  routes: productRoutes,
  errors: productErrors,
}
