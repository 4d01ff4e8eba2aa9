/** The metrics of providers of identity verification, KYC and KYB. */

import { Histogram } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  calls: new Histogram({
    name: 'bezant_provider_call_seconds',
    help: 'Calls of remote providers of checks of people and companies, by their result',
    labelNames: ['provider', 'call', 'result'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  }),
}

type Provider = { readonly name: string; readonly outside: boolean }

/** The provider with each of these calls measured; one that is no remote service as it is. */
export function measured<Of extends Provider>(
  provider: Of,
  calls: readonly (keyof Of & string)[],
): Of {
  if (!provider.outside) return provider
  const timed = calls.flatMap((call) => {
    const own = provider[call]
    if (typeof own !== 'function') return []
    const run = (...given: unknown[]) =>
      measure({ provider: provider.name, call }, () => own(...given))
    return [[call, run] as const]
  })
  return { ...provider, ...Object.fromEntries(timed) }
}

async function measure<Answer>(
  of: { provider: string; call: string },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const end = metrics.calls.startTimer(of)
  try {
    const answer = await run()
    end({ result: 'answered' })
    return answer
  } catch (error) {
    end({ result: 'failed' })
    throw error
  }
}
