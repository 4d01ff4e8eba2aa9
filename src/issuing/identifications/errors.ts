import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const identificationErrors = {
  user_terminated: { status: 409, detail: 'The user is terminated and cannot change.' },
  identification_limit_reached: {
    status: 409,
    detail: 'The user has as many identifications as are allowed.',
  },
  identification_has_files: {
    status: 409,
    detail: 'The type of an identification cannot change once it has files.',
  },
  file_limit_reached: {
    status: 409,
    detail: 'The identification has as many files as are allowed.',
  },
  file_held: { status: 409, detail: 'The file has not been scanned for viruses yet.' },
  file_infected: { status: 409, detail: 'The virus scanner found malware in the file.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof identificationErrors> {}
}
