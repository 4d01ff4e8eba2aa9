import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const backtestErrors = {
  backtests_running: {
    status: 409,
    detail: 'As many backtests of the tenant are running as may run at one time.',
  },
  backtest_ended: { status: 409, detail: 'The backtest has ended and cannot be cancelled.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof backtestErrors> {}
}
