/** The variables of OpenTelemetry by their standard names, as far as they have an effect here. */

import { type Static, Type } from 'typebox'
import { Choice, Hidden, Shaped } from '#kit/settings/kinds.ts'
import { isPlainUrl, withoutSlashes } from '#kit/settings/shapes.ts'
import type { TracingConfig } from '#kit/tracing/otlp.ts'
import { PROTOCOLS, SAMPLERS } from '#kit/tracing/settings.ts'
import { Secret } from '#lib/secret.ts'

const TRACES = '/v1/traces'

export const TracingVariables = Type.Object({
  OTEL_EXPORTER_OTLP_ENDPOINT: Shaped(isPlainUrl, {
    description: 'an http or https address without user, query or fragment',
    remedy: 'write http://collector.example:4318, or leave it out to trace nothing',
    writeOnly: true,
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Shaped(isPlainUrl, {
    description: 'an http or https address without user, query or fragment',
    remedy: `write http://collector.example:4318${TRACES}, or leave it out`,
    writeOnly: true,
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: Choice(PROTOCOLS, 'http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: Hidden,
  OTEL_SERVICE_NAME: Type.String({ default: 'bezant' }),
  OTEL_TRACES_SAMPLER: Choice(SAMPLERS, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'a number from 0 to 1',
    remedy: 'change it or leave it out for 1',
  }),
})

/** Null if no endpoint is named. */
export function tracingOf(values: Static<typeof TracingVariables>): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values
  const url = whole ?? (base === undefined ? undefined : withoutSlashes(base) + TRACES)
  if (url === undefined) return null
  return Object.freeze({
    url,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: headersOf(values.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    service_name: values.OTEL_SERVICE_NAME,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  })
}

/** `name=value` pairs with commas between, values as of a URL. */
function headersOf(text: string): Readonly<Record<string, Secret>> {
  const pairs = text.split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim(), new Secret(decoded(value.join('=').trim()))]
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
