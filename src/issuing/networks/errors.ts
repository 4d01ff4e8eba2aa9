import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const networkErrors = {
  network_without_keys: {
    status: 409,
    detail:
      'The network has no zone master key, under which its keys come: set keys in NETWORKS_FILE.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof networkErrors> {}
}
