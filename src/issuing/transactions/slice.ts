import type { Slice } from '#kit/slice.ts'
import { transactionRoutes } from './routes.ts'

export const transactionsSlice: Slice = { name: 'transactions', routes: transactionRoutes }
