import type { ErrorCatalogue } from '#kit/errors.ts'

export const merchantErrors = {
  id_taken: { status: 409, detail: 'Another object with this id already exists.' },
} as const satisfies ErrorCatalogue
