import type { Slice } from '#kit/slice.ts'
import { productErrors } from './errors.ts'
import { productRoutes } from './routes.ts'

export const productsSlice: Slice = {
  name: 'products',
  routes: productRoutes,
  errors: productErrors,
}
